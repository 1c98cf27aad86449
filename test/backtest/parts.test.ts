import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backtest, newBacktest } from '../../lib/backtest/backtest.ts';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { resultOf } from '../../lib/backtest/tally.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { Step } from '../model/walk.ts';
import { SEED, times } from '../support/extent.ts';
import { USER_DAY } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { pastOf, playedPast } from './played-past.ts';

const START = new Date('2026-03-02T02:00:00Z');
const SINGLE: ModelRule = { ...USER_DAY, id: 'single', window: 'transaction' };

/** An order takes all that it asks for or, with a `min`, what fits. */
type Order = { readonly amount: number; readonly min?: number | undefined };

function maximum(amount: number, of: ModelRule = USER_DAY): ModelRule {
  return { ...of, max: { amount } };
}

function check({ amount, min }: Order, place: number): Step {
  const partial = min === undefined ? {} : { partial: { min } };
  const asked = { amount, currency: 'CNY', count: 1, attributes: {}, ...partial };
  const order = { orderId: `o-${place}`, subjects: { user: 'u-1' }, ...asked };
  return { do: 'check', request: { ...order, holdMs: 60_000, capture: false } };
}

/** What a draft makes of the orders of one user, under a maximum of the day. */
async function tried(orders: readonly Order[], dayMax: number, draft: readonly ModelRule[]) {
  const steps = orders.map(check);
  const rules = [maximum(dayMax)];
  const played = await playedPast({ startsAt: START, onNoRule: 'allow', rules, steps });
  const asked = {
    draft: wholeDraft(draft.map(libRule)),
    rulesOfOthers: [],
    from: START,
    to: new Date('2026-03-03T02:00:00Z'),
    warmUpFrom: START,
    freed: 'unpaid',
  } as const;
  const state = newBacktest();
  const reached = backtest(pastOf(played), asked, state);
  while ((await reached.next()).done !== true);
  const { currencies } = resultOf(state.tally, asked);
  return currencies.flatMap(({ direct, knockOn }) =>
    [direct, knockOn].map(({ less, more }) => ({ less, more })),
  );
}

const NONE = { checks: 0, amount: 0 };
const by = (amount: number) => ({ checks: 1, amount });

describe('a draft that lets less or more of an order through', () => {
  /** The day is at most 6.00: the first order gets 4.00, the second one 2.00, and the last one nothing. */
  const orders = [{ amount: 400, min: 1 }, { amount: 400, min: 50 }, { amount: 400 }];

  // prettier-ignore
  it.each([
    { why: 'all get what they got', draft: [maximum(600)], direct: [NONE, NONE], knockOn: [NONE, NONE] },
    { why: 'the second one gets 1.00', draft: [maximum(500)], direct: [by(100), NONE], knockOn: [by(100), NONE] },
    { why: 'the first one gets 3.00, and the second one is refused', draft: [maximum(300)], direct: [by(100), NONE], knockOn: [by(100), NONE] },
    { why: 'the second one gets 4.00, which is all', draft: [maximum(900)], direct: [NONE, by(200)], knockOn: [NONE, by(200)] },
    { why: 'the first one gets 3.00, and leaves 1.00 to the second one', draft: [maximum(600), maximum(300, SINGLE)], direct: [by(100), NONE], knockOn: [by(100), by(100)] },
  ])('says so: $why', async ({ draft, direct, knockOn }) => {
    const said = await tried(orders, 600, draft);
    expect(said.map(({ less, more }) => [less, more])).toEqual([direct, knockOn]);
  });

  it('says by how much in all, as a subtraction does', async () => {
    let parts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(orderArbitrary(), { minLength: 4, maxLength: 8 }),
        fc.integer({ min: 200, max: 1_500 }),
        fc.integer({ min: 200, max: 1_500 }),
        async (asked, was, is) => {
          const expected = naive(asked, was, is);
          expect(await tried(asked, was, [maximum(is)])).toEqual(expected);
          for (const { less, more } of expected) parts += less.checks + more.checks;
        },
      ),
      { numRuns: times('partsOfOrders'), seed: SEED },
    );
    expect(parts).toBeGreaterThan(0);
  });
});

function orderArbitrary(): fc.Arbitrary<Order> {
  const amount = fc.integer({ min: 50, max: 400 });
  const min = fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined });
  return fc.record({ amount, min });
}

/** Direct, an order gets what those before it left, as it was. With knock-on, the draft's own amounts stand before it. */
function naive(orders: readonly Order[], was: number, is: number) {
  const [direct, knockOn] = [noParts(), noParts()];
  let [before, ownBefore] = [0, 0];
  for (const order of orders) {
    const got = taken(order, was - before);
    const own = taken(order, is - ownBefore);
    add(direct, got, taken(order, is - before));
    add(knockOn, got, own);
    before += got;
    ownBefore += own;
  }
  return [direct, knockOn];
}

function taken({ amount, min = amount }: Order, left: number): number {
  return left < min ? 0 : Math.min(amount, left);
}

function noParts() {
  return { less: { ...NONE }, more: { ...NONE } };
}

function add(sums: ReturnType<typeof noParts>, got: number, gets: number): void {
  if (got === 0 || gets === 0 || got === gets) return;
  const sum = sums[gets < got ? 'less' : 'more'];
  sum.checks += 1;
  sum.amount += Math.abs(gets - got);
}
