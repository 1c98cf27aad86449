import type { ValueCounts } from './document.ts';

/** Counters of different values: which of them count. */

/** Adds the counts of values to others, or takes them off; nothing where there are none. */
export function withValues(
  values: ValueCounts | undefined,
  by: ValueCounts | undefined,
  times: 1 | -1 = 1,
): { readonly values?: ValueCounts } {
  if (by === undefined) return values === undefined ? {} : { values };
  const all = { ...values };
  for (const [value, { used, held }] of Object.entries(by)) {
    const is = all[value] ?? NONE;
    all[value] = { used: is.used + times * used, held: is.held + times * held };
  }
  return { values: all };
}

const NONE = { used: 0, held: 0 };

/** The values that count: one whose orders were all given back does not. */
export function valuesThere(values: ValueCounts = {}): readonly string[] {
  return Object.entries(values).flatMap(([value, { used, held }]) =>
    used + held > 0 ? [value] : [],
  );
}

/** Whether a value counts, so that another order with it adds none. */
export function isThere(values: ValueCounts | undefined, value: string): boolean {
  const { used, held } = values?.[value] ?? NONE;
  return used + held > 0;
}

/** Whether a value is used, so that another order with it fits, however many there are. */
export function isUsed(values: ValueCounts | undefined, value: string): boolean {
  return (values?.[value] ?? NONE).used > 0;
}

/** By how much an order with a value would exceed a maximum of which so many are left. */
export function excessOf(
  values: ValueCounts | undefined,
  value: string | undefined,
  left: number,
): number {
  if (value === undefined || isUsed(values, value)) return 0;
  return (isThere(values, value) ? 0 : 1) - left;
}

/** How many values count: those of an order that is used, and those that open holds alone have. */
export function countsOf(values: ValueCounts) {
  const usedCount = Object.values(values).filter(({ used }) => used > 0).length;
  return { usedCount, heldCount: valuesThere(values).length - usedCount };
}
