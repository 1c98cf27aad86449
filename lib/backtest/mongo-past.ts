import type { Db } from 'mongodb';
import { BEGINNINGS } from '../audit/checked.ts';
import { auditCollection } from '../audit/mongo-audit-store.ts';
import { batchesOf } from '../shared/batches.ts';
import { groupedBy } from '../shared/grouped.ts';
import type { InForce } from './history.ts';
import type { PastRow } from './past-row.ts';
import { PAST_FIELDS } from './past-row.ts';
import type { Past } from './replay-past.ts';

/** Rows of one batch, and orders of one look. */
const BATCH = 2_000;

const READ = {
  projection: Object.fromEntries(PAST_FIELDS.map((field) => [field === 'id' ? '_id' : field, 1])),
  readPreference: 'secondaryPreferred',
} as const;

type ReadPast = Omit<PastRow, 'id'> & { readonly _id: string };

function pastRow({ _id: id, ...row }: ReadPast): PastRow {
  return { id, ...row };
}

/**
 * The rows of a database from one instant up to another, read from a secondary where there is one.
 *
 * @param from the first instant
 * @param to the first instant that is left out
 */
export function mongoPast(db: Db, inForce: InForce, from: Date, to: Date): Past {
  const collection = auditCollection(db);
  return {
    inForce,
    async *rows(readTo = from) {
      const found = collection.find<ReadPast>(
        { at: { $gte: readTo, $lt: to } },
        { ...READ, sort: { at: 1 }, batchSize: BATCH },
      );
      for await (const rows of batchesOf(BATCH, found)) yield rows.map(pastRow);
    },
    async checksOf(rows) {
      const checks: PastRow[] = [];
      for (const [appId, ofApp] of groupedBy(rows, (row) => row.appId))
        for await (const some of batchesOf(BATCH, ofApp)) {
          const orderIds = [...new Set(some.map(({ orderId }) => orderId))];
          const found = collection.find<ReadPast>(
            { appId, orderId: { $in: orderIds }, effective: true, operation: { $in: BEGINNINGS } },
            { ...READ, batchSize: BATCH },
          );
          for await (const row of found) checks.push(pastRow(row));
        }
      return checks;
    },
  };
}
