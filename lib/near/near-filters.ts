import type { NearQuery } from './near.ts';
import { present } from '../shared/present.ts';

type NearFilter = Readonly<Record<string, unknown>>;

/**
 * Rows of a page: of a rule, of a kind or of all; at least so much taken; not over; beyond the last row
 * of the page before.
 */
export function nearFilter(
  { rule, kind, percent, after }: Omit<NearQuery, 'limit'>,
  now: Date,
): NearFilter {
  const beyond =
    after === undefined
      ? { percent: { $gte: percent } }
      : {
          $or: [
            { percent: { $gte: percent, $lt: after.percent } },
            { percent: after.percent, _id: { $gt: after.id } },
          ],
        };
  return {
    ...present({ rule, kind }),
    ...beyond,
    until: { $gt: now },
  };
}

/** Rows that a scan looks at: those that are listed, beyond the last one of the batch before. */
export function listedAfter(id: string, now: Date): NearFilter {
  return { _id: { $gt: id }, percent: { $gt: 0 }, until: { $gt: now } };
}

/** The rows with some ids. */
export function nearWithIds(ids: readonly string[]): NearFilter {
  return { _id: { $in: ids } };
}

/** The rows with some ids that were written last before an instant. */
export function writtenBefore(ids: readonly string[], at: Date): NearFilter {
  return { ...nearWithIds(ids), at: { $lt: at } };
}

/** Says when the list was made from the counters. */
export function scannedAt(at: Date): Readonly<Record<string, { readonly scannedAt: Date }>> {
  return { $set: { scannedAt: at } };
}
