import { mistakeAt } from '../schema/mistakes.ts';
import { ROWS_COMPLETE_MS } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';

/** Up to when all rows are there. Rows come after their calls. */
export function completeTo(now: Date): Date {
  return new Date(now.getTime() - ROWS_COMPLETE_MS);
}

/** Mistakes of the time that is asked about. @param now of the question */
export function mistakesOfRange(from: Date, to: Date, now: Date): readonly Mistake[] {
  const complete = completeTo(now);
  if (to > complete)
    return [
      mistakeAt(
        ['to'],
        to.toISOString(),
        `an instant up to ${complete.toISOString()}: rows of the last two minutes may be missing`,
      ),
    ];
  if (from < to) return [];
  return [mistakeAt(['from'], from.toISOString(), `an instant before to, ${to.toISOString()}`)];
}
