import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { compile } from '../../lib/plan/compile.ts';
import type { Terms } from '../../lib/rule/own-terms.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { patientCounters, PATIENCE_MS } from '../support/patient-counters.ts';
import { SCAN, nearCollection } from '../../lib/near/mongo-near-store.ts';
import type { Scanned } from '../../lib/near/mongo-near-scan.ts';
import { scanNear } from '../../lib/near/mongo-near-scan.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { TestDatabase } from '../support/database.ts';
import { connect, useDatabase } from '../support/database.ts';
import { checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { listed, MERCHANT_DAY, nearLimitsOver } from './fixture.ts';

const RULES: readonly ModelRule[] = [
  MERCHANT_DAY,
  { id: 'user-life', per: ['user'], window: 'lifetime', max: { count: 2 }, mode: 'shadow' },
  {
    ...{ ...MERCHANT_DAY, id: 'user-hour', per: ['user'], max: { amount: 1_000, count: 100 } },
    window: { rollingMs: 3_600_000, stepMs: 300_000 },
  },
  { ...MERCHANT_DAY, id: 'pair', per: ['user', 'merchant'] },
];

const database = useDatabase({ withIndexes: true });

async function scan(
  { db }: TestDatabase,
  rules = RULES,
  startedAt = new Date(),
): Promise<Scanned | undefined> {
  let last: Scanned | undefined;
  for await (const scanned of scanNear(db, compile(rules.map(libRule)), startedAt)) last = scanned;
  return last;
}

/** The list, as words: `merchant-day m-1 80`. */
async function list({ db }: TestDatabase): Promise<readonly string[]> {
  const rows = await listed(db);
  return rows
    .map(({ rule, subjects, percent }) => `${rule} ${Object.values(subjects).join('+')} ${percent}`)
    .sort();
}

/** A database of its own, where each of some merchants has taken an amount of 1,000. */
async function withMerchants(
  amounts: Readonly<Record<string, number>>,
  test: (connection: TestDatabase) => Promise<void>,
): Promise<void> {
  const connection = await connect();
  try {
    const limits = limitsOver(connection.db, RULES);
    for (const [merchant, amountMinor] of Object.entries(amounts))
      await limits.check(checkOf({ orderId: merchant, subjects: { merchant }, amountMinor }));
    await test(connection);
  } finally {
    await connection.db.dropDatabase();
    await connection.client.close();
  }
}

describe('a scan', () => {
  it('lists what calls list, window by window, and what they have lost', async () => {
    const { limits } = nearLimitsOver(database.db, RULES);
    for (const [user, amountMinor] of Object.entries({ 'u:1': 500, 'u-2': 960, 'u-3': 100 }))
      await limits.check(
        checkOf({ orderId: user, subjects: { user, merchant: `m ${user}` }, amountMinor }),
      );
    const byCalls = await list(database);
    expect(byCalls).toContain('merchant-day m u:1 50');
    expect(byCalls).toContain('pair u-2+m u-2 95');
    const rows = await nearCollection(database.db)
      .find({}, { projection: { at: 0, seenAt: 0, told: 0 }, sort: { _id: 1 } })
      .toArray();
    expect(await scan(database)).toMatchObject({ added: 0, changed: 0, removed: 0 });
    await nearCollection(database.db).deleteMany({ rule: { $ne: 'pair' } });
    expect(await scan(database)).toMatchObject({ added: byCalls.length - 2, changed: 0 });
    expect(await list(database)).toEqual(byCalls);
    const again = await nearCollection(database.db)
      .find({ _id: { $ne: SCAN } }, { projection: { at: 0, seenAt: 0, told: 0 }, sort: { _id: 1 } })
      .toArray();
    expect(again).toEqual(rows);
    expect(await scan(database)).toMatchObject({ added: 0, changed: 0, removed: 0 });
  });

  it('lists pairs that have a document of their own, by the terms of their first subject', async () => {
    await withMerchants({}, async (connection) => {
      const ownPair: ModelRule = {
        ...{ ...MERCHANT_DAY, id: 'own-pair', per: ['user', 'merchant'], counterparts: 'many' },
      };
      const limits = limitsOver(connection.db, [ownPair]);
      for (const [user, merchant, amountMinor] of [
        ['u|1', 'm-1', 960],
        ['u|1', 'm-2', 100],
        ['u-2', 'm-1', 500],
      ] as const)
        await limits.check(
          checkOf({ orderId: `${user} ${merchant}`, subjects: { user, merchant }, amountMinor }),
        );
      const one = { id: 'own', rule: 'own-pair', reason: 'asked for', at: new Date() };
      const override = {
        ...one,
        by: { kind: 'local', id: 'local' } as const,
        max: { amountMinor: 200 },
      };
      await patientCounters(connection.db).changeTerms(
        'user:u|1',
        { expected: undefined, terms: { version: 'v-1', overrides: [override] } },
        new Date(),
      );
      expect(await scan(connection, [ownPair])).toMatchObject({ added: 3 });
      expect(await list(connection)).toEqual([
        'own-pair u-2+m-1 50',
        'own-pair u|1+m-1 100',
        'own-pair u|1+m-2 50',
      ]);
      expect(await scan(connection, [ownPair])).toMatchObject({ added: 0, changed: 0, removed: 0 });
    });
  });

  it('takes out what is given back, lowers what is less, raises what is more', async () => {
    await withMerchants({ less: 600, none: 500, more: 500 }, async (connection) => {
      const { limits } = nearLimitsOver(connection.db, RULES);
      const take = (merchant: string, amountMinor: number): Promise<unknown> =>
        limits.check(checkOf({ orderId: `${merchant}-2`, subjects: { merchant }, amountMinor }));
      await take('less', 350);
      await limits.rollback(orderOf('less-2', { merchant: 'less' }));
      await take('none', 100);
      await scan(connection);
      await limits.rollback(orderOf('none', { merchant: 'none' }));
      await limitsOver(connection.db, RULES).check(
        checkOf({ orderId: 'more-2', subjects: { merchant: 'more' }, amountMinor: 500 }),
      );
      expect(await scan(connection)).toMatchObject({ added: 0, changed: 1, removed: 1 });
      expect(await list(connection)).toEqual(['merchant-day less 50', 'merchant-day more 100']);
    });
  });

  it('tells nobody again: what was told in the window stays told', async () => {
    await withMerchants({}, async (connection) => {
      const { limits, heard } = nearLimitsOver(connection.db, RULES);
      const subjects = { merchant: 'm-1' };
      await limits.check(checkOf({ orderId: 'a', subjects, amountMinor: 600 }));
      await limits.rollback(orderOf('a', subjects));
      await scan(connection);
      expect(await list(connection)).toEqual([]);
      await limits.check(checkOf({ orderId: 'b', subjects, amountMinor: 850 }));
      expect(heard.events).toEqual(['merchant-day 50', 'merchant-day 80']);
      expect(await list(connection)).toEqual(['merchant-day m-1 80']);
    });
  });

  it("goes by a subject's own maximum, and by the rules in force", async () => {
    await withMerchants({ 'm-1': 600, 'm-2': 600, 'm-3': 600 }, async (connection) => {
      await scan(connection);
      const own = { id: 'own', rule: 'merchant-day', reason: 'asked for', at: new Date() };
      const by = { kind: 'local', id: 'local' } as const;
      const terms = (amountMinor: number): Terms => ({
        version: `v-${amountMinor}`,
        overrides: [{ ...own, by, max: { amountMinor } }],
      });
      const counters = patientCounters(connection.db);
      const change = (merchant: string, amountMinor: number): Promise<unknown> =>
        counters.changeTerms(
          `merchant:${merchant}`,
          { expected: undefined, terms: terms(amountMinor) },
          new Date(),
        );
      await change('m-1', 700);
      await change('m-2', 10_000);
      expect(await scan(connection)).toMatchObject({ changed: 1, removed: 1 });
      expect(await list(connection)).toEqual(['merchant-day m-1 80', 'merchant-day m-3 50']);
      const [first] = await listed(connection.db);
      expect(first).toMatchObject({ max: { amountMinor: 700 }, isOverride: true });
      const later = new Date(Date.now() + 1_000);
      expect(await scan(connection, [], later)).toMatchObject({ removed: 2 });
      expect(await list(connection)).toEqual([]);
    });
  });

  it('says of a row that a rule on trial is in force by now, and which maximum is asked', async () => {
    await withMerchants({ 'm-1': 600 }, async (connection) => {
      const [rule, ...others] = RULES;
      if (rule === undefined) throw new Error('there are rules');
      await scan(connection, [{ ...rule, mode: 'shadow' }, ...others]);
      expect(await listed(connection.db)).toMatchObject([{ mode: 'shadow' }]);
      expect(await scan(connection)).toMatchObject({ changed: 1 });
      expect(await listed(connection.db)).toMatchObject([{ mode: 'enforce', percent: 50 }]);
      const raised = { ...rule, max: { amount: 1_100 } };
      expect(await scan(connection, [raised, ...others])).toMatchObject({ changed: 1 });
      expect(await listed(connection.db)).toMatchObject([{ max: { amountMinor: 1_100 } }]);
      expect(await scan(connection, [raised, ...others])).toMatchObject({ changed: 0 });
    });
  });

  it("keeps a subject's own maximum where the rule's depend on the payment, and says that it is one", async () => {
    const own = { id: 'own', rule: 'tiers', reason: 'asked for', at: new Date() };
    const by = { kind: 'local', id: 'local' } as const;
    const scoped: ModelRule = {
      ...{ id: 'some', per: ['merchant'], currency: 'CNY', window: 'lifetime', mode: 'enforce' },
      ...{ max: { amount: 1_000 }, appliesTo: { is: { type: 'PAYMENT' } } },
    };
    const values = { gold: 5_000 };
    const tiers: ModelRule = {
      ...{ ...scoped, id: 'tiers', appliesTo: {} },
      maxBy: { name: 'tier', of: 'amount', values },
    };
    await withMerchants({}, async (connection) => {
      const counters = patientCounters(connection.db);
      const overrides = ['tiers', 'some'].map((rule) => ({
        ...{ ...own, by, rule, max: { amountMinor: 2_000 } },
      }));
      const terms = { version: 'v-1', overrides };
      await counters.changeTerms('merchant:m-1', { expected: undefined, terms }, new Date());
      const { limits } = nearLimitsOver(connection.db, [scoped, tiers]);
      const payment = { orderId: 'a', subjects: { merchant: 'm-1' }, amountMinor: 1_700 };
      await limits.check(checkOf({ ...payment, type: 'PAYMENT', attributes: { tier: 'gold' } }));
      const told = { percent: 80, max: { amountMinor: 2_000 }, isOverride: true };
      const rows = [
        { rule: 'some', ...told },
        { rule: 'tiers', ...told },
      ];
      expect(await listed(connection.db)).toMatchObject(rows);
      expect(await scan(connection, [scoped, tiers])).toMatchObject({ changed: 0, removed: 0 });
      expect(await listed(connection.db)).toMatchObject(rows);
      await counters.changeTerms('merchant:m-1', { expected: 'v-1', terms: undefined }, new Date());
      expect(await scan(connection, [scoped, tiers])).toMatchObject({ changed: 1, removed: 0 });
      expect(await listed(connection.db)).toMatchObject([
        { rule: 'some', percent: 100, max: { amountMinor: 1_000 }, isOverride: false },
        { rule: 'tiers', ...told },
      ]);
    });
  });

  it('sets right what a call wrote of a document beside home, which it asked before home', async () => {
    await withMerchants({}, async (connection) => {
      const inner = patientCounters(connection.db, {
        timeoutMs: PATIENCE_MS,
      });
      const counters: CounterStore = {
        ...inner,
        async hold(ask, at) {
          if (ask.document.startsWith('user:')) await setTimeout(20); // its instant is a later one
          return inner.hold(ask, at);
        },
      };
      const { limits } = nearLimitsOver(connection.db, RULES, { counters });
      const subjects = { user: 'u-1', merchant: 'm-1' };
      await limits.check(checkOf({ orderId: 'a', subjects, amountMinor: 600 }));
      expect(await list(connection)).toContain('merchant-day m-1 50');
      await setTimeout(20); // a scan leaves alone what was written since it began
      const raised = RULES.map((rule) => ({ ...rule, max: { ...rule.max, amount: 10_000 } }));
      await scan(connection, raised);
      expect(await list(connection)).not.toContain('merchant-day m-1 50');
    });
  });

  it('leaves alone what a call wrote after what the scan sees', async () => {
    await withMerchants({ 'm-1': 600 }, async (connection) => {
      await scan(connection);
      // A call crosses 95 % and writes its row; the scan's secondary has the counters before that.
      const soon = new Date(Date.now() + 60_000);
      const filter = { document: 'merchant:m-1' };
      await nearCollection(connection.db).updateMany(filter, {
        $set: { percent: 95, seenAt: soon },
      });
      expect(await scan(connection)).toMatchObject({ changed: 0, removed: 0 });
      expect(await list(connection)).toEqual(['merchant-day m-1 95']);
    });
  });

  it('leaves alone what a call wrote by rules that are newer than those of the scan', async () => {
    await withMerchants({}, async (connection) => {
      const raised = RULES.map((rule) => ({ ...rule, max: { ...rule.max, amount: 2_000 } }));
      const subjects = { merchant: 'm-1' };
      const startedAt = new Date();
      const payment = checkOf({ orderId: 'a', subjects, amountMinor: 1_200 });
      await nearLimitsOver(connection.db, raised).limits.check(payment);
      const rows = await listed(connection.db);
      expect(rows).toMatchObject([{ percent: 50, max: { amountMinor: 2_000 } }]);
      expect(await scan(connection, RULES, startedAt)).toMatchObject({ changed: 0, removed: 0 });
      expect(await listed(connection.db)).toEqual(rows);
    });
  });

  it('disturbs nobody who pays meanwhile: each part is told once, and the next scan lists what is true', async () => {
    await withMerchants({}, async (connection) => {
      const { limits, heard } = nearLimitsOver(connection.db, RULES);
      const busy = { isOver: false };
      const paying = ['m-1', 'm-2', 'm-3', 'm-4'].flatMap((merchant) =>
        [1, 2, 3].map(async (caller) => {
          for (let index = 0; index < 12; index++) {
            const subjects = { merchant };
            const orderId = `${merchant}-${caller}-${index}`;
            const check = checkOf({ orderId, subjects, amountMinor: 90, holdMs: 900_000 });
            const { kind } = await limits.check(check);
            // Two of three stay: the sum goes up and down through each part.
            if (kind === 'allowed' && index % 3 === 0)
              await limits.rollback(orderOf(orderId, subjects));
          }
        }),
      );
      const scanning = (async () => {
        while (!busy.isOver) await scan(connection);
      })();
      await Promise.all(paying);
      busy.isOver = true;
      await scanning;
      const parts = [50, 80, 95].map((part) => `merchant-day ${part}`);
      expect(heard.events.toSorted()).toEqual([1, 2, 3, 4].flatMap(() => parts).toSorted());
      expect(heard.lost).toEqual([]);
      await scan(connection);
      expect(await list(connection)).toEqual(
        [1, 2, 3, 4].map((merchant) => `merchant-day m-${merchant} 95`),
      );
    });
  });

  it('goes in batches, and says how far it has come', async () => {
    await withMerchants({}, async ({ db }) => {
      const limits = limitsOver(db, RULES);
      const requests = Array.from({ length: 250 }, (_, n) =>
        checkOf({ orderId: `m-${n}`, subjects: { merchant: `m-${n}` }, amountMinor: 500 }),
      );
      for (let first = 0; first < requests.length; first += 90)
        await limits.checkMany(requests.slice(first, first + 90), false);
      const said: number[] = [];
      const rules = compile(RULES.map(libRule));
      for await (const { documents, rows } of scanNear(db, rules, new Date()))
        said.push(documents + rows);
      expect(said).toEqual([200, 250, 450, 500]);
      expect(await nearCollection(db).countDocuments({ percent: 50 })).toBe(250);
    });
  });
});
