import type { Collection, Db } from 'mongodb';
import { NEAR_WAIT_MS } from '../domain/near-bounds.ts';
import type { Crossing, ListedNear, NearPercent, NearRow } from '../domain/near.ts';
import { NEAR_PERCENTS } from '../domain/near.ts';
import type { Quantity, RuleMode } from '../domain/rule.ts';
import type { StoredNear, StoredQuantity, StoredTold } from '../pipeline/near-pipeline.ts';
import { crossingPipeline, nearFilter } from '../pipeline/near-pipeline.ts';
import { whenConnected } from './client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided } from './failure.ts';
import type { NearStore } from './near-store.ts';

/** Name of the collection of rows. */
export const NEAR = 'near';

/** A row as it is read. `until` is the TTL index's field. */
export type NearDocument = Partial<StoredNear<number>> & {
  readonly _id: string;
  readonly told?: readonly StoredTold[];
  /** Of the one document that is no row: when the list was made from the counters last. */
  readonly scannedAt?: Date;
};

/** The `_id` of the document that is no row; those of rows have spaces. */
export const SCAN = 'scan';

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
      const { percents, at } = crossing;
      const data = {
        ...storedRow(crossing),
        percent: Math.max(...percents),
        told: percents.map((percent) => ({ percent, until: crossing.until })),
      };
      const before = await decided(
        whenConnected(db.client, () =>
          collection.findOneAndUpdate({ _id: crossing.id }, [...crossingPipeline(data)], {
            upsert: true,
            returnDocument: 'before',
            projection: { told: 1 },
            includeResultMetadata: false,
            writeConcern: { w: 'majority' },
          }),
        ),
        waitMs,
      );
      return untold(percents, before?.told ?? [], at);
    },

    async page(query, now) {
      const [rows, scan] = await decided(
        whenConnected(db.client, () =>
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
        ),
        timeoutMs,
      );
      const scannedAt = scan?.scannedAt;
      return {
        rows: rows.map(listedRow),
        ...(scannedAt === undefined ? {} : { scannedAt }),
      };
    },
  };
}

function untold(
  percents: Crossing['percents'],
  told: readonly StoredTold[],
  at: Date,
): readonly NearPercent[] {
  const live = told.filter(({ until }) => until > at).map(({ percent }) => percent);
  return percents.filter((percent) => !live.includes(percent));
}

/** A row as it is stored, but for how much of its maximum it tells. */
export function storedRow(row: NearRow): Omit<StoredNear<bigint>, 'percent'> {
  const { rule, mode, kind, subjects, document, counter, currency, start, until } = row;
  return {
    ...{ rule, mode, kind, subjects, document, counter },
    ...(currency === undefined ? {} : { currency }),
    ...(start === undefined ? {} : { start }),
    ...{ until, isOverride: row.isOverride, at: row.at },
    max: storedQuantity(row.max),
    taken: storedQuantity(row.taken),
  };
}

function storedQuantity({ amountMinor, count }: Quantity): StoredQuantity<bigint> {
  return {
    ...(amountMinor === undefined ? {} : { amount: BigInt(amountMinor) }),
    ...(count === undefined ? {} : { count: BigInt(count) }),
  };
}

function quantityOf({ amount, count }: StoredQuantity<number> = {}): Quantity {
  return {
    ...(amount === undefined ? {} : { amountMinor: amount }),
    ...(count === undefined ? {} : { count }),
  };
}

/** Reads a row. The service alone writes there, so what is stored is whole. */
export function listedRow(stored: NearDocument): ListedNear {
  const { _id, rule = '', kind = '', subjects = {}, document = '', counter = '' } = stored;
  const { currency, start, percent = 0 } = stored;
  const missing = new Date(0);
  return {
    id: _id,
    ...{ rule, kind, subjects, document, counter },
    mode: (stored.mode ?? 'enforce') as RuleMode, // of the rule that was crossed
    ...(currency === undefined ? {} : { currency }),
    ...(start === undefined ? {} : { start }),
    ...{ until: stored.until ?? missing, at: stored.at ?? missing },
    ...{ max: quantityOf(stored.max), taken: quantityOf(stored.taken) },
    isOverride: stored.isOverride ?? false,
    percent: NEAR_PERCENTS.find((one) => one === percent) ?? NEAR_PERCENTS[0],
  };
}
