import { setTimeout } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { BEGINNINGS } from '../audit/checked.ts';
import { auditCollection, ofOrders } from '../audit/mongo-audit-store.ts';
import { batchesOf } from '../shared/batches.ts';
import type { Subject } from '../shared/subject.ts';
import { documentId } from '../shared/subject.ts';
import type { InForce } from './history.ts';
import type { PastRow } from './past-row.ts';
import { PAST_FIELDS } from './past-row.ts';
import type { Past } from './replay-past.ts';

/** Rows of one batch. */
const BATCH = 2_000;
/** Orders of one look: a server plans each home of them by itself. */
const ORDERS_AT_ONCE = 200;

const READ = {
  projection: Object.fromEntries(PAST_FIELDS.map((field) => [field === 'id' ? '_id' : field, 1])),
  readPreference: 'secondaryPreferred',
} as const;

type ReadPast = Omit<PastRow, 'id'> & { readonly _id: string };

function pastRow({ _id: id, ...row }: ReadPast): PastRow {
  return { id, ...row };
}

/** Which rows are read. */
type RowsAsked = {
  readonly from: Date;
  /** The first instant that is left out. */
  readonly to: Date;
  /** Rows of its orders alone. */
  readonly subject?: Subject | undefined;
  /** At most, so that others have something of the database, too. */
  readonly rowsPerSecond?: number | undefined;
};

/** The rows of a database, read from a secondary where there is one. */
export function mongoPast(db: Db, inForce: InForce, asked: RowsAsked): Past {
  const collection = auditCollection(db);
  const { to, subject, rowsPerSecond = Infinity } = asked;
  const ofSubject = subject && { subjectIds: documentId(subject.kind, subject.id) };
  const batchSize = Math.min(BATCH, rowsPerSecond);
  return {
    inForce,
    async *rows(from = asked.from) {
      const found = collection.find<ReadPast>(
        { ...ofSubject, at: { $gte: from, $lt: to } },
        { ...READ, sort: { at: 1 }, batchSize },
      );
      for await (const rows of batchesOf(batchSize, found)) {
        const readAt = performance.now();
        yield rows.map(pastRow);
        const wait = readAt + (1_000 * rows.length) / rowsPerSecond - performance.now();
        if (wait > 0) await setTimeout(wait);
      }
    },
    async checksOf(rows) {
      const checks: PastRow[] = [];
      const orders = rows.flatMap(({ appId, orderId, documents: [home] }) =>
        home === undefined ? [] : [{ appId, orderId, home }],
      );
      for await (const some of batchesOf(ORDERS_AT_ONCE, orders)) {
        const found = collection.find<ReadPast>(
          { ...ofOrders(some), effective: true, operation: { $in: BEGINNINGS } },
          { ...READ, batchSize: BATCH },
        );
        for await (const row of found) checks.push(pastRow(row));
      }
      return checks;
    },
    async firstAt() {
      const first = await collection.findOne({}, { ...READ, sort: { at: 1 } });
      return first?.at;
    },
  };
}
