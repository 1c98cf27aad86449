import type { Collection, Db } from 'mongodb';
import { asking } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, isDuplicateKey } from '../mongo/failure.ts';
import type { NearDocument } from './near-row.ts';
import { asRead, listedRow, nearFilter, noted } from './near-row.ts';
import type { NearStore } from './near-list.ts';
import { NEAR_WAIT_MS } from './telling.ts';

/** Name of the collection of rows. */
export const NEAR = 'near';

/** The `_id` of the document that is no row; those of rows have spaces. */
export const SCAN = 'scan';

/** Times that one call tries to write a row that it has read. */
const NOTES_MAX = 20;

const MAJORITY = { writeConcern: { w: 'majority' } } as const;

/** The rows of a database. */
export function nearCollection(db: Db): Collection<NearDocument> {
  return db.collection<NearDocument>(NEAR);
}

/** Beside the rows: when the list was made from the counters last. */
export function scanCollection(db: Db) {
  return db.collection<{ readonly _id: string; readonly scannedAt: Date }>(NEAR);
}

/**
 * Keeps rows in MongoDB.
 *
 * @param timeoutMs longest wait for a read
 * @param waitMs longest wait for what is noted
 */
export function mongoNearStore(
  db: Db,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
  waitMs = Math.min(timeoutMs, NEAR_WAIT_MS),
): NearStore {
  const collection = nearCollection(db);
  const primary = { readPreference: 'primary' } as const;
  return {
    note: (crossing) =>
      asking(
        db,
        waitMs,
      )(async () => {
        for (let tries = 1; tries <= NOTES_MAX; tries++) {
          const before = await collection.findOne({ _id: crossing.id }, primary);
          const { row, update, untold } = noted(before ?? undefined, crossing);
          const isNoted =
            before === null
              ? await isInserted(collection, row)
              : (await collection.updateOne(asRead(before), update, MAJORITY)).matchedCount > 0;
          if (isNoted) return untold;
        }
        throw new Error(`other calls kept writing the row ${crossing.id}`);
      }),

    async page(query, now) {
      const { limit } = query;
      const options = { sort: { percent: -1, _id: 1 }, limit: limit + 1, ...primary } as const;
      const read = asking(db, timeoutMs);
      const [found, scan] = await read(() =>
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

/** Makes a row where there is none; false where somebody was faster. */
async function isInserted(collection: Collection<NearDocument>, row: NearDocument) {
  try {
    await collection.insertOne(row, MAJORITY);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
