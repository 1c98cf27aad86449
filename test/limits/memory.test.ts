import { describe, expect, it } from 'vitest';
import type { ManyResult } from '../../lib/limits/many.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { useDatabase } from '../support/database.ts';
import { PLAIN_OFF, PLAIN_ON } from '../support/lanes.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  orderOf,
  tidyingNonce,
  recordOf,
} from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { patientCounters } from '../support/patient-counters.ts';

const database = useDatabase();

const SUBJECTS = { user: 'u-1' };
const RULES = [
  { ...USER_DAY, max: { count: 1_000 } },
  { ...USER_DAY, id: 'dollars', currency: 'USD', max: { count: 1_000 } },
];
const seconds = (after: number): Date => new Date(Date.UTC(2026, 2, 2, 10, 0, after));

const ENGINES: readonly { readonly engine: string; readonly store: () => CounterStore }[] = [
  { engine: 'in mingo', store: () => mingoStore() },
  { engine: 'in mingo, the plain lane first', store: () => mingoStore({ lanes: PLAIN_ON }) },
  { engine: 'in mingo, the general lane alone', store: () => mingoStore({ lanes: PLAIN_OFF }) },
  {
    engine: 'on the database',
    store: () => patientCounters(database.db.collection<{ _id: string }>(`memory-${++stores}`)),
  },
];
let stores = 0;

const captured = (orderId: string, more: Partial<CheckRequest> = {}): CheckRequest =>
  checkOf({ orderId, subjects: SUBJECTS, capture: true, ...more });
const recorded = (orderId: string) =>
  recordOf({ orderId, subjects: SUBJECTS, happenedAt: seconds(-60) });
const batch = (from: number, orders: number): readonly CheckRequest[] =>
  Array.from({ length: orders }, (_, index) => captured(`o-${from + index}`));
const uncaptured = (order: CheckRequest): CheckRequest => ({ ...order, capture: false });
const confirms = (requests: readonly CheckRequest[]) =>
  requests.map(({ orderId }) => ({ ...orderOf(orderId, SUBJECTS), to: 'confirmed' as const }));

/** Says of each order whether it was answered as a repeat, or the code of its error. */
function told(results: readonly ManyResult<object>[]): readonly unknown[] {
  return results.map((result) => {
    if (result.kind === 'answered') return 'repeated' in result.answer && result.answer.repeated;
    return result.error instanceof Error && 'code' in result.error ? result.error.code : 'broken';
  });
}

async function usedCount(limits: Limits, at: Date): Promise<number> {
  const { rules } = await limits.usage({ appId: 'default', subjects: SUBJECTS }, at);
  return rules.reduce((sum, { used }) => sum + (used?.count ?? 0), 0);
}

describe.each(ENGINES)('a call of many, $engine', ({ store }) => {
  /** Home remembers 100 orders, all of them counted; `o-0` is the oldest. */
  const fullMemory = async (): Promise<Limits> => {
    const limits = limitsOver(store(), RULES);
    await limits.checkMany(batch(0, 100), false, seconds(0));
    return limits;
  };

  it.each([
    { beside: captured('new'), why: 'what it counts at once would be remembered in its place' },
    {
      beside: captured('new', { currency: 'USD' }),
      why: 'other rules take an update of their own',
    },
    { beside: checkOf({ orderId: 'new', subjects: SUBJECTS }), why: 'a hold lapsed meanwhile' },
  ])(
    'knows the oldest order that home remembers, beside $beside.currency, because $why',
    async ({ beside }) => {
      const limits = await fullMemory();
      await limits.check(
        checkOf({ orderId: 'cart', subjects: SUBJECTS, holdMs: 1_000 }),
        seconds(1),
      );
      const call = [beside, captured('o-0')];
      expect(told(await limits.checkMany(call, false, seconds(10)))).toEqual([false, true]);
      expect(told(await limits.checkMany(call, false, seconds(11)))).toEqual([true, true]);
      expect(await usedCount(limits, seconds(12))).toBe(beside.capture ? 101 : 100);
    },
  );

  it('refuses other content of an order beside others as it does alone', async () => {
    const limits = await fullMemory();
    const other = captured('o-0', { amountMinor: 700 });
    const call = [other, captured('new')];
    expect(told(await limits.checkMany(call, false, seconds(1)))).toEqual(['ORDER_REUSED', false]);
  });

  it('counts 150 payments that come as 100, and then 50 of these beside 50 new ones', async () => {
    const limits = limitsOver(store(), RULES);
    await limits.checkMany(batch(0, 100), false, seconds(0));
    const again = await limits.checkMany([...batch(0, 50), ...batch(100, 50)], false, seconds(1));
    expect(told(again).filter((isRepeated) => isRepeated === true)).toHaveLength(50);
    expect(await usedCount(limits, seconds(2))).toBe(150);
  });

  it('is repeated whole, though its orders have rules of their own and are counted at once', async () => {
    const limits = limitsOver(store(), RULES);
    const call = batch(0, 100).map((order, index) =>
      index % 50 < 25 ? order : { ...order, currency: 'USD' },
    );
    await limits.checkMany(call, false, seconds(0));
    const again = await limits.checkMany(call, false, seconds(1));
    expect(new Set(told(again))).toEqual(new Set([true]));
    expect(await usedCount(limits, seconds(2))).toBe(100);
  });

  it.each([1, 100])('is repeated whole after one other call of %i', async (others) => {
    const limits = limitsOver(store(), RULES);
    const [paid, held] = [batch(0, 100), batch(100, 100).map(uncaptured)];
    await limits.checkMany(paid, false, seconds(0));
    await limits.checkMany(batch(200, others), false, seconds(1));
    expect(new Set(told(await limits.checkMany(paid, false, seconds(2))))).toEqual(new Set([true]));
    await limits.checkMany(held, false, seconds(3));
    await limits.settleMany(confirms(held), seconds(4));
    await limits.checkMany(batch(300, others), false, seconds(5));
    const again = await limits.settleMany(confirms(held), seconds(6));
    expect(new Set(told(again))).toEqual(new Set([true]));
    expect(await usedCount(limits, seconds(7))).toBe(200 + 2 * others);
  });

  it('records what home knows once, and what it does not', async () => {
    const limits = limitsOver(store(), RULES);
    const old = Array.from({ length: 100 }, (_, index) => recorded(`o-${index}`));
    await limits.recordMany(old, seconds(0));
    const again = await limits.recordMany([recorded('new'), recorded('o-0')], seconds(1));
    expect(told(again)).toEqual([false, true]);
    expect(await usedCount(limits, seconds(2))).toBe(101);
  });

  it('of settlements is answered the same at once again', async () => {
    const limits = await fullMemory();
    await limits.check(checkOf({ orderId: 'held', subjects: SUBJECTS }), seconds(1));
    const call = confirms([captured('o-0'), captured('held')]);
    expect(told(await limits.settleMany(call, seconds(2)))).toEqual([true, false]);
    expect(told(await limits.settleMany(call, seconds(3)))).toEqual([true, true]);
  });
});

describe.each(ENGINES)('holds that nobody settles, $engine', ({ store }) => {
  const carts = (orders: number): readonly CheckRequest[] =>
    Array.from({ length: orders }, (_, index) =>
      checkOf({ orderId: `cart-${index}`, subjects: SUBJECTS, amountMinor: 0, holdMs: 1_000 }),
    );

  it('push no payment out of what home remembers, however many they are', async () => {
    const limits = limitsOver(store(), RULES, { nonce: tidyingNonce });
    await limits.check(captured('paid'), seconds(0));
    await limits.checkMany(carts(100), false, seconds(1));
    await limits.check(captured('next'), seconds(5)); // releases them
    await limits.check(captured('after'), seconds(6));
    expect(await limits.check(captured('paid'), seconds(7))).toMatchObject({ repeated: true });
    expect(await usedCount(limits, seconds(8))).toBe(3);
  });

  it('are confirmed late as long as 100 later ones have not expired, however many payments came since', async () => {
    const limits = limitsOver(store(), RULES, { nonce: tidyingNonce });
    const all = carts(152);
    for (const [call, some] of [all.slice(0, 52), all.slice(52, 151), all.slice(151)].entries()) {
      await limits.checkMany(some, false, seconds(10 * call));
      for (let next = 0; next < 2; next++)
        await limits.checkMany(batch(200 * call + 100 * next, 100), false, seconds(10 * call + 5));
    }
    const late = await limits.settleMany(confirms(all.slice(50, 52)), seconds(39));
    expect(told(late)).toEqual(['FORGOTTEN', false]);
    expect(late[1]).toMatchObject({ answer: { late: true } });
  });
});
