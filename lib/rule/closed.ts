import type { WallDate, WEEK_DAYS } from './zoned.ts';
import { isOnDay } from './zoned.ts';

/** Days on which nothing is done: those of the week, and dates such as `2026-12-25`. */
export type Closed = {
  readonly days?: readonly (typeof WEEK_DAYS)[number][];
  readonly dates?: readonly string[];
};

/** The dates of the business day that a date belongs to: closed ones belong to the next open one. */
export function businessDates(
  closed: Closed,
  date: WallDate,
): { readonly first: WallDate; readonly last: WallDate } {
  let [first, last] = [date, date];
  while (isClosed(closed, last)) last = last.add({ days: 1 });
  for (;;) {
    const before = first.subtract({ days: 1 });
    if (!isClosed(closed, before)) return { first, last };
    first = before;
  }
}

function isClosed({ days = [], dates = [] }: Closed, date: WallDate): boolean {
  return isOnDay(date, days) || dates.includes(date.toString());
}

/** Names them within a counter's digest, whatever their order. */
export function closedKey({ days = [], dates = [] }: Closed): readonly string[] {
  return ['closed', [...days].sort().join(), [...dates].sort().join()];
}
