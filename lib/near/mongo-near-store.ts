import type { Collection, Db } from 'mongodb';
import { NEAR_WAIT_MS } from './near-bounds.ts';
import { nearFilter } from './near-filters.ts';
import { asking } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, isDuplicateKey } from '../mongo/failure.ts';
import type { NearDocument, Noted } from './near-row.ts';
import { listedRow, noted } from './near-row.ts';
import { present } from '../shared/present.ts';
import type { NearStore } from './near-store.ts';

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
  return {
    async note(crossing) {
      const note = async (): Promise<Noted['untold']> => {
        for (let tries = 1; tries <= NOTES_MAX; tries++) {
          const before = await collection.findOne(
            { _id: crossing.id },
            { readPreference: 'primary' },
          );
          const { filter, update, row, untold } = noted(before ?? undefined, crossing);
          const { matchedCount } = await (before === null
            ? inserted(collection, row)
            : collection.updateOne(filter, update, MAJORITY));
          if (matchedCount > 0) return untold;
        }
        throw new Error(`other calls kept writing the row ${crossing.id}`);
      };
      return asking(db, waitMs)(note);
    },

    async page(query, now) {
      const [rows, scan] = await asking(
        db,
        timeoutMs,
      )(() =>
        Promise.all([
          collection
            .find(nearFilter(query, now), {
              sort: { percent: -1, _id: 1 },
              limit: query.limit + 1,
              readPreference: 'primary',
            })
            .toArray(),
          collection.findOne({ _id: SCAN }, { readPreference: 'primary' }),
        ]),
      );
      return { rows: rows.map(listedRow), ...present({ scannedAt: scan?.scannedAt }) };
    },
  };
}

/** Makes a row where there is none; matches nothing where somebody was faster. */
async function inserted(
  collection: Collection<NearDocument>,
  row: NearDocument,
): Promise<{ readonly matchedCount: number }> {
  try {
    await collection.insertOne(row, MAJORITY);
    return { matchedCount: 1 };
  } catch (error) {
    if (isDuplicateKey(error)) return { matchedCount: 0 };
    throw error;
  }
}
