import { countsOutcome } from '../rule/counter.ts';
import { CONFIRMED } from '../shared/states.ts';
import type { Taken } from './addition.ts';
import type { CounterPlan } from './document-plan.ts';

/** What orders do to a counter of different values. */
export type ValuesAdded = {
  /** By value, as `d` and `ud` of a bucket have it. */
  readonly sums: ReadonlyMap<string, { readonly all: number; readonly used: number }>;
  /**
   * Sets of values: of each, all are there already, or there is room for all. The first is of what stays. Each order
   * that is captured and does not count there asks for its own beside those before it.
   */
  readonly asked: readonly (readonly string[])[];
};

/** Adds up the values of the orders that enter a counter. */
export function valuesAdded(
  taken: readonly Taken[],
  { key, distinct = '' }: Pick<CounterPlan, 'key' | 'distinct'>,
): ValuesAdded {
  const sums = new Map<string, { readonly all: number; readonly used: number }>();
  const passing: (readonly string[])[] = [];
  for (const { order, leftOut } of taken) {
    const value = order.values?.[distinct];
    if (value === undefined || leftOut.includes(key)) continue;
    const { to, reasonCode } = order.ending ?? CONFIRMED;
    if (order.capture && !countsOutcome(key, to, reasonCode)) {
      passing.push([...new Set([...sums.keys(), value])]);
      continue;
    }
    const { all, used } = sums.get(value) ?? { all: 0, used: 0 };
    sums.set(value, { all: all + order.count, used: used + (order.capture ? order.count : 0) });
  }
  const staying = [...sums.keys()];
  const others = passing.filter((values) => values.some((value) => !sums.has(value)));
  return { sums, asked: staying.length === 0 ? others : [staying, ...others] };
}
