import { beforeEach, describe, expect, it } from 'vitest';
import { NotAllAllowedError } from '../../lib/shared/errors.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { useDatabase } from '../support/database.ts';
import { checkOf, limitsOver, orderOf, USER_DAY } from '../support/limits-fixture.ts';
import { openHoldsOf } from '../support/held.ts';
import { countersIn } from '../support/stored-buckets.ts';

const database = useDatabase();
const HOT = { ...USER_DAY, max: { count: 150, amount: 1_000_000 } };
const MERCHANT = { ...HOT, id: 'merchant-day', per: ['merchant'] as [string], max: { count: 3 } };

let limits: Limits;
beforeEach(async () => {
  await database.db.collection('counters').deleteMany({});
  limits = limitsOver(database.db, [HOT], { openHoldsMax: 300 });
});

const batch = (name: string, orders: number, subjects = { user: 'u-1' }): CheckRequest[] =>
  Array.from({ length: orders }, (_, index) => checkOf({ orderId: `${name}-${index}`, subjects }));
const kinds = (results: Awaited<ReturnType<Limits['checkMany']>>): string[] =>
  results.map((result) => (result.kind === 'answered' ? result.answer.kind : 'failed'));
const stored = (): Promise<unknown> => countersIn(database.db);
/** The sums of a document's buckets, in the order of their names. */
const sums = async (_id: string): Promise<unknown[]> => {
  const counters = database.db.collection<{ _id: string; b?: Record<string, unknown> }>('counters');
  return Object.values((await counters.findOne({ _id }))?.b ?? {});
};
const settlements = (orders: readonly CheckRequest[]) =>
  orders.map(({ orderId, subjects }) => ({
    ...orderOf(orderId, subjects),
    to: 'confirmed' as const,
  }));

describe('many orders of one subject', () => {
  it('are allowed exactly as far as the maximum goes, by 16 callers at once', async () => {
    const callers = Array.from({ length: 16 }, (_, caller) => batch(`c-${caller}`, 16));
    const all = await Promise.all(callers.map((orders) => limits.checkMany(orders, false)));
    expect(all.flatMap(kinds).filter((kind) => kind === 'allowed')).toHaveLength(150);
    await Promise.all(callers.map((orders) => limits.settleMany(settlements(orders))));
    expect(((await stored()) as object[]).map(openHoldsOf)).toEqual([[]]);
    expect(await sums('user:u-1')).toMatchObject([{ n: 150, un: 150, a: 15_000 }]);
  });

  it('change no byte where none is allowed, and nothing when repeated', async () => {
    const full = batch('full', 100);
    await limits.checkMany([...full.slice(0, 99)], false);
    await limits.checkMany(batch('more', 51), false);
    const before = await stored();
    expect(new Set(kinds(await limits.checkMany(batch('late', 5), false)))).toEqual(
      new Set(['refused']),
    );
    const again = await limits.checkMany(full.slice(0, 99), false);
    expect(again).toHaveLength(99);
    for (const result of again)
      expect(result).toMatchObject({ answer: { kind: 'allowed', repeated: true } });
    expect(await stored()).toEqual(before);
  });

  it('are refused as a mistake where one stands twice, or where there are too many', async () => {
    const [one] = batch('o', 1);
    if (one === undefined) throw new Error('there is one');
    await expect(limits.checkMany([one, one], false)).rejects.toThrow(/orders\[1\]\.orderId/);
    await expect(limits.checkMany(batch('o', 101), false)).rejects.toThrow(/1 to 100 orders/);
    await expect(limits.settleMany(settlements([one, one]))).rejects.toThrow(/settlements\[1\]/);
    expect(await stored()).toEqual([]);
  });

  it('fail alone where a rule cannot read their attribute, or finds a name missing', async () => {
    const rules = [
      { ...USER_DAY, window: { since: { attribute: 'payday' }, forMs: 86_400_000 } },
      { ...USER_DAY, id: 'tiers', require: ['tier'] },
    ];
    const [one, two, three] = batch('o', 3);
    if (one === undefined || two === undefined || three === undefined) throw new Error('three');
    const said = { tier: 'gold', payday: '2026-03-02T00:00:00Z' };
    const orders = [
      { ...one, attributes: { ...said, payday: 'Monday' } },
      { ...two, attributes: said },
      { ...three, attributes: {} },
    ];
    expect(await limitsOver(database.db, rules).checkMany(orders, false)).toMatchObject([
      { kind: 'failed', error: { code: 'INVALID_REQUEST' } },
      { kind: 'answered', answer: { kind: 'allowed' } },
      { kind: 'failed', error: { code: 'INCOMPLETE_ORDER' } },
    ]);
  });

  it.each([undefined, 1])(
    'are decided in their turn, whether another one takes what fits (from %s)',
    async (leastMinor) => {
      const net = {
        ...{ ...USER_DAY, max: { amount: 100 } },
        ...{ counts: { not: { type: 'PAYOUT' } }, minus: { is: { type: 'PAYOUT' } } },
      };
      const all = { ...USER_DAY, id: 'all', max: { amount: 1_000 } };
      const shop = { ...MERCHANT, max: { amount: 1_000 } };
      const three = limitsOver(database.db, [net, all, shop]);
      const subjects = { user: 'u-1' };
      const paid = { subjects, amountMinor: 80, capture: true, type: 'PAYMENT' };
      await three.check(checkOf({ ...paid, orderId: 'z' }));
      const results = await three.checkMany(
        [
          checkOf({ ...paid, orderId: 'a', amountMinor: 50, type: 'PAYOUT' }),
          checkOf({ ...paid, orderId: 'b', amountMinor: 60, capture: false }),
          checkOf({
            ...{ orderId: 'c', subjects: { user: 'u-2', merchant: 'm-1' }, amountMinor: 1 },
            ...(leastMinor === undefined ? {} : { leastMinor }),
          }),
        ],
        false,
      );
      expect(kinds(results)).toEqual(['allowed', 'allowed', 'allowed']);
    },
  );

  it('exceed a maximum beside home only by what those rolled back before them left', async () => {
    const shop = { ...MERCHANT, id: 'shop-day', max: { amount: 1_000 } };
    const both = limitsOver(database.db, [HOT, shop]);
    const orders = [600, 400].map((amountMinor, index) => {
      const subjects = { user: `u-${index}`, merchant: 'm-1' };
      return checkOf({ orderId: `o-${index}`, subjects, amountMinor });
    });
    expect(kinds(await both.checkMany(orders, false))).toEqual(['allowed', 'allowed']);
    const [first, second] = orders.map(({ orderId, subjects }) => orderOf(orderId, subjects));
    if (first === undefined || second === undefined) throw new Error('there are two');
    const results = await both.settleMany([
      { ...first, to: 'rolledBack' },
      { ...second, to: 'confirmed', amountMinor: 900 },
    ]);
    expect(results).toMatchObject([
      { answer: { state: 'rolledBack' } },
      { answer: { state: 'confirmed', exceeded: undefined } },
    ]);
  });
});

describe('an atomic call', () => {
  it('holds nothing new where one order is refused, and leaves what was held before', async () => {
    const both = limitsOver(database.db, [HOT, MERCHANT]);
    const orders = batch('o', 5, { user: 'u-1', merchant: 'm-1' } as { user: string });
    const [first, ...others] = orders;
    if (first === undefined) throw new Error('there is a first');
    await both.check(first);
    const before = await stored();
    const results = await both.checkMany([first, ...others], true);
    expect(kinds(results)).toEqual(['allowed', 'failed', 'failed', 'refused', 'refused']);
    expect(results[1]).toMatchObject({ error: expect.any(NotAllAllowedError) as Error });
    const sums = (documents: unknown): unknown =>
      (documents as { b: unknown; h: unknown }[]).map(({ b, h }) => ({ b, h }));
    expect(sums(await stored())).toEqual(sums(before));
  });

  it('shows where a refused order stood, after the orders before it', async () => {
    const [, , , last] = await limitsOver(database.db, [MERCHANT]).checkMany(
      batch('o', 4, { user: 'u-1', merchant: 'm-1' } as { user: string }),
      true,
    );
    expect(last).toMatchObject({
      answer: { kind: 'refused', rules: [{ held: { count: 3 }, outcome: 'exceeded' }] },
    });
  });

  it('is allowed once to many callers of the same orders at once', async () => {
    const both = limitsOver(database.db, [HOT, { ...MERCHANT, max: { count: 4 } }]);
    const orders = ['u-1', 'u-2', 'u-3'].flatMap((user, index) =>
      batch(`o-${index}`, 1, { user, merchant: 'm-1' } as { user: string }),
    );
    const calls = await Promise.all(Array.from({ length: 8 }, () => both.checkMany(orders, true)));
    const said = calls.map((results) => [...new Set(kinds(results))].join());
    expect(said.filter((kind) => kind !== 'allowed' && kind !== 'failed')).toEqual([]);
    // A caller that gave up because others kept coming first asks again.
    expect(kinds(await both.checkMany(orders, true))).toEqual(['allowed', 'allowed', 'allowed']);
    expect(await sums('merchant:m-1')).toMatchObject([{ n: 3 }]);
  });
});
