import type { Collection, Filter, Long } from 'mongodb';
import { MongoServerError } from 'mongodb';
import type { CountedSum } from './history.ts';
import { TooManyRowsError } from './history.ts';
import type { Value } from '../../limits/document/update.ts';
import type { Statement } from './history-pipeline.ts';
import {
  COUNTED_BY_WINDOW,
  countedSince,
  countedWithin,
  NEWEST_ROWS_FIRST,
  refusedWithin,
  rowsFilter,
} from './history-pipeline.ts';
import { whenConnected } from '../../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided } from '../../mongo/failure.ts';
import type { HistoryStore } from './history-store.ts';
import type { AuditDocument, ReadRow } from '../mongo-audit-store.ts';
import { ROW_FIELDS } from '../mongo-audit-store.ts';

/** What the server says where the time of a statement is over: MaxTimeMSExpired. */
const TIME_IS_OVER = 50;

/** The server gives up a little before the connection does, so that the answer says why. */
const SERVER_SHARE = 0.9;

/** A sum, which no number may keep exactly: then the driver gives all its digits. */
type Sum = number | Long;

/** Sums as a pipeline gives them. */
type SumRow = {
  readonly _id: { readonly window?: number; readonly currency?: string | null };
  readonly amount: Sum;
  readonly count: Sum;
  readonly refundedAmount: Sum;
  readonly refundedCount: Sum;
};

/** Sums of a day as a pipeline gives them. */
type DayRow = SumRow & { readonly recordedAmount: Sum; readonly recordedCount: Sum };

/** Refusals as a pipeline gives them. */
type RefusedRow = {
  readonly _id: {
    readonly violations?: readonly string[];
    readonly reason?: string | null;
    readonly hour: number;
  };
  readonly checks: number;
};

/**
 * Reads the audit's rows in MongoDB, from the primary: what a call has just written is among them.
 *
 * @param timeoutMs longest wait for one statement
 */
export function mongoHistoryStore(
  collection: Collection<AuditDocument>,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
): HistoryStore {
  const maxTimeMS = Math.max(1, Math.floor(timeoutMs * SERVER_SHARE));
  const read = async <Row>(statement: () => Promise<Row[]>): Promise<Row[]> =>
    decided(
      whenConnected(collection.db.client, statement).catch((error: unknown) => {
        if (error instanceof MongoServerError && error.code === TIME_IS_OVER)
          throw new TooManyRowsError(maxTimeMS, error);
        throw error;
      }),
      timeoutMs,
    );
  const aggregate = <Row extends object>(
    stages: readonly Statement[],
    variables: Readonly<Record<string, Value>> = {},
  ): Promise<Row[]> =>
    read(() =>
      collection
        .aggregate<Row>([...stages], {
          ...{ let: variables, maxTimeMS, allowDiskUse: true },
          ...{ readConcern: { level: 'majority' }, readPreference: 'primary' },
        })
        .toArray(),
    );
  return {
    async rows(query) {
      const found = await read(() =>
        collection
          // The driver's type of a filter knows no list that is read only.
          .find<ReadRow>(rowsFilter(query) as Filter<AuditDocument>, {
            ...{ sort: NEWEST_ROWS_FIRST, limit: query.limit, projection: ROW_FIELDS, maxTimeMS },
            ...{ readConcern: { level: 'majority' }, readPreference: 'primary' },
          })
          .toArray(),
      );
      return found.map(({ _id: id, ...row }) => ({ id, ...row }));
    },
    async countedByWindow(subjects, starts, counter) {
      const [since = new Date(0)] = starts;
      const found = await aggregate<SumRow>(
        [countedSince(subjects, since), ...COUNTED_BY_WINDOW],
        // A counter's key has letters, digits, `-`, `_` and `~`: it is no expression.
        { starts, counter: counter ?? null },
      );
      return found.map((row) => ({ ...sumOf(row), window: (row._id.window ?? 1) - 1 }));
    },
    async countedWithin(period, kind) {
      const found = await aggregate<DayRow>(countedWithin(period, kind, collection.collectionName));
      return found.map((row) => ({
        ...sumOf(row),
        recordedMinor: nearest(row.recordedAmount),
        recordedCount: nearest(row.recordedCount),
      }));
    },
    async refusedWithin(period, kind) {
      const found = await aggregate<RefusedRow>(refusedWithin(period, kind));
      return found.map(({ _id: { violations = [], reason, hour }, checks }) => ({
        ...{ violations, hour, checks },
        ...(typeof reason === 'string' ? { reason } : {}),
      }));
    },
  };
}

function sumOf({ _id, amount, count, refundedAmount, refundedCount }: SumRow): CountedSum {
  const { currency } = _id;
  return {
    ...(typeof currency === 'string' ? { currency } : {}),
    ...{ amountMinor: nearest(amount), count: nearest(count) },
    ...{ refundedMinor: nearest(refundedAmount), refundedCount: nearest(refundedCount) },
  };
}

function nearest(sum: Sum): number {
  return typeof sum === 'number' ? sum : sum.toNumber();
}
