import type { Collection, Db } from 'mongodb';
import { asking, writing } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, insertIfNew } from '../mongo/failure.ts';
import { present } from '../shared/present.ts';
import type { ListedNear, NearQuery, NearStore } from './near.ts';
import type { ScannedNear } from './near-scan.ts';
import { NEAR_WAIT_MS } from './telling.ts';
import type { Crossing, NearPercent } from '../limits/near-row.ts';

/** Name of the collection of rows. */
export const NEAR = 'near';

/** The `_id` of the document that is no row; those of rows have spaces. */
export const SCAN = 'scan';

/** Times that one call tries to write a row that it has read. */
const NOTES_MAX = 20;

/** The rows of a database. */
export function nearCollection(db: Db): Collection<NearDocument> {
  return db.collection<NearDocument>(NEAR);
}

/** When the list was made from the counters last. */
export function scanCollection(db: Db) {
  return db.collection<{ readonly _id: string; readonly scannedAt: Date }>(NEAR);
}

/** @param waitMs longest wait for what is noted */
export function mongoNearStore(
  db: Db,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
  waitMs = Math.min(timeoutMs, NEAR_WAIT_MS),
): NearStore {
  const collection = nearCollection(db);
  const primary = { readPreference: 'primary' } as const;
  const noting = writing(db, waitMs, 'once');
  const reading = asking(db, timeoutMs);
  return {
    note: (crossing) =>
      noting(async (bounded) => {
        for (let tries = 1; tries <= NOTES_MAX; tries++) {
          const before = await collection.findOne({ _id: crossing.id }, primary);
          const { row, update, untold } = noted(before ?? undefined, crossing);
          const isNoted =
            before === null
              ? await insertIfNew(() => collection.insertOne(row, bounded()))
              : (await collection.updateOne(asRead(before), update, bounded())).matchedCount > 0;
          if (isNoted) return untold;
        }
        throw new Error(`other calls kept writing the row ${crossing.id}`);
      }),

    async page(query, now) {
      const { limit } = query;
      const options = { sort: { percent: -1, _id: 1 }, limit: limit + 1, ...primary } as const;
      const [found, scan] = await reading(() =>
        Promise.all([
          collection
            .find(nearFilter(query, now), { projection: { told: 0 }, ...options })
            .toArray(),
          scanCollection(db).findOne({ _id: SCAN }, primary),
        ]),
      );
      const rows = found.slice(0, limit).map(listedRow);
      const next = found.length > limit ? rows.at(-1) : undefined;
      return { rows, next, scannedAt: scan?.scannedAt };
    },
  };
}

/** A row as it is stored. `until` is the TTL index's field. */
export type NearDocument = Omit<ScannedNear, 'id'> & {
  readonly _id: string;
  /** The latest instant of the counters by which a call or a scan wrote it. */
  readonly seenAt: Date;
  /** Parts of the maximum, in whole percent, and until when each counts as told. */
  readonly told?: readonly { readonly percent: NearPercent; readonly until: Date }[];
};

type Noted = Pick<NearDocument, '_id' | 'at' | 'seenAt' | 'until' | 'percent' | 'told'>;

/**
 * Notes a crossing in the row of its window: the new row, or the update of the one before, and the parts that
 * nobody has told before, smallest first. The row's largest part only grows until the window is over. Of a
 * rolling window, a part may be told again once the payment that crossed it has left.
 *
 * The row tells what was taken when its largest part was reached. A call that is stamped later may have been
 * applied earlier, so that its sums are smaller.
 */
export function noted(
  before: Noted | undefined,
  { id, ruleId: _id, percents, ...crossing }: Crossing,
) {
  const { at, until, ...row } = crossing;
  const live = (before?.told ?? []).filter((told) => told.until > at);
  const untold = percents.filter((percent) => !live.some((told) => told.percent === percent));
  const reached = before !== undefined && before.until > at ? before.percent : 0;
  const most = Math.max(...percents) as NearPercent; // one of these
  const fields = {
    until: before !== undefined && before.until > until ? before.until : until,
    seenAt: before !== undefined && before.seenAt > at ? before.seenAt : at,
    told: [...live, ...untold.map((percent) => ({ percent, until }))],
  };
  const whole = { ...row, at, percent: most, ...fields };
  const isReached = most > reached || (most === reached && before !== undefined && before.at <= at);
  return {
    untold,
    row: { _id: id, ...whole },
    update: { $set: isReached ? whole : fields },
  };
}

/** The row while it is as it was read; those that a scan made have told nothing. */
export function asRead({ _id, at, seenAt, until, percent, told }: Noted) {
  return { _id, at, seenAt, until, percent, told: told ?? { $exists: false } };
}

/**
 * Sets a row to what a scan found, unless a call wrote it after the latest change in the counters that the scan
 * has read (`seenAt`). A part that was reported stays reported.
 */
export function asScanned({ id, ...row }: ScannedNear, seenAt: Date) {
  return {
    filter: { _id: id, seenAt: { $not: { $gt: seenAt } } },
    update: { $set: { ...row, at: seenAt, seenAt } },
  };
}

/** A row that was read by a filter that finds none below half of its maximum. */
export function listedRow({ _id: id, ...row }: Omit<NearDocument, 'told'>) {
  return { id, ...row } as ListedNear & Pick<NearDocument, 'seenAt'>;
}

/** Rows of a page that are not over. */
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
