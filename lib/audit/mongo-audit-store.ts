import type { AnyBulkWriteOperation, Collection, Db, Filter } from 'mongodb';
import type { AuditRow, AuditStore, OrderRows } from './audit.ts';
import { rowsInOrder } from './audit.ts';
import { AUDIT_ROWS_AT_ONCE_MAX, AUDIT_ROWS_MAX, AUDIT_WAIT_MS, DAY_MS } from '../shared/bounds.ts';
import type { ChainLink } from './chain.ts';
import type { OrderAsked } from '../shared/request.ts';
import { documentId, joinParts } from '../shared/subject.ts';
import { SERVER_NOW } from '../document/update.ts';
import type { Bounded } from '../mongo/client.ts';
import { asking, writing } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, withDuplicates } from '../mongo/failure.ts';
import { present } from '../shared/present.ts';
import { groupedBy } from '../shared/grouped.ts';

/** A row as it is stored: `_id` in place of `id`, and what indexes need. */
export type AuditDocument = Omit<
  AuditRow,
  'id' | 'amountMinor' | 'askedMinor' | 'leastMinor' | 'count' | 'expireAt'
> & {
  readonly _id: string;
  /** 64-bit integers; numbers once they are read. */
  readonly amountMinor?: bigint | number;
  readonly askedMinor?: bigint | number;
  readonly leastMinor?: bigint | number;
  readonly count?: bigint | number;
  /** The subjects that were named or are concerned, in the words of the counters' `_id`: `user:u-1`. */
  readonly subjectIds: readonly string[];
  readonly expireAt: Date;
  /** Its places in chains, where the audit is part of the commit. */
  readonly links?: readonly ChainLink[];
  readonly hash?: string;
};

/** A row as `ROW_FIELDS` give it. */
export type ReadRow = Omit<AuditRow, 'id'> & { readonly _id: string };

/** Gives the row its name back. */
export function readRow({ _id: id, ...row }: ReadRow): AuditRow {
  return { id, ...row };
}

/** Every field of a row. */
export const ROW_FIELDS: Readonly<Record<Exclude<keyof AuditRow, 'id'>, 1>> = {
  appId: 1,
  orderId: 1,
  operation: 1,
  outcome: 1,
  effective: 1,
  at: 1,
  requestId: 1,
  subjects: 1,
  type: 1,
  attributes: 1,
  unkept: 1,
  amountMinor: 1,
  askedMinor: 1,
  amountBy: 1,
  leastMinor: 1,
  count: 1,
  currency: 1,
  violations: 1,
  refusals: 1,
  proofs: 1,
  challenges: 1,
  proposal: 1,
  approvedBy: 1,
  frozen: 1,
  happenedAt: 1,
  digest: 1,
  late: 1,
  reason: 1,
  reasonCode: 1,
  refundId: 1,
  reservation: 1,
  holdExpiresAt: 1,
  holdSeconds: 1,
  capture: 1,
  atomic: 1,
  rules: 1,
  lost: 1,
  nonce: 1,
  repeated: 1,
  documents: 1,
  q: 1,
  inCall: 1,
  shares: 1,
  expireAt: 1,
};

/** The collection of rows. */
export const AUDIT = 'audit';
/** The collection of ledgers, one a refunded order. */
export const REFUNDS = 'refunds';

/** A database gives rows of one instant in any order; an order that was allowed is not refused any more. */
function triesFirst(one: AuditRow, other: AuditRow): number {
  return Number(other.outcome === 'refused') - Number(one.outcome === 'refused');
}

/** The rows of a database. */
export function auditCollection(db: Db): Collection<AuditDocument> {
  return db.collection<AuditDocument>(AUDIT);
}

/**
 * @param days how long rows are kept, counted from their own instant
 * @param timeoutMs longest wait for a read
 * @param writeMs longest wait for a write, if it is less
 */
export function mongoAuditStore(
  collection: Collection<AuditDocument>,
  days: number,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
  writeMs = AUDIT_WAIT_MS,
): AuditStore {
  const read = asking(collection.db, timeoutMs);
  const find = async (filter: Filter<AuditDocument>, limit = AUDIT_ROWS_MAX) => {
    const projection = { ...ROW_FIELDS, now: SERVER_NOW };
    const options = { projection, sort: { at: -1 }, limit, readPreference: 'primary' } as const;
    const found = await read(() =>
      collection.find<ReadRow & { readonly now: Date }>(filter, options).toArray(),
    );
    let now: Date | undefined;
    const rows = found.map(({ now: readAt, ...row }) => {
      now = readAt;
      return readRow(row);
    });
    return { rows: rowsInOrder(rows.toSorted(triesFirst)), now };
  };
  const effectsOf = async ({ appId, orderId, home }: OrderAsked): Promise<OrderRows> => {
    const ofOrder = { appId, orderId, effective: true };
    if (home !== undefined) return find({ ...ofOrder, [HOME]: home });
    const { rows, now } = await find(ofOrder);
    const homes = [...new Set(rows.map(homeOf))];
    if (rows.length < AUDIT_ROWS_MAX || homes.length !== 1) return { rows, now };
    // The newest may all be of one home, and hide another.
    const others = await find({ ...ofOrder, [HOME]: { $nin: homes } }, 1);
    return { rows: [...others.rows, ...rows], now };
  };
  return {
    async append(rows) {
      if (rows.length === 0) return;
      const documents = rows.map((row) => auditDocument(row, days));
      const waitMs = Math.min(timeoutMs, writeMs);
      // Rows have ids of their own: what is there already was written the first time.
      const write = writing(collection.db, waitMs, 'as often as it takes');
      await write((bounded) => insertNew(collection, documents, bounded));
    },
    rowsOf: ({ appId, orderId }) => find({ appId, orderId }),
    effectsOf: ({ appId, orderId }, home) => effectsOf({ appId, orderId, home }),
    async effectsOfMany(orders) {
      if (orders.length === 0) return [];
      const { rows, now } = await find(
        { ...ofOrders(orders), effective: true },
        AUDIT_ROWS_AT_ONCE_MAX,
      );
      // Those of a busy order may have left no room for those of others.
      if (rows.length === AUDIT_ROWS_AT_ONCE_MAX) return Promise.all(orders.map(effectsOf));
      const found = groupedBy(rows, ({ appId, orderId }) => joinParts([appId, orderId]));
      return orders.map(({ appId, orderId, home }) => {
        const named = found.get(joinParts([appId, orderId])) ?? [];
        const own = home === undefined ? named : named.filter((row) => homeOf(row) === home);
        return { rows: own, now };
      });
    },
  };
}

/** Where a row says its home. */
export const HOME = 'documents.0';

function homeOf({ documents: [home] }: AuditRow): string | undefined {
  return home;
}

/** The rows of 1 or more orders, each of its own home alone if it names one. */
export function ofOrders(orders: readonly OrderAsked[]) {
  const atHomes = groupedBy(orders, ({ appId, home = '' }) => joinParts([appId, home]));
  return {
    $or: [...atHomes.values()].flatMap((own) =>
      own.slice(0, 1).map(({ appId, home }) => ({
        appId,
        orderId: { $in: [...new Set(own.map(({ orderId }) => orderId))] },
        ...(home !== undefined && { [HOME]: home }),
      })),
    ),
  };
}

/** @param days how long the row is kept */
export function auditDocument({ id, ...row }: AuditRow, days: number): AuditDocument {
  const { amountMinor, askedMinor, leastMinor, count, subjects, documents, at } = row;
  const named = Object.entries(subjects).map(([kind, subject]) => documentId(kind, subject));
  return present({
    _id: id,
    ...row,
    amountMinor: amountMinor === undefined ? undefined : BigInt(amountMinor),
    askedMinor: askedMinor === undefined ? undefined : BigInt(askedMinor),
    leastMinor: leastMinor === undefined ? undefined : BigInt(leastMinor),
    count: count === undefined ? undefined : BigInt(count),
    subjectIds: [...new Set([...named, ...documents])],
    expireAt: new Date(at.getTime() + days * DAY_MS),
  });
}

/**
 * Inserts what is not there. An effect that a repeat tells of is; but where calls come at once the repeat
 * may be faster, and its row, which does not say where, makes way for that of the call that did it. Rows of
 * repeats add up: one may know the windows at home, and another those of a merchant.
 */
async function insertNew(
  collection: Collection<AuditDocument>,
  documents: readonly AuditDocument[],
  bounded: () => Bounded,
): Promise<void> {
  try {
    await collection.insertMany([...documents], { ordered: false, ...bounded() });
  } catch (error) {
    const { places } = withDuplicates(error);
    const more = places.flatMap((place) => documents[place] ?? []).flatMap(addedTo);
    if (more.length > 0) await collection.bulkWrite(more, { ordered: false, ...bounded() });
  }
}

/** What a row adds to that of a repeat which has its id. */
function addedTo(row: AuditDocument): readonly AnyBulkWriteOperation<AuditDocument>[] {
  const { _id, orderId, shares } = row;
  const filter = { _id, orderId, repeated: true as const };
  if (row.repeated !== true) return [{ replaceOne: { filter, replacement: row } }];
  return shares.map((share) => ({
    updateOne: {
      filter: { ...filter, 'shares.document': { $ne: share.document } },
      update: { $push: { shares: share } },
    },
  }));
}
