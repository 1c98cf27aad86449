import type { Crossing, ListedNear, NearPercent } from './near.ts';
import type { NearQuery } from './near-list.ts';
import type { ScannedNear } from './near-scan.ts';
import { present } from '../shared/present.ts';

/** Rows of those near a maximum as they are stored, and what is asked of them. */

/** A row as it is stored. `until` is the TTL index's field. */
export type NearDocument = Omit<ScannedNear, 'id'> & {
  readonly _id: string;
  /** Parts of the maximum, in whole percent, and until when each counts as told. */
  readonly told?: readonly { readonly percent: NearPercent; readonly until: Date }[];
};

/** What a note needs of the row that is there. */
type Noted = Pick<NearDocument, '_id' | 'at' | 'until' | 'percent' | 'told'>;

/**
 * Notes a crossing in the row of its window. It gives the row where it is new, the update of one that is
 * there, and the parts that nobody has told before in this window, smallest first.
 *
 * The row tells how the maximum stood after the latest call. Its largest part only grows until the window
 * is over. Of a rolling window, a part may be told again once the payment that crossed it has left.
 *
 * @param before the row as it was read; undefined where there is none
 */
export function noted(before: Noted | undefined, { id, percents, ...crossing }: Crossing) {
  const { at, until, ...row } = crossing;
  const live = (before?.told ?? []).filter((told) => told.until > at);
  const untold = percents.filter((percent) => !live.some((told) => told.percent === percent));
  const reached = before !== undefined && before.until > at ? [before.percent] : [];
  const fields = {
    until: before !== undefined && before.until > until ? before.until : until,
    percent: Math.max(...reached, ...percents) as NearPercent, // one of these
    told: [...live, ...untold.map((percent) => ({ percent, until }))],
  };
  const latest = { ...row, at, ...fields };
  return {
    untold,
    row: { _id: id, ...latest },
    update: { $set: before === undefined || before.at <= at ? latest : fields },
  };
}

/** The row while it is as it was read; those that a scan made have told nothing. */
export function asRead({ _id, at, until, percent, told }: Noted) {
  return { _id, at, until, percent, told: told ?? NONE_TOLD };
}

const NONE_TOLD = { $exists: false };

/**
 * Sets a row to what a scan found. The filter matches no row that a call wrote after the counters that the
 * scan has read. A part that was reported stays reported.
 *
 * @param seenAt the instant of the latest change that is in these counters
 */
export function asScanned({ id, ...row }: ScannedNear, seenAt: Date) {
  return {
    filter: { _id: id, at: { $not: { $gt: seenAt } } },
    update: { $set: { ...row, at: seenAt } },
  };
}

/** The row that was read, by a filter that finds none below half of its maximum. */
export function listedRow({ _id: id, ...row }: Omit<NearDocument, 'told'>): ListedNear {
  return { id, ...row } as ListedNear;
}

/**
 * Rows of a page: of a rule, of a kind or of all; at least so much taken; not over; beyond the last row
 * of the page before.
 */
export function nearFilter(
  { rule, kind, percent, after }: Omit<NearQuery, 'limit'>,
  now: Date,
): Readonly<Record<string, unknown>> {
  const beyond =
    after === undefined
      ? { percent: { $gte: percent } }
      : {
          $or: [
            { percent: { $gte: percent, $lt: after.percent } },
            { percent: after.percent, _id: { $gt: after.id } },
          ],
        };
  return { ...present({ rule, kind }), ...beyond, until: { $gt: now } };
}

/** Rows that a scan looks at: those that are listed, beyond the last one of the batch before. */
export function listedAfter(id: string, now: Date) {
  return { _id: { $gt: id }, percent: { $gt: 0 as NearPercent }, until: { $gt: now } };
}

/** The rows with some ids that were written last before an instant. */
export function writtenBefore(ids: readonly string[], at: Date) {
  return { _id: { $in: [...ids] }, at: { $lt: at } };
}

/** Says when the list was made from the counters. */
export function scanned(scannedAt: Date) {
  return { $set: { scannedAt } };
}
