import { describe, expect, it } from 'vitest';
import type { ListedNear, NearAnswer } from '../../lib/near/near.ts';
import { listNear } from '../../lib/near/near-list.ts';
import { mongoNearStore } from '../../lib/near/mongo-near-store.ts';
import type { Terms } from '../../lib/rule/own-terms.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import { checkOf, orderOf, recordOf, USER_DAY } from '../support/limits-fixture.ts';
import { patientCounters, PATIENCE_MS } from '../support/patient-counters.ts';
import { libRule } from '../support/service-under-test.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { MERCHANT_DAY, nearLimitsOver } from './fixture.ts';

const DAY: ModelRule = { ...MERCHANT_DAY, window: USER_DAY.window };
const LIFE: ModelRule = {
  ...{ id: 'life', per: ['user'], window: 'lifetime', max: { count: 2 }, mode: 'enforce' },
};
const HOUR: ModelRule = {
  ...{ ...DAY, id: 'hour', per: ['card'], max: { amount: 1_000, count: 1 } },
  window: { rollingMs: 3_600_000, stepMs: 300_000 },
};
const TIERS: ModelRule = {
  ...{ ...DAY, id: 'tiers', per: ['wallet'] },
  ...{ max: { amount: 500 }, maxBy: { name: 'tier', of: 'amount', values: { gold: 2_000 } } },
};
const PIN: ModelRule = { ...LIFE, id: 'pin', per: ['device'], outcome: 'rolledBack' };
const RULES: readonly ModelRule[] = [DAY, LIFE, HOUR, TIERS, PIN];
const AT = new Date('2026-03-02T10:00:00Z');

const database = useDatabase({ withIndexes: true });

/** The list at an instant, and the documents that each request of it asked for. */
async function listed(at = AT, rules = RULES.map(libRule), rule?: string) {
  const asked: (readonly string[])[] = [];
  const counters = patientCounters(database.db);
  const answer: NearAnswer = await listNear(
    {
      ...{ store: mongoNearStore(database.db, PATIENCE_MS), isKept: true },
      rules: () => Promise.resolve(rules),
      counters: {
        read: (documents, ...rest) => {
          asked.push(documents);
          return counters.read(documents, ...rest);
        },
      },
    },
    { percent: 50, limit: 100, rule },
    at,
    at,
  );
  const rowOf = (id: string) =>
    answer.rows.find(({ subjects }) => Object.values(subjects).includes(id));
  return { rowOf, asked };
}

const taking = (kind: string, id: string) => {
  const { limits } = nearLimitsOver(database.db, RULES);
  const subjects = { [kind]: id };
  return {
    hold: (orderId: string, amountMinor: number, tier?: string) =>
      limits.check(
        checkOf({
          ...{ orderId: `${id} ${orderId}`, subjects, amountMinor },
          attributes: tier === undefined ? {} : { tier },
        }),
        AT,
      ),
    confirm: (orderId: string) => limits.confirm(orderOf(`${id} ${orderId}`, subjects), AT),
    rollback: (orderId: string) => limits.rollback(orderOf(`${id} ${orderId}`, subjects), AT),
    pay: (orderId: string, amountMinor: number) =>
      limits.recordMany(
        [recordOf({ orderId: `${id} ${orderId}`, subjects, amountMinor, happenedAt: AT })],
        AT,
      ),
  };
};

describe('a row of the list', () => {
  it('takes an attempt under way for nothing, where failures count', async () => {
    const { hold, rollback } = taking('device', 'd-tried');
    await hold('a', 5);
    await rollback('a');
    await hold('b', 5);
    const { rowOf } = await listed();
    expect(rowOf('d-tried')).toMatchObject({
      percent: 50,
      taken: { count: 1 },
      now: { used: { count: 1 }, held: { count: 1 }, share: 0.5 },
    });
  });

  it('says what is used and held now, beside what was reached', async () => {
    const { hold, confirm, rollback } = taking('merchant', 'm-back');
    await hold('a', 600);
    await confirm('a');
    await hold('b', 350);
    await hold('c', 50);
    await rollback('b');
    expect((await listed()).rowOf('m-back')).toMatchObject({
      percent: 100,
      now: {
        used: { amountMinor: 600, count: 1 },
        held: { amountMinor: 50, count: 1 },
        max: { amountMinor: 1_000 },
        share: 0.65,
      },
    });
  });

  it('of a subject whose document is gone has nothing used', async () => {
    await taking('merchant', 'm-gone').hold('a', 900);
    await storedCounters(database.db).deleteOne({ _id: 'merchant:m-gone' });
    const { now } = (await listed()).rowOf('m-gone') ?? {};
    expect(now).toMatchObject({ used: { amountMinor: 0 }, held: { amountMinor: 0 }, share: 0 });
  });

  it('has no hold that has expired', async () => {
    await taking('merchant', 'm-late').hold('a', 900);
    const later = new Date(AT.getTime() + 900_000);
    expect((await listed(later)).rowOf('m-late')?.now).toMatchObject({ share: 0 });
  });

  it('is above its maximum where a payment was recorded above it', async () => {
    await taking('merchant', 'm-over').pay('a', 1_200);
    expect((await listed()).rowOf('m-over')?.now.share).toBe(1.2);
  });

  it("has the subject's own maximum, whatever it was when the part was reached", async () => {
    await taking('merchant', 'm-own').hold('a', 900);
    const by = { at: AT, by: { kind: 'local', id: 'local' }, reason: 'given' } as const;
    const max = { amountMinor: 3_000 };
    const terms: Terms = { version: 'v', overrides: [{ ...by, id: 'o', rule: DAY.id, max }] };
    const counters = patientCounters(database.db);
    await counters.changeTerms('merchant:m-own', { expected: undefined, terms }, AT);
    expect((await listed()).rowOf('m-own')).toMatchObject({
      ...{ percent: 80, isOverride: false, max: { amountMinor: 1_000 } },
      now: { max, isOverride: true, share: 0.3 },
    });
  });

  it('of a maximum by attribute has the one that it was written with', async () => {
    await taking('wallet', 'w-gold').hold('a', 1_700, 'gold');
    expect((await listed()).rowOf('w-gold')?.now).toMatchObject({
      ...{ max: { amountMinor: 2_000 }, share: 0.85 },
    });
  });

  it('of a rule that one payment alone fills leaves that count out of its share', async () => {
    await taking('card', 'c-1').hold('a', 600);
    expect((await listed()).rowOf('c-1')?.now.share).toBe(0.6);
  });

  it('of a rule with a new id has that id at once, and tells no part again', async () => {
    await taking('merchant', 'm-renamed').hold('a', 600);
    const renamed = { ...libRule(DAY), id: 'merchant-daily', namedAs: DAY.id };
    const others = RULES.filter(({ id }) => id !== DAY.id).map(libRule);
    for (const asked of [undefined, renamed.id]) {
      const { rowOf } = await listed(AT, [renamed, ...others], asked);
      expect(rowOf('m-renamed')).toMatchObject({ ruleId: 'merchant-daily', percent: 50 });
    }
    const { limits, heard } = nearLimitsOver(database.db, [], {
      rules: () => Promise.resolve([renamed]),
    });
    const subjects = { merchant: 'm-renamed' };
    await limits.check(checkOf({ orderId: 'after', subjects, amountMinor: 250 }), AT);
    expect(heard.events).toEqual(['merchant-daily 80']);
    const { rowOf } = await listed(AT, [renamed, ...others]);
    expect(rowOf('m-renamed')).toMatchObject({ ruleId: 'merchant-daily', percent: 80 });
  });

  it.each([
    { what: 'whose window is over', at: new Date('2026-03-02T16:00:00Z'), rules: RULES },
    { what: 'whose rule was deleted', at: AT, rules: [LIFE] },
    {
      ...{ what: 'whose rule counts elsewhere by now', at: AT },
      rules: [{ ...DAY, counts: { is: { type: 'OTHER' } } }, LIFE],
    },
    {
      ...{ what: 'whose rule is not in force yet', at: AT },
      rules: [{ ...DAY, from: new Date('2026-03-02T11:00:00Z') }, LIFE],
    },
  ])('$what is left out', async ({ at, rules }) => {
    await taking('merchant', 'm-over-there').hold('a', 900);
    await taking('user', 'u-life').hold('a', 1);
    const { rowOf } = await listed(at, rules.map(libRule));
    expect(rowOf('u-life')).toBeDefined();
    expect(rowOf('m-over-there')).toBeUndefined();
  });

  it('is left out where its window is over by the database, and not yet by the function', async () => {
    const row = (await listed()).rowOf('m-over-there') as ListedNear;
    const counters = patientCounters(database.db);
    const next = new Date('2026-03-03T10:00:00Z');
    const { rows } = await listNear(
      {
        store: {
          note: () => Promise.resolve([]),
          page: () => Promise.resolve({ rows: [row], next: undefined, scannedAt: undefined }),
        },
        rules: () => Promise.resolve(RULES.map(libRule)),
        counters: { read: (documents, ids) => counters.read(documents, ids, next, next) },
        isKept: true,
      },
      { percent: 50, limit: 100 },
      AT,
    );
    expect(rows).toEqual([]);
  });

  it('costs one request for all documents of a page, each named once', async () => {
    const { asked } = await listed();
    expect(asked).toHaveLength(1);
    expect(new Set(asked[0]).size).toBe(asked[0]?.length);
  });
});
