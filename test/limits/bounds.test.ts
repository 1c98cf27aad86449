import { Long } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { bucketName } from '../../lib/counter/name.ts';
import type { Lane } from '../../lib/document/counter-store.ts';
import { learningLanes } from '../../lib/document/statements.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { countersWithoutCommits, mingoStatements } from '../support/mingo-store.ts';
import { ESTIMATE } from '../support/statement-asks.ts';
import { CrashError, crashingStore } from '../support/crashing-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  orderOf,
  tidyingNonce,
  reservationOf,
  byReservation,
} from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { heldIn } from '../support/held.ts';

const database = useDatabase();
const AT = new Date('2026-03-02T10:00:00.000Z');
/** Holds of AT are over. */
const LATER = new Date('2026-03-02T10:20:00.000Z');

describe('open holds', () => {
  it('are at most as many with one call of many, and none of it is one too many', async () => {
    const subjects = { user: 'many' };
    const limits = limitsOver(database.db, [], { openHoldsMax: 3, onNoRule: 'allow' });
    await limits.check(checkOf({ orderId: 'o-0', subjects }), AT);
    const orders = ['o-1', 'o-2', 'o-3'].map((orderId) => checkOf({ orderId, subjects }));
    const told = await limits.checkMany(orders, false, AT);
    expect(told).toMatchObject([
      { kind: 'answered', answer: { kind: 'allowed' } },
      { kind: 'answered', answer: { kind: 'allowed' } },
      { kind: 'failed', error: { code: 'TOO_MANY_OPEN_HOLDS' } },
    ]);
    await expect(limits.check(checkOf({ orderId: 'o-4', subjects }), AT)).rejects.toThrow(
      'user "many" has 3 open holds, the most that it may have (MAX_OPEN_HOLDS): confirm or roll back some, or wait until they expire. A captured order needs none',
    );
  });

  it.each([
    { mode: 'steps', inOneCommit: false },
    { mode: 'one commit', inOneCommit: true },
  ])(
    'have their last place in a call with captured orders, which need none: $mode',
    async (row) => {
      const rules: readonly ModelRule[] = [{ ...USER_DAY, per: ['merchant'], max: { count: 9 } }];
      const { mode, inOneCommit } = row;
      const limits = limitsOver(database.db, rules, { openSharesMax: 1, inOneCommit });
      const orders = [true, false, true].map((capture, index) =>
        checkOf({
          ...{ orderId: `${mode} ${index}`, capture },
          subjects: { user: `${mode} ${index}`, merchant: mode },
        }),
      );
      const allowed = { kind: 'answered', answer: { kind: 'allowed' } };
      expect(await limits.checkMany(orders.slice(0, 1), false, AT)).toMatchObject([allowed]);
      expect(await limits.checkMany(orders, false, AT)).toMatchObject([allowed, allowed, allowed]);
      const subjects = { user: `${mode} 3`, merchant: mode };
      await expect(
        limits.check(checkOf({ orderId: `${mode} 3`, subjects }), AT),
      ).rejects.toMatchObject({
        code: 'TOO_MANY_OPEN_HOLDS',
        message: `merchant "${mode}" has 1 open hold, the most that it may have (MAX_OPEN_SHARES): confirm or roll back some, or wait until they expire. A captured order needs none`,
      });
    },
  );
});

describe('a subject beside home with nearly as many open holds as it may have', () => {
  it.each([
    { mode: 'steps', inOneCommit: false },
    { mode: 'one commit', inOneCommit: true },
  ])('is told from four fifths on, and home is not: $mode', async ({ mode, inOneCommit }) => {
    const crowded: unknown[] = [];
    const limits = limitsOver(database.db, [{ ...USER_DAY, per: ['merchant'] }], {
      openSharesMax: 5,
      openHoldsMax: 5,
      inOneCommit,
      onCrowded: (one) => crowded.push(one),
    });
    const subjects = { user: `crowded ${mode}`, merchant: `crowded ${mode}` };
    const hold = (orderId: string) => limits.check(checkOf({ orderId, subjects }), AT);
    for (const orderId of ['o-1', 'o-2', 'o-3']) await hold(orderId);
    expect(crowded).toEqual([]);
    await hold('o-4');
    expect(crowded).toEqual([{ of: 'shares', kind: 'merchant', open: 4, most: 5 }]);
  });
});

describe('a merchant whose customers leave holds open for a week', () => {
  const WEEK_MS = 604_800_000;
  const RULES: readonly ModelRule[] = [
    { ...USER_DAY, max: { amount: 5_000_000 } },
    { ...USER_DAY, id: 'shop-day', per: ['merchant'], max: { amount: 500_000_000 } },
  ];

  /** Hundreds of checks of nothing by one user; how many of them are held. */
  async function attack(limits: Limits, user: string, merchant: string, calls: number) {
    let held = 0;
    for (let call = 0; call < calls; call++) {
      const orders = Array.from({ length: 100 }, (_, index) => {
        const orderId = `${user}-${call}-${index}`;
        return checkOf({ orderId, amountMinor: 0, holdMs: WEEK_MS, subjects: { user, merchant } });
      });
      const told = await limits.checkMany(orders, false, AT);
      held += told.filter((one) => one.kind === 'answered' && one.answer.kind === 'allowed').length;
    }
    return held;
  }

  it('is closed to nobody by one of them', async () => {
    const limits = limitsOver(database.db, RULES);
    expect(await attack(limits, 'thief', 'shop-1', 5)).toBe(100);
    const subjects = { user: 'honest', merchant: 'shop-1' };
    const check = checkOf({ orderId: 'o-1', subjects });
    expect(await limits.check({ ...check, dryRun: true }, AT)).toMatchObject({ kind: 'allowed' });
    expect(await limits.check(check, AT)).toMatchObject({ kind: 'allowed' });
  });

  it('is closed by twenty of them to new holds alone', async () => {
    const limits = limitsOver(database.db, RULES);
    for (let user = 0; user < 20; user++) await attack(limits, `thief-${user}`, 'shop-2', 1);
    const subjects = { user: 'late', merchant: 'shop-2' };
    const held = checkOf({ orderId: 'o-1', subjects });
    const refused = { code: 'TOO_MANY_OPEN_HOLDS' };
    await expect(limits.check({ ...held, dryRun: true }, AT)).rejects.toMatchObject(refused);
    await expect(limits.check(held, AT)).rejects.toMatchObject(refused);
    expect(await limits.check({ ...held, capture: true }, AT)).toMatchObject({ kind: 'allowed' });
    const payout = checkOf({ orderId: 'o-2', subjects: { merchant: 'shop-2' } });
    expect(await limits.check(payout, AT)).toMatchObject({ kind: 'allowed' });
    const later = new Date(AT.getTime() + WEEK_MS + 2_000);
    expect(await limits.check({ ...held, orderId: 'o-3' }, later)).toMatchObject({
      kind: 'allowed',
    });
  });
});

/** A document with buckets of other counters that count until an instant, as checks leave it. */
async function insertBuckets(_id: string, buckets: number, until: Date): Promise<void> {
  const sums = { n: Long.ONE, un: Long.ONE };
  const names = Array.from({ length: buckets }, (_, index) => {
    const counter = `c${index}`.padEnd(10, '_');
    return bucketName({ counter, start: AT, until });
  });
  await storedCounters(database.db).insertOne({
    _id,
    b: Object.fromEntries(names.map((name) => [name, sums])),
    expireAt: until,
  });
}

/** Holds that lapsed a moment ago, in all buckets of a document: nothing else is in them. */
async function lapseAll(_id: string): Promise<void> {
  const names = await bucketsOf(_id);
  const counters = storedCounters(database.db);
  const [none, one] = [Long.ZERO, Long.ONE];
  const holds = names.map((name, index) => ({
    ...{ id: `default:h-${index}`, nonce: `nonce-${index}`, digest: '-'.repeat(16) },
    ...{ a: none, n: one, until: AT, b: name },
  }));
  const sums = { n: one };
  const b = Object.fromEntries(names.map((name) => [name, sums]));
  await counters.updateOne({ _id }, { $set: { b, ...heldIn(holds) } });
}

async function bucketsOf(_id: string): Promise<readonly string[]> {
  const found = await storedCounters(database.db).findOne({ _id });
  return Object.keys(found?.b as object); // a map by name
}

describe('buckets', () => {
  it('are at most 1,000 a document, and those that ended make room', async () => {
    const until = new Date(AT.getTime() + 60_000);
    await insertBuckets('user:buckets', 1_000, until);
    const subjects = { user: 'buckets' };
    const limits = limitsOver(database.db, [USER_DAY]);
    await expect(limits.check(checkOf({ orderId: 'o-1', subjects }), AT)).rejects.toMatchObject({
      code: 'TOO_MANY_BUCKETS',
      message: expect.stringMatching(
        /^user "buckets" has no room for another window. It has at most 1000,/,
      ) as string,
    });
    const paid = checkOf({ orderId: 'o-2', subjects });
    expect(await limits.recordMany([{ ...paid, happenedAt: AT }], AT)).toMatchObject([
      { kind: 'failed', error: { code: 'TOO_MANY_BUCKETS' } },
    ]);
    expect(await limits.check(checkOf({ orderId: 'o-1', subjects }), until)).toMatchObject({
      kind: 'allowed',
    });
    expect(await bucketsOf('user:buckets')).toHaveLength(1);
  });

  it('are at most as many where conditional updates make most of them', async () => {
    const until = new Date(AT.getTime() + 86_400_000);
    await insertBuckets('user:plain', 850, until);
    const lanes: Lane[] = [];
    const counters = patientCounters(database.db, {
      lanes: learningLanes((lane) => lanes.push(lane)),
    });
    const perMerchant: ModelRule = { ...USER_DAY, per: ['user', 'merchant'] };
    const rules = [perMerchant, { ...USER_DAY, id: 'own', match: { type: 'OWN' } }];
    const limits = limitsOver(counters, rules);
    const capture = (index: number) =>
      limits.check(
        checkOf({
          orderId: `o-${index}`,
          subjects: { user: 'plain', merchant: `m-${index}` },
          capture: true,
        }),
        AT,
      );
    for (let index = 0; index < 100; index++)
      expect(await capture(index)).toMatchObject({ kind: 'allowed' });
    expect(lanes.filter((lane) => lane === 'plain').length).toBe(100);
    expect(await bucketsOf('user:plain')).toHaveLength(950);
    await expect(capture(100)).rejects.toMatchObject({ code: 'TOO_MANY_BUCKETS' });
    expect(await bucketsOf('user:plain')).toHaveLength(950);
    // A pair that is known passes, and so does an order of the user alone: pairs fill only their part.
    const known = { user: 'plain', merchant: 'm-1' };
    for (const [orderId, subjects, type] of [
      ['known', known, 'PAYMENT'],
      ['both', known, 'OWN'],
      ['alone', { user: 'plain' }, 'OWN'],
    ] as const)
      expect(await limits.check(checkOf({ orderId, subjects, type }), AT)).toMatchObject({
        kind: 'allowed',
      });
    const paid = checkOf({ orderId: 'paid', subjects: { user: 'plain', merchant: 'm-new' } });
    const also = checkOf({ orderId: 'also', subjects: { user: 'plain' }, type: 'OWN' });
    const records = [paid, also].map((one) => ({ ...one, happenedAt: AT }));
    expect(await limits.recordMany(records, AT)).toMatchObject([
      { kind: 'failed', error: { code: 'TOO_MANY_BUCKETS' } },
      { kind: 'answered' },
    ]);
    expect(await bucketsOf('user:plain')).toHaveLength(951);
  });

  it('of pairs are told from four fifths of theirs on: not those of one subject, nor those that are over', async () => {
    const tomorrow = new Date(AT.getTime() + 86_400_000);
    await insertBuckets('user:told', 758, tomorrow);
    const crowded: unknown[] = [];
    const lanes: Lane[] = [];
    const counters = patientCounters(database.db, {
      lanes: learningLanes((lane) => lanes.push(lane)),
    });
    const rules: readonly ModelRule[] = [
      { ...USER_DAY, per: ['user', 'merchant'] },
      { ...USER_DAY, id: 'own', match: { type: 'OWN' } },
    ];
    const limits = limitsOver(counters, rules, {
      nonce: tidyingNonce, // of others one in eight sees all
      onCrowded: (one) => crowded.push(one),
    });
    const check = (orderId: string, merchant: string, at: Date, type = 'PAYMENT') =>
      limits.check(checkOf({ orderId, subjects: { user: 'told', merchant }, type }), at);
    await check('o-1', 'm-1', AT);
    await check('o-2', 'm-1', AT, 'OWN');
    expect(await bucketsOf('user:told')).toHaveLength(760);
    expect(crowded).toEqual([]);
    await check('o-3', 'm-2', AT);
    expect(crowded).toEqual([{ of: 'pairs', kind: 'user', windows: 760, most: 950 }]);
    await check('o-4', 'm-3', tomorrow);
    expect(crowded).toHaveLength(1);
    expect(lanes).toEqual(['plain', 'plain', 'plain', 'plain']);
  });

  it.each([
    { documents: 'one', ofMerchant: [] },
    { documents: 'several', ofMerchant: [{ ...USER_DAY, id: 'merchant', per: ['merchant'] }] },
  ] as const)('of pairs are told, too, where they refuse an order: of $documents', async (row) => {
    const { documents, ofMerchant } = row;
    const user = `refused-${documents}`;
    await insertBuckets(`user:${user}`, 950, new Date(AT.getTime() + 86_400_000));
    const crowded: unknown[] = [];
    const rules: readonly ModelRule[] = [{ ...USER_DAY, per: ['user', 'merchant'] }, ...ofMerchant];
    const limits = limitsOver(database.db, rules, { onCrowded: (one) => crowded.push(one) });
    const check = checkOf({ orderId: 'o-1', subjects: { user, merchant: user } });
    await expect(limits.check(check, AT)).rejects.toMatchObject({ code: 'TOO_MANY_BUCKETS' });
    expect(crowded).toContainEqual({ of: 'pairs', kind: 'user', windows: 950, most: 950 });
  });

  it('of pairs leave what rules of their subject alone may need', async () => {
    const until = new Date(AT.getTime() + 86_400_000);
    await insertBuckets('user:needed', 799, until);
    const hours = { rollingMs: 86_400_000, stepMs: 432_000 };
    const limits = limitsOver(database.db, [
      { ...USER_DAY, per: ['user', 'merchant'] },
      { ...USER_DAY, id: 'rolling', window: hours, match: { type: 'OWN' } }, // of 200 steps, and one that leaves
    ]);
    const pair = (merchant: string) =>
      limits.check(
        checkOf({ orderId: merchant, subjects: { user: 'needed', merchant }, type: 'PAYMENT' }),
        AT,
      );
    await expect(pair('m-1')).rejects.toMatchObject({ code: 'TOO_MANY_BUCKETS' });
    const own = checkOf({ orderId: 'own', subjects: { user: 'needed' }, type: 'OWN' });
    expect(await limits.check(own, AT)).toMatchObject({ kind: 'allowed' });
  });

  it('that hold nothing but what lapsed make room, in a dry run and over several documents too', async () => {
    const subjects = { user: 'lapsed', merchant: 'm-1' };
    const until = new Date(AT.getTime() + 86_400_000);
    await insertBuckets('user:lapsed', 1_000, until);
    await lapseAll('user:lapsed');
    const perMerchant: ModelRule = { ...USER_DAY, id: 'merchant-day', per: ['merchant'] };
    const limits = limitsOver(database.db, [USER_DAY, perMerchant]);
    const order = checkOf({ orderId: 'o-1', subjects });
    expect(await limits.check({ ...order, dryRun: true }, AT)).toMatchObject({ kind: 'allowed' });
    expect(await limits.check(order, AT)).toMatchObject({ kind: 'allowed' });
    expect(await bucketsOf('user:lapsed')).toHaveLength(1);
  });

  it('that nothing but its own order left, when its caller died, make room for it', async () => {
    await insertBuckets('merchant:own', 999, new Date(AT.getTime() + 86_400_000));
    const window = { rollingMs: 3_600_000, stepMs: 60_000 };
    const perMerchant: ModelRule = { ...USER_DAY, id: 'merchant-hour', per: ['merchant'], window };
    const store = crashingStore(patientCounters(database.db));
    const limits = limitsOver(store.counters, [USER_DAY, perMerchant]);
    store.crash({ at: 1, moment: 'after' }); // both read, held by the merchant
    const order = checkOf({ orderId: 'o-1', subjects: { user: 'own', merchant: 'own' } });
    await expect(limits.check(order, AT)).rejects.toBeInstanceOf(CrashError);
    store.crash();
    const nextStep = new Date(AT.getTime() + 60_000);
    const other = checkOf({ orderId: 'o-2', subjects: { merchant: 'own' } });
    await expect(limits.check(other, nextStep)).rejects.toMatchObject({ code: 'TOO_MANY_BUCKETS' });
    expect(await limits.check({ ...order, dryRun: true }, nextStep)).toMatchObject({
      kind: 'allowed',
    });
    expect(await limits.check(order, nextStep)).toMatchObject({ kind: 'allowed' });
  });

  it('that lapsed holds left empty are made again: of an atomic call, too, the last is one too many', async () => {
    const [user, merchant] = ['atomic', 'm-1'];
    await insertBuckets('user:atomic', 999, new Date(AT.getTime() + 86_400_000));
    const limits = limitsOver(database.db, [
      USER_DAY,
      { ...USER_DAY, id: 'pair-day', per: ['user', 'merchant'] },
    ]);
    const before = new Date(AT.getTime() - 900_000); // its hold lapses now
    await limits.check(checkOf({ orderId: 'o-0', subjects: { user } }), before);
    const orders = [
      checkOf({ orderId: 'o-1', subjects: { user } }),
      checkOf({ orderId: 'o-2', subjects: { user, merchant } }),
    ];
    expect(await limits.checkMany(orders, true, AT)).toMatchObject([
      { kind: 'failed', error: { code: 'NOT_ALL_ALLOWED' } },
      { kind: 'failed', error: { code: 'TOO_MANY_BUCKETS' } },
    ]);
  });
});

it('the sum of a counter stays where it is exact: beyond 2^53 - 1 the answer is an error, and nothing is counted', async () => {
  const subjects = { user: 'sum' };
  const largest = 1_000_000_000_000_000;
  const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 100 } }]);
  for (let index = 0; index < 9; index++)
    await limits.check(checkOf({ orderId: `o-${index}`, subjects, amountMinor: largest }), AT);
  await expect(
    limits.check(checkOf({ orderId: 'o-9', subjects, amountMinor: largest }), AT),
  ).rejects.toMatchObject({ code: 'COUNTER_FULL' });
  const fits = checkOf({ orderId: 'o-9', subjects, amountMinor: 7_199_254_740_991 });
  const answer = await limits.check(fits, AT);
  expect(answer).toMatchObject({
    kind: 'allowed',
    rules: [{ held: { amountMinor: 9_007_199_254_740_991, count: 10 } }],
  });
});

it('what lowers a sum leaves it where it is exact: the answer is the same error', async () => {
  const subjects = { user: 'level' };
  const most = 1_000_000_000_000_000;
  const { currency: _, ...inAny } = USER_DAY;
  const limits = limitsOver(database.db, [
    {
      ...USER_DAY,
      max: { amount: most },
      counts: { not: { type: 'PAYOUT' } },
      minus: { is: { type: 'PAYOUT' } },
    },
    { ...inAny, id: 'any', max: { count: 100 } },
  ]);
  const captured = (orderId: string, amountMinor: number, type: string) =>
    limits.check(checkOf({ orderId, subjects, amountMinor, capture: true, type }), AT);
  const both = async (index: number) => {
    await captured(`in-${index}`, most, 'TOPUP');
    return captured(`out-${index}`, most, 'PAYOUT');
  };
  for (let index = 0; index < 9; index++)
    expect(await both(index)).toMatchObject({ kind: 'allowed' });
  await expect(both(9)).rejects.toMatchObject({ code: 'COUNTER_FULL' });
});

it('no confirm takes a sum above what is kept exactly: neither a larger one, nor one that comes late', async () => {
  const largest = 1_000_000_000_000_000;
  const rules = [USER_DAY, { ...USER_DAY, id: 'merchant-day', per: ['merchant'] as const }];
  const limits = limitsOver(
    database.db,
    rules.map((rule) => ({ ...rule, max: { count: 100 } })),
  );
  const subjects = { user: 'largest', merchant: 'largest' };
  const both = (orderId: string) => orderOf(orderId, subjects);
  for (let index = 0; index < 10; index++)
    await limits.check(checkOf({ orderId: `o-${index}`, subjects, amountMinor: 0 }), AT);
  for (let index = 0; index < 9; index++)
    await limits.confirm({ ...both(`o-${index}`), amountMinor: largest }, AT);
  for (const at of [AT, LATER])
    await expect(
      limits.confirm({ ...both('o-9'), amountMinor: largest }, at),
    ).rejects.toMatchObject({
      code: 'COUNTER_FULL',
    });
  const fits = { ...both('o-9'), amountMinor: 7_199_254_740_991 };
  expect(await limits.confirm(fits, AT)).toMatchObject({ repeated: false });
  const { rules: usage } = await limits.usage({ appId: 'default', subjects }, AT);
  expect(usage.map(({ used }) => used?.amountMinor)).toEqual([
    ...[9_007_199_254_740_991, 9_007_199_254_740_991],
  ]);
  // A second user's document counts what the merchant's cannot. Each order of a call is told as if it came alone.
  const second = { user: 'second', merchant: 'largest' };
  const asked = [0, 1].map((minor) => ({
    ...orderOf(`second-${minor}`, second),
    amountMinor: minor,
  }));
  for (const { orderId } of asked)
    await limits.check(checkOf({ orderId, subjects: second, amountMinor: 0 }), AT);
  const told = await limits.settleMany(
    asked.map((one) => ({ ...one, to: 'confirmed' as const })),
    AT,
  );
  expect(told).toMatchObject([
    { kind: 'answered', answer: { amount: 0, repeated: false } },
    { kind: 'answered', answer: { amount: 1, uncounted: ['merchant:largest'] } },
  ]);
  expect(told[0]).not.toHaveProperty('answer.uncounted', expect.anything());
});

it('rules that apply to one check are at most 50', async () => {
  const rules = Array.from({ length: 51 }, (_, index) => ({ ...USER_DAY, id: `rule-${index}` }));
  const subjects = { user: 'rules' };
  const many = limitsOver(database.db, rules);
  await expect(many.check(checkOf({ orderId: 'o-1', subjects }), AT)).rejects.toMatchObject({
    code: 'TOO_MANY_RULES',
  });
  const most = limitsOver(database.db, rules.slice(1));
  const answer = await most.check(checkOf({ orderId: 'o-1', subjects }), AT);
  expect(answer).toMatchObject({ kind: 'allowed' });
});

it('the memory of a document keeps 100 outcomes from before a call; of an older order it says that it forgot', async () => {
  const subjects = { user: 'memory' };
  const rules = [{ ...USER_DAY, max: { count: 1_000 } }];
  const limits = limitsOver(database.db, rules, { nonce: tidyingNonce });
  const capture = (orderId: string) =>
    limits.check(checkOf({ orderId, subjects, capture: true }), AT);
  const confirm = (orderId: string) => limits.confirm(orderOf(orderId, subjects), AT);
  const token = reservationOf(await capture('o-0'));
  for (let index = 1; index < 100; index++) await capture(`o-${index}`);
  await expect(confirm('never')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  // Half as many again, and one more: the tidy cuts them.
  for (let index = 100; index < 150; index++) await capture(`o-${index}`);
  expect(await confirm('o-0')).toMatchObject({ repeated: true });
  await capture('o-150');
  await expect(confirm('o-49')).rejects.toMatchObject({ code: 'FORGOTTEN' });
  expect(await confirm('o-50')).toMatchObject({ repeated: true });
  await expect(limits.rollback(byReservation('o-0', token), AT)).rejects.toMatchObject({
    code: 'FORGOTTEN',
  });
});

it('a call of two orders where one place is left holds both if the other place is given back while the first is added', async () => {
  const statements = mingoStatements(new Map(), () => ESTIMATE);
  let isArmed = false;
  const counters = countersWithoutCommits({
    ...statements,
    find: async (...asked) => {
      const found = await statements.find(...asked);
      if (!isArmed) return found;
      isArmed = false;
      await limits.rollback(orderOf('o-1', { user: 'u-1' }), ESTIMATE);
      return found;
    },
  });
  const limits = limitsOver(counters, [USER_DAY], { openHoldsMax: 2 });
  const checkFor = (orderId: string) => checkOf({ orderId, subjects: { user: 'u-1' } });
  await limits.check(checkFor('o-1'), ESTIMATE);
  isArmed = true;
  const told = await limits.checkMany([checkFor('o-2'), checkFor('o-3')], false, ESTIMATE);
  expect(told).toMatchObject([{ answer: { kind: 'allowed' } }, { answer: { kind: 'allowed' } }]);
});
