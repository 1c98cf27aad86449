import { describe, expect, it } from 'vitest';
import { clientRatio } from '../../bench/figures.ts';
import type { Measured } from '../../bench/measure.ts';

/** A contender whose slices spent so many milliseconds in the client on so many orders. */
function spending(slices: readonly (readonly [clientMs: number, orders: number])[]): Measured {
  return {
    name: 'one',
    orders: 1,
    warmedMs: 0,
    slices: slices.map(([client, orders]) => ({
      perSecond: orders,
      latenciesMs: [],
      orders,
      spent: { client, adapter: 100 },
    })),
  };
}

describe("the client's processor time beside another contender", () => {
  it('is compared by order, over all rounds', () => {
    const one = spending([
      [30, 100],
      [50, 100],
    ]);
    const other = spending([[25, 50]]);
    expect(clientRatio(one, other)).toBe(0.8);
  });
});
