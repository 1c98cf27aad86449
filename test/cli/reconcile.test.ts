import { setTimeout } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { describe, expect, inject, it } from 'vitest';
import type { Difference } from '../../lib/audit/reconcile/difference.ts';
import { lasting } from '../../lib/audit/reconcile/difference.ts';
import { durationText } from '../../lib/shared/duration.ts';
import type { Audit } from '../../lib/audit/recorded.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { Subjects } from '../../lib/shared/request.ts';
import type { AuditStore } from '../../lib/audit/audit.ts';
import { auditCollection, mongoAuditStore } from '../../lib/audit/mongo-audit-store.ts';
import { counted } from '../support/broken-orders.ts';
import { untilDecided } from '../support/broken-way.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { AuditedLimits } from '../support/audit-fixture.ts';
import { auditedLimitsOver, AUDITED } from '../support/audit-fixture.ts';
import { patientCounters } from '../support/patient-counters.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import type { Look } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { lookAt } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { type TestDatabase, connect, makeIndexes, useDatabase } from '../support/database.ts';
import { timed } from '../support/elapsed.ts';
import { someOf } from '../support/extent.ts';
import { USER_DAY, checkOf, orderOf, refundOf } from '../support/limits-fixture.ts';
import { runCommand } from '../support/run-command.ts';
import { bucketsIn, damageBuckets, storedCounters } from '../support/stored-buckets.ts';
import { replaceRules } from '../support/stored-rules.ts';
import { heldIn } from '../support/held.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';

/** More orders than are busy meanwhile on the fastest machine. */
const MANY = 1_000_000;
const LIFE: ModelRule = { ...USER_DAY, window: 'lifetime', max: { amount: 100_000, count: MANY } };
const RULES: readonly ModelRule[] = [
  LIFE,
  // Not a day: the tests look at the real time, and one in some years may meet the end of a year.
  { ...LIFE, id: 'year', window: { unit: 'year', timeZone: 'Asia/Shanghai' } },
  { ...LIFE, id: 'rolling', window: { rollingMs: 86_400_000, stepMs: 1_800_000 } },
  { ...LIFE, id: 'keeping', refunds: { count: false } },
  { id: 'count', per: ['user'], window: 'lifetime', max: { count: MANY }, mode: 'enforce' },
  { ...LIFE, id: 'merchant', per: ['merchant'] },
];

const STORED = { per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount: 100_000 } };
const PAIR: ModelRule = { ...LIFE, id: 'pair', per: ['user', 'merchant'] };
/** The stored rules, and a third that counts what the first does. */
const NAMED = [
  { ...STORED, id: 'life', title: { zh: '终身', en: 'For life' } },
  { ...STORED, id: 'trial', title: { en: 'Tried' }, mode: 'shadow' },
  { ...STORED, id: 'pair', title: { en: 'At a merchant' }, per: ['user', 'merchant'] },
];

const database = useDatabase({ withIndexes: true });

/** The wait for late rows: half of the default. */
const LATE_MS = 500;

async function runReconcile(databaseName: string, ...asked: readonly string[]) {
  const words = ['--wait', durationText(LATE_MS), ...asked];
  const set = { MONGODB_URI: inject('mongodbUri'), MONGODB_DATABASE: databaseName };
  const { code, out, err } = await runCommand('reconcile', words, set);
  return { code, lines: `${out}${err}`.trimEnd().split('\n') };
}

/** Reconciles without a wait, because nothing else calls. */
const runAlone = (databaseName: string, ...asked: readonly string[]) =>
  runReconcile(databaseName, '--wait', 'PT0S', ...asked);

/** Everything that can happen to orders of one user and one merchant; 3.00 each. */
async function live(limits: Limits, name: string): Promise<void> {
  const subjects = { user: name, merchant: name };
  const order = (kind: string) => ({ orderId: `${name}-${kind}`, subjects, amountMinor: 300 });
  const named = (kind: string) => orderOf(`${name}-${kind}`, subjects);
  const homeAlone = (kind: string) => orderOf(`${name}-${kind}`, { user: name });
  // Their time is over by now.
  const before = new Date(Date.now() - 5_000);
  for (const kind of ['expired', 'late'])
    await limits.check(checkOf({ ...order(kind), holdMs: 1_000 }), before);
  for (const kind of ['held', 'confirmed', 'less', 'back', 'refunded'])
    await limits.check(checkOf(order(kind)));
  await limits.check(checkOf({ ...order('captured'), capture: true, count: 2 }));
  await limits.check(checkOf({ ...order('refused'), amountMinor: 100_001 }));
  await limits.confirm(homeAlone('confirmed'));
  await limits.confirm({ ...named('less'), amountMinor: 120 });
  await limits.rollback(homeAlone('back'));
  await limits.confirm(homeAlone('refunded'));
  await limits.refund(refundOf(`${name}-refunded`, 'r-1', 100));
  await limits.refund(refundOf(`${name}-refunded`, 'r-2', 200));
  await limits.refund(refundOf(`${name}-captured`, 'r-1', 70));
  const many = ['m-0', 'm-1', 'm-2'];
  await limits.checkMany(
    many.map((kind) => checkOf(order(kind))),
    false,
  );
  await limits.settleMany([
    { ...named('m-0'), to: 'confirmed', amountMinor: 10 },
    { ...named('m-1'), to: 'rolledBack' },
  ]);
  await limits.confirm(named('late'));
}

/**
 * Tells a story on a database of its own. On a machine so busy that a row came later than rows may, what it
 * came to says nothing: it is told again.
 */
async function onTime(
  over: Over,
  tell: (test: TestDatabase, limits: Limits) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const test = await connect();
    await makeIndexes(test.db);
    const { limits, lost, slowestRowMs } = over(test);
    try {
      await tell(test, limits);
      return;
    } catch (error) {
      const isLate = lost.length > 0 || slowestRowMs() > LATE_MS / 2;
      if (!isLate || tries === 10) throw error;
    } finally {
      await test.db.dropDatabase();
      await test.client.close();
    }
  }
}

/** Orders that busy callers have settled at least by the time that they stop. */
const BUSY_ORDERS = 4;

/** Between two orders of a caller: busy enough for every look to meet some. */
const BREATH_MS = 120;

/** Checks and settles orders of one user and one merchant until it is asked to stop. */
function busy(limits: Limits, name: string, merchant = name): () => Promise<void> {
  let isOver = false;
  let all = 0;
  const subjects = { user: name, merchant };
  const work = async (lane: number): Promise<void> => {
    for (let orders = 0; !isOver || all < BUSY_ORDERS; orders++) {
      const orderId = `${name}-busy-${lane}-${orders}`;
      await untilDecided(() => limits.check(checkOf({ orderId, subjects, amountMinor: 3 })));
      const isBack = orders % 3 === 0;
      const order = orderOf(orderId, subjects);
      await untilDecided<unknown>(() => (isBack ? limits.rollback(order) : limits.confirm(order)));
      all += 1;
      await setTimeout(BREATH_MS);
    }
  };
  const lanes = Promise.all([0, 1].map(work));
  return async () => {
    isOver = true;
    await lanes;
  };
}

async function meanwhile<Ended>(
  stops: readonly (() => Promise<void>)[],
  act: () => Promise<Ended>,
): Promise<Ended> {
  try {
    return await act();
  } finally {
    await Promise.all(stops.map((stop) => stop()));
  }
}

/** An amount that nothing here refunds, and nobody loses. */
const UNUSED: Pick<Audit, 'refunds' | 'onLost'> = {
  refunds: () => Promise.reject(new Error('no refund here')),
  onLost: (error) => {
    throw error;
  },
};

/** A store of rows that come so late, and later where the machine is busy. */
function slowStore(
  db: Db,
  lateMs: number,
): Pick<AuditedLimits, 'slowestRowMs'> & { store: AuditStore } {
  const inner = mongoAuditStore(auditCollection(db), 400);
  let slowestRowMs = 0;
  const append: AuditStore['append'] = async (rows) => {
    const { ms } = await timed(() => setTimeout(lateMs).then(() => inner.append(rows)));
    slowestRowMs = Math.max(slowestRowMs, ms);
  };
  return { store: { ...inner, append }, slowestRowMs: () => slowestRowMs };
}

type Over = (test: Pick<TestDatabase, 'db'>) => AuditedLimits;

const overBestEffort: Over = ({ db }) => auditedLimitsOver(db, RULES);

const MODES = AUDITED.map(({ mode, over }) => ({
  mode,
  over: (({ db }) => over(db, RULES)) satisfies Over,
}));

describe.each(someOf('reconciledModes', MODES))('npm run reconcile, $mode', ({ mode, over }) => {
  it('finds nothing where nothing is wrong, also while checks run', async () => {
    await onTime(over, async (test, limits) => {
      await live(limits, 'right');
      const stop = busy(limits, 'right');
      const ended = await meanwhile([stop], () => runReconcile(test.db.databaseName));
      expect(ended).toMatchObject({
        code: 0,
        lines: [expect.stringMatching(/^2 documents and \d+ rows: no difference$/)],
      });
    });
  });

  it('names what was damaged, and mends it without disturbing checks that run', async () => {
    await onTime(over, async (test, limits) => {
      const subjects = { user: 'hurt', merchant: 'hurt' };
      await live(limits, 'hurt');
      await live(limits, 'whole');
      const before = await counted(limits, subjects);
      const stop = busy(limits, 'hurt');
      await meanwhile([stop], () => expectMended(test));
      expect(await runReconcile(test.db.databaseName)).toMatchObject({ code: 0 });
      // The sums from before are there again, beside those that were confirmed meanwhile.
      const after = await counted(limits, subjects);
      for (const [index, { held = {} }] of before.entries()) {
        const expected = await sumOfBusy(test, 'hurt');
        expect(after[index]?.held).toEqual(held);
        expect((after[index]?.used?.count ?? 0) - (before[index]?.used?.count ?? 0)).toBe(expected);
      }
    });
  });

  it('makes a bucket, or a document, again that is gone', async () => {
    const { limits } = over(database);
    const user = `gone-${mode}`;
    for (const [index, name] of [user, `${user}-2`].entries())
      await limits.check(
        checkOf({ orderId: `gone-${mode}-${index}`, subjects: { user: name }, capture: true }),
      );
    const counters = database.db.collection<{ _id: string; b?: object }>('counters');
    await counters.updateOne({ _id: `user:${user}` }, { $set: { b: {} } });
    await counters.deleteOne({ _id: `user:${user}-2` });
    const before = await counted(limits, { user });
    expect(before[0]?.used).toMatchObject({ amountMinor: 0 });
    for (const name of [user, `${user}-2`]) {
      const ended = await runAlone(
        ...[database.db.databaseName, '--subject', `user:${name}`, '--repair'],
      );
      expect(ended.code).toBe(1);
      const once = { amountMinor: 100, count: 1 };
      const used = (await counted(limits, { user: name })).map((rule) => rule.used);
      expect(used).toEqual([once, once, once, once, { count: 1 }]);
    }
  });
});

/** Damages sums of the user and the merchant `hurt`; what differs is named, mended, and no more differs. */
async function expectMended({ db }: TestDatabase): Promise<void> {
  const hurt = [{ usedAmount: -500 }, { usedCount: 2 }, { heldAmount: 40 }];
  expect(await damageBuckets(db, 'user:hurt', hurt)).toBe(1);
  const other = [{ usedAmount: 1, heldCount: -1 }];
  expect(await damageBuckets(db, 'merchant:hurt', other)).toBe(1);
  await storedCounters(db).updateOne({ _id: 'merchant:hurt' }, { $inc: { shares: 50 } });
  const since = ['--since', '1970-01-01T00:00:00Z'];
  const found = await runReconcile(db.databaseName, '--subject', 'user:hurt', ...since);
  expect(found.code).toBe(1);
  expect(found.lines).toHaveLength(4);
  expect(differences(found.lines)).toEqual(['used amount -500', 'used count 2', 'held amount 40']);
  expect(found.lines.at(-1)).toMatch(/^1 document and \d+ rows: 3 differ$/);
  const mended = await runReconcile(db.databaseName, '--repair', ...since);
  expect(mended.code).toBe(1);
  expect(mended.lines).toContainEqual(
    expect.stringMatching(/^merchant:hurt: number of open shares \(shares\), is .*; mended$/),
  );
  expect(differences(mended.lines.filter((line) => line.endsWith('; mended')))).toEqual([
    'used amount 1',
    'held count -1',
    'used amount -500',
    'used count 2',
    'held amount 40',
  ]);
  expect(mended.lines.at(-1)).toMatch(/^4 documents and \d+ rows: 6 differ, 6 mended$/);
  expect(await runReconcile(db.databaseName)).toMatchObject({ code: 0 });
}

/** The sums that lines tell of, and by how much each is off. */
function differences(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const found = /: (\w+ \w+) of counter .* is (-?\d+), but its [a-z ]+ add up to (-?\d+)/.exec(
      line,
    );
    return found === null ? [] : [`${found[1] ?? ''} ${Number(found[2]) - Number(found[3])}`];
  });
}

/** The statement that is waited for until the other is called. */
function awaited(): readonly [Promise<void>, () => void] {
  let come = (): void => undefined;
  const coming = new Promise<void>((resolve) => {
    come = resolve;
  });
  return [
    coming,
    () => {
      come();
    },
  ];
}

async function usedBy(limits: Limits, subjects: Subjects): Promise<readonly unknown[]> {
  return (await counted(limits, subjects)).map(({ used }) => used);
}

function sumOfBusy({ db }: Pick<TestDatabase, 'db'>, name: string): Promise<number> {
  const orderId = { $regex: `^${name}-busy` };
  return db.collection('audit').countDocuments({ orderId, outcome: 'confirmed' });
}

describe('npm run reconcile', () => {
  it('does not take a row that got lost for a damage that may be mended', async () => {
    // No window of these begins while the test runs.
    const rules = RULES.filter(({ id }) => id !== 'rolling');
    const { limits } = auditedLimitsOver(database.db, rules);
    const subjects = { user: 'lost' };
    await limits.check(checkOf({ orderId: 'lost', subjects, capture: true }));
    await database.db.collection('audit').deleteOne({ orderId: 'lost' });
    await storedCounters(database.db).updateOne({ _id: 'user:lost' }, { $set: { settled: [] } });
    const run = (...asked: readonly string[]) =>
      runAlone(database.db.databaseName, '--subject', 'user:lost', ...asked);
    const ended = await run('--repair');
    expect(ended.code).toBe(1);
    expect(ended.lines.slice(0, -1).every((line) => !line.endsWith('; mended'))).toBe(true);
    expect(ended.lines[0]).toMatch(
      /; the window began before the oldest row, so rows may be missing: give the start of complete rows/,
    );
    expect((await counted(limits, subjects))[0]?.used).toEqual({ amountMinor: 100, count: 1 });
    expect(await run('--since', new Date().toISOString())).toMatchObject({ code: 0 });
    expect((await run('--since', '1970-01-01T00:00:00Z', '--repair')).code).toBe(1);
    expect((await counted(limits, subjects))[0]?.used).toEqual({ amountMinor: 0, count: 0 });
  });

  it('waits for rows that are written late, of however many callers at once', async () => {
    const over: Over = ({ db }) => {
      const { store, slowestRowMs } = slowStore(db, 200);
      const audit = { ...UNUSED, store };
      return { ...auditedLimitsOver(db, RULES, { audit }), slowestRowMs };
    };
    await onTime(over, async (test, limits) => {
      const users = ['late-1', 'late-2', 'late-3', 'late-4'];
      const stops = users.map((user) => busy(limits, user, 'late'));
      const rows = test.db.collection('audit');
      await expect.poll(() => rows.countDocuments(), { timeout: 60_000 }).toBeGreaterThan(4);
      const asked = ['--subject', 'merchant:late'];
      const ended = await meanwhile(stops, () => runReconcile(test.db.databaseName, ...asked));
      expect(ended).toMatchObject({ code: 0 });
    });
  });

  it('waits once for the rows of all documents that differ', async () => {
    const users = Array.from({ length: 60 }, (_, index) => `hurt-${index}`);
    const documents = users.map((user) => `user:${user}`);
    const requests = users.map((user) => checkOf({ orderId: user, subjects: { user } }));
    const { limits } = auditedLimitsOver(database.db, RULES);
    await limits.checkMany(requests, false);
    for (const each of documents) await damageBuckets(database.db, each, [{ heldAmount: 1 }]);
    const waits: number[] = [];
    const pause = (ms: number): Promise<unknown> => Promise.resolve(waits.push(ms));
    const looks = await lookAt(database.db, documents, { lateMs: LATE_MS, pause });
    expect([...looks.values()].filter(({ differences }) => differences.length > 0)).toHaveLength(
      60,
    );
    expect(waits).toEqual([LATE_MS]);
  });

  it('takes what home has confirmed, and another document not yet, for no damage', async () => {
    const subjects = { user: 'between', merchant: 'between' };
    const inner = patientCounters(database.db);
    const looks: Promise<ReadonlyMap<string, Look>>[] = [];
    const counters: CounterStore = {
      ...inner,
      settleShares: async (...asked) => {
        looks.push(lookAt(database.db, ['merchant:between']));
        await setTimeout(100); // the snapshot is taken, and the row not written
        return inner.settleShares(...asked);
      },
    };
    const { limits } = auditedLimitsOver(database.db, RULES, { counters });
    await limits.check(checkOf({ orderId: 'between', subjects }));
    await damageBuckets(database.db, 'merchant:between', [{ usedAmount: 1 }]);
    await limits.confirm(orderOf('between', subjects));
    const [look] = await Promise.all(looks);
    expect(look?.get('merchant:between')).toMatchObject({
      differences: [{ sum: 'usedAmount', stored: 1, expected: 0 }],
    });
  });

  it('trusts the memory of a document where the row of a confirm got lost', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    const subjects = { user: 'recalled' };
    await limits.check(checkOf({ orderId: 'recalled', subjects }));
    await limits.confirm(orderOf('recalled', subjects));
    await database.db.collection('audit').deleteOne({ orderId: 'recalled', outcome: 'confirmed' });
    const ended = await runAlone(database.db.databaseName, '--subject', 'user:recalled');
    expect(ended).toEqual({ code: 0, lines: ['1 document and 1 row: no difference'] });
  });

  it.each([
    { lost: 'a confirm', capture: false },
    { lost: 'a captured check', capture: true },
  ])(
    'knows nothing of another document where the row of $lost got lost, until a repeat',
    async (one) => {
      const { limits } = auditedLimitsOver(database.db, RULES);
      const subjects = { user: one.lost, merchant: one.lost };
      const order = checkOf({ orderId: one.lost, subjects, capture: one.capture });
      await limits.check(order);
      await limits.confirm(orderOf(one.lost, subjects));
      await database.db.collection('audit').deleteMany({ orderId: one.lost, outcome: 'confirmed' });
      const document = `merchant:${one.lost}`;
      const isLess = async (): Promise<boolean | undefined> => {
        const look = (await lookAt(database.db, [document], { lateMs: 0 })).get(document);
        return look?.differences.some((each) => each.kind === 'sum' && each.expected === 0);
      };
      expect(await isLess()).toBe(true);
      await limits.confirm(orderOf(one.lost, subjects));
      expect(await isLess()).toBe(false);
    },
  );

  it.each([
    { first: 'the one that was first', order: ['first', 'other'] },
    { first: 'the other', order: ['other', 'first'] },
  ] as const)(
    'finds nothing, and a refund gives back everywhere, where two confirm at once and $first writes its row',
    async ({ order }) => {
      const [earlier, later] = order;
      const name = `two, ${earlier}`;
      const subjects = { user: name, merchant: name };
      const inner = patientCounters(database.db);
      const [written, write] = awaited();
      const callerOf = (who: 'first' | 'other', counters: CounterStore): Limits => {
        const store = mongoAuditStore(auditCollection(database.db), 400);
        const append: AuditStore['append'] = async (rows) => {
          if (who === later) await written;
          await store.append(rows);
          if (who === earlier) write();
        };
        const audit = { ...UNUSED, store: { ...store, append } };
        return auditedLimitsOver(database.db, RULES, { audit, counters }).limits;
      };
      const [settled, settle] = awaited();
      const other = callerOf('other', {
        ...inner,
        async settleShares(...asked) {
          const view = await inner.settleShares(...asked);
          settle();
          return view;
        },
      });
      const confirms: Promise<unknown>[] = [];
      const first = callerOf('first', {
        ...inner,
        async settleShares(...asked) {
          confirms.push(other.confirm(orderOf(name, subjects)));
          await settled;
          return inner.settleShares(...asked);
        },
      });
      const { limits } = overBestEffort(database);
      await limits.check(checkOf({ orderId: name, subjects, amountMinor: 300 }));
      await first.confirm(orderOf(name, subjects));
      await Promise.all(confirms);
      const documents = [`user:${name}`, `merchant:${name}`];
      const differing = async () =>
        [...(await lookAt(database.db, documents, { lateMs: 0 })).values()].flatMap(
          (look) => look.differences,
        );
      expect(await differing()).toEqual([]);
      await limits.refund(refundOf(name, 'r-1', 100));
      expect(await differing()).toEqual([]);
      for (const [kind, id] of Object.entries(subjects))
        expect((await usedBy(limits, { [kind]: id }))[0]).toEqual({ amountMinor: 200, count: 1 });
    },
  );

  it('names the rules that count in a counter, and amounts as people write them', async () => {
    const test = await connect();
    await makeIndexes(test.db);
    const { limits } = auditedLimitsOver(test.db, [LIFE, PAIR]);
    await replaceRules(test.db, NAMED);
    const subjects = { user: 'named', merchant: 'm-1' };
    await limits.check(checkOf({ orderId: 'named', subjects, amountMinor: 800, capture: true }));
    await damageBuckets(test.db, 'user:named', [{ usedAmount: -500 }, { usedCount: 1 }]);
    const { lines } = await runAlone(test.db.databaseName, '--since', '1970-01-01T00:00:00Z');
    expect(lines.slice(0, 2).map((line) => line.replace(/counter \S+/, 'counter …'))).toEqual([
      expect.stringMatching(
        /^user:named: used amount of counter … \(life "For life", trial "Tried"\), .* is 3\.00 CNY \(300\), but its rows add up to 8\.00 CNY \(800\)$/,
      ),
      expect.stringMatching(
        /^user:named: used count of counter … \(pair "At a merchant"\), .* is 2, but its rows add up to 1$/,
      ),
    ]);
    await replaceRules(test.db, []);
    const { lines: unnamed } = await runAlone(test.db.databaseName);
    expect(unnamed[0]).toMatch(
      /counter \S+ \(of no rule that is stored\), .* is 300, but its rows add up to 800/,
    );
    // No rule reads the counter of the pair any more, so a tidy may have dropped it.
    expect(unnamed.filter((line) => line.includes('is 2, but'))).toEqual([]);
    await test.db.dropDatabase();
    await test.client.close();
  });

  it('names the rules that count in a document of a pair', async () => {
    const test = await connect();
    await makeIndexes(test.db);
    const { limits } = auditedLimitsOver(test.db, [{ ...PAIR, counterparts: 'many' }]);
    await replaceRules(test.db, [
      { ...STORED, id: 'pair', per: ['user', 'merchant'], counterparts: 'many' },
    ]);
    const subjects = { user: 'p', merchant: 'm' };
    await limits.check(checkOf({ orderId: 'p', subjects, amountMinor: 800, capture: true }));
    await damageBuckets(test.db, 'user:p|merchant:m', [{ usedAmount: -500 }]);
    const since = ['--since', '1970-01-01T00:00:00Z'];
    const { lines } = await runAlone(test.db.databaseName, ...since);
    expect(lines[0]).toMatch(
      /^user:p\|merchant:m: used amount of counter \S+ \(pair\), .* is 3\.00 CNY \(300\), but its rows add up to 8\.00 CNY/,
    );
    await runAlone(test.db.databaseName, ...since, '--subject', 'user:p|merchant:m', '--repair');
    expect((await runAlone(test.db.databaseName)).code).toBe(0);
    await test.db.dropDatabase();
    await test.client.close();
  });

  it('names a hold that is gone', async () => {
    const { limits } = auditedLimitsOver(database.db, [LIFE]);
    await limits.check(checkOf({ orderId: 'no-hold', subjects: { user: 'no-hold' } }));
    await database.db
      .collection<{ _id: string }>('counters')
      .updateOne({ _id: 'user:no-hold' }, { $set: heldIn([]) });
    const ended = await runAlone(database.db.databaseName, '--subject', 'user:no-hold');
    expect(ended.code).toBe(1);
    expect(differences(ended.lines)).toEqual(['held amount 100', 'held count 1']);
    expect(ended.lines[2]).toMatch(
      /^user:no-hold: a row says that order "no-hold" is held until .*, but the document has no such hold$/,
    );
  });

  it.each([
    { field: 'open', by: 100, told: 'open holds (open)' },
    { field: 'shares', by: 7, told: 'open shares (shares)' },
    { field: 'p', by: -1, told: 'open holds that entered the same buckets (p.… .n)' },
  ])('names $field that somebody changed by $by, and mends it', async ({ field, by, told }) => {
    const { limits } = auditedLimitsOver(database.db, [LIFE]);
    const user = `count-${field}`;
    const check = (orderId: string) => limits.check(checkOf({ orderId, subjects: { user } }));
    await check(`${user}-1`);
    const counters = storedCounters(database.db);
    const stored = await counters.findOne<StoredDocument>({ _id: `user:${user}` });
    const [digest = ''] = Object.keys(stored?.p ?? {});
    const path = field === 'p' ? `p.${digest}.n` : field;
    await counters.updateOne({ _id: `user:${user}` }, { $inc: { [path]: by } });
    if (field === 'open')
      await expect(check(`${user}-2`)).rejects.toMatchObject({ code: 'TOO_MANY_OPEN_HOLDS' });
    const run = (...asked: readonly string[]) =>
      runAlone(database.db.databaseName, '--subject', `user:${user}`, ...asked);
    const is = field === 'shares' ? 0 : 1;
    const line = `user:${user}: number of ${told.replace('… ', digest)}, is ${is + by}, but the document has ${is}`;
    expect(await run()).toEqual({ code: 1, lines: [line, '1 document and 1 row: 1 differ'] });
    const mended = [`${line}; mended`, '1 document and 1 row: 1 differ, 1 mended'];
    expect(await run('--repair')).toEqual({ code: 1, lines: mended });
    expect(await run()).toMatchObject({ code: 0 });
    expect(await check(`${user}-2`)).toMatchObject({ kind: 'allowed' });
  });

  it('names a sum beyond 2^53, and leaves it as it is', async () => {
    const { limits } = auditedLimitsOver(database.db, [LIFE]);
    await limits.check(checkOf({ orderId: 'far', subjects: { user: 'far' }, capture: true }));
    const far = 2 ** 53;
    await damageBuckets(database.db, 'user:far', [{ usedAmount: far }]);
    const asked = ['--subject', 'user:far', '--since', '1970-01-01T00:00:00Z', '--repair'];
    const { code, lines } = await runAlone(database.db.databaseName, ...asked);
    expect(code).toBe(1);
    expect(lines[0]).toMatch(
      /^user:far: used amount of counter .*, is above 9007199254740991 in the document or in its rows: no number is exact there, so it is neither compared nor repaired$/,
    );
    expect(lines.at(-1)).toBe('1 document and 1 row: 2 differ, 0 mended');
    expect((await bucketsIn(database.db, 'user:far'))[0]?.usedAmount).toBe(far + 100);
  });

  it('names a document that it cannot compare, and compares the others', async () => {
    const test = await connect();
    await makeIndexes(test.db);
    const { limits } = auditedLimitsOver(test.db, [LIFE]);
    for (const user of ['a', 'b', 'c'])
      await limits.check(checkOf({ orderId: user, subjects: { user }, capture: true }));
    await damageBuckets(test.db, 'user:c', [{ usedAmount: 5 }]);
    // Somebody damaged a row.
    await test.db.collection('audit').updateOne({ orderId: 'b' }, { $unset: { shares: 1 } });
    const asked = ['--since', '1970-01-01T00:00:00Z'];
    const { code, lines } = await runAlone(test.db.databaseName, ...asked);
    expect(code).toBe(2);
    expect(lines).toEqual([
      expect.stringMatching(/^user:b: not compared: /),
      expect.stringMatching(
        /^user:c: used amount of counter .* is 105, but its rows add up to 100/,
      ),
      '2 documents and 2 rows: 1 differ; 1 document not compared',
    ]);
    await test.db.dropDatabase();
    await test.client.close();
  });

  it('does not understand a day as an instant', async () => {
    const { code, lines } = await runReconcile('never', '--since', 'yesterday');
    expect(code).toBe(2);
    expect(lines[0]).toMatch(/^--since is "yesterday", expected an instant as RFC 3339/);
    expect(lines[1]).toBe('Run it with --help to see all options.');
  });

  it.each(['a second', '1s', 'PT61S'])('does not understand a wait of %s', async (wait) => {
    const { code, lines } = await runReconcile('never', '--wait', wait);
    expect(code).toBe(2);
    expect(lines[0]).toBe(
      `--wait is "${wait}", expected a duration of at most PT1M, such as PT1S.`,
    );
  });

  it('says of a document that was never there that it is not, for its name may be mistyped', async () => {
    const { limits } = auditedLimitsOver(database.db, [LIFE]);
    await limits.check(checkOf({ orderId: 'there', subjects: { user: 'there' } }));
    expect(await runReconcile(database.db.databaseName, '--subject', 'there')).toEqual({
      code: 2,
      lines: ['Not reconciled: there is no document there, and no row names it'],
    });
  });

  it('says that there is nothing to compare with', async () => {
    expect(await runReconcile('test-no-rows-at-all')).toEqual({
      code: 2,
      lines: [
        'Not reconciled: database test-no-rows-at-all has no audit rows to compare with: set AUDIT to best-effort or session',
      ],
    });
  });
});

/** How many rows each statement gave that asked for rows, and whether it was part of a transaction. */
function watchRows({ client }: TestDatabase) {
  const asked = new Map<number, boolean>();
  const seen: { readonly inTransaction: boolean; readonly rows: number }[] = [];
  client.on('commandStarted', ({ requestId, command }) => {
    if (command.find === 'audit') asked.set(requestId, command.autocommit === false);
  });
  client.on('commandSucceeded', ({ requestId, reply }) => {
    const inTransaction = asked.get(requestId);
    const { cursor } = reply as { readonly cursor: { readonly firstBatch: readonly unknown[] } };
    if (inTransaction !== undefined) seen.push({ inTransaction, rows: cursor.firstBatch.length });
  });
  return seen;
}

describe('a document of many rows', () => {
  const watched = useDatabase({ monitorCommands: true });
  const HOUR_MS = 3_600_000;
  const MINUTE: ModelRule = { ...LIFE, window: { rollingMs: 60_000, stepMs: 1_000 } };

  it('is read in pages, and only its newest rows in a transaction, which ends after a minute', async () => {
    const { limits } = auditedLimitsOver(watched.db, [LIFE]);
    const subjects = { user: 'paged' };
    const before = new Date(Date.now() - HOUR_MS);
    for (let n = 0; n < 7; n++)
      await limits.check(checkOf({ orderId: `paged-${n}`, subjects, capture: true }), before);
    await limits.check(checkOf({ orderId: 'paged-now', subjects, capture: true }));
    const seen = watchRows(watched);
    const looks = await lookAt(watched.db, ['user:paged'], { lateMs: 0, pageRows: 3 });
    expect(looks.get('user:paged')).toMatchObject({ differences: [], rows: 8 });
    const rowsOf = (inside: boolean) =>
      seen.filter(({ inTransaction }) => inTransaction === inside).map(({ rows }) => rows);
    expect(rowsOf(false)).toEqual([3, 3, 1]);
    expect(rowsOf(true)).toEqual([1]);
  });

  it('is read as far as rows touch windows in force, and no settled order hides a difference', async () => {
    const { limits } = auditedLimitsOver(watched.db, [MINUTE]);
    const subjects = { user: 'over' };
    const before = new Date(Date.now() - HOUR_MS);
    for (let n = 0; n < 5; n++) {
      const orderId = `over-${n}`;
      // The hold of the last outlasts its window, and now.
      const holdMs = n === 4 ? 2 * HOUR_MS : 60_000;
      await limits.check(checkOf({ orderId, subjects, holdMs }), before);
      await limits.confirm(orderOf(orderId, subjects), before);
    }
    const look = async () =>
      (await lookAt(watched.db, ['user:over'], { lateMs: 0 })).get('user:over');
    expect(await look()).toMatchObject({ differences: [], rows: 1 });
    await limits.check(checkOf({ orderId: 'over-now', subjects, capture: true }));
    await damageBuckets(watched.db, 'user:over', [{}, { usedAmount: 50 }]);
    expect(await look()).toMatchObject({
      differences: [{ sum: 'usedAmount', stored: 150, expected: 100 }],
      rows: 2,
    });
  });
});

describe('what lasts over several looks', () => {
  const at = new Date('2026-03-02T00:00:00.000Z');
  const bucket = { counter: 'c', start: at, until: new Date('2026-03-03T00:00:00.000Z') };
  const more = (by: number): Difference => ({
    kind: 'sum',
    bucket,
    sum: 'usedAmount',
    stored: 100 + by,
    expected: 100,
  });

  it.each([
    { looks: [[more(5)], []], lasts: [], why: 'its row came' },
    { looks: [[], [more(5)]], lasts: [], why: 'it has just begun' },
    { looks: [[more(5)], [more(5)]], lasts: [more(5)], why: 'nothing explains it' },
    { looks: [[more(9)], [more(5)], [more(5)]], lasts: [more(5)], why: 'a row was on its way' },
    { looks: [[more(-5)], [more(-5)], [more(-3)]], lasts: [more(-5)], why: 'most have it so' },
  ])('$looks gives $lasts, because $why', ({ looks, lasts }) => {
    expect(lasting(looks)).toEqual(lasts);
  });
});
