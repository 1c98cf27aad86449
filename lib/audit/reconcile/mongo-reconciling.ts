import { setTimeout } from 'node:timers/promises';
import type { ClientSession, Db } from 'mongodb';
import { AUDIT_WAIT_MS } from '../../shared/bounds.ts';
import type { Difference, RecordedRow } from './reconcile.ts';
import { Recorded } from './reconcile.ts';
import { present } from '../../shared/present.ts';
import { SERVER_NOW } from '../../limits/document/update.ts';
import { mendUpdate } from './mend-documents.ts';
import type { StoredDocument } from '../../limits/document/stored.ts';
import { readStored } from '../../limits/document/stored.ts';
import { allIds } from '../../mongo/all-ids.ts';
import { batchesOf } from '../../mongo/batches.ts';
import { isDuplicateKey } from '../../mongo/failure.ts';
import type { AuditDocument } from '../mongo-audit-store.ts';
import { auditCollection } from '../mongo-audit-store.ts';
import type { CounterDocument } from '../../limits/mongo-counter-store.ts';
import { COUNTERS } from '../../limits/mongo-counter-store.ts';

/** The findings of one look. */
export type Look = {
  readonly differences: readonly Difference[];
  readonly rows: number;
  /** Whether the document itself is there; rows may tell of one that is gone. */
  readonly isThere: boolean;
  readonly now: Date;
  readonly mendedAt?: Date;
};

/** Rows that a call of another function writes after its document come so late at most. */
const ROWS_LATE_MS = 2 * AUDIT_WAIT_MS;

/** Names of documents that rows tell of, some 10 MB: each further time all rows are read once more. */
const RECORDED_AT_ONCE = 100_000;
const LOOKED_UP_AT_ONCE = 1_000;

/** How far back it remembers the names of rows, to recognize late ones. */
export const RECENT_MS = 60_000;

type Clock = { readonly now: Date };
type Snapshot = Awaited<ReturnType<typeof snapshotOf>>;
type Row = RecordedRow & Pick<AuditDocument, '_id' | 'links'>;

const FIELDS = {
  ...{ appId: 1, orderId: 1, outcome: 1, nonce: 1, amountMinor: 1, count: 1, repeated: 1 },
  ...{ holdExpiresAt: 1, shares: 1, at: 1, links: 1 },
};

const STORED = {
  ...{ _id: 0, now: SERVER_NOW, seen: 1, mendedAt: 1, b: 1, buckets: 1, holds: 1, settled: 1 },
};

/**
 * Compares documents with their rows. Each is read with its rows in one snapshot, so that a call that is one commit is in both or in neither.
 * Where something differs, rows that other calls write after their documents are waited for: once, for
 * all of these documents together.
 *
 * @param lateMs how long: less than RECENT_MS, and 0 only where nothing calls
 * @returns a look for each document
 */
export async function lookAt(db: Db, documents: readonly string[], lateMs = ROWS_LATE_MS) {
  const snapshots: Snapshot[] = [];
  for (const document of documents)
    snapshots.push(
      await db.client.withSession((session) =>
        session.withTransaction(() => snapshotOf(db, session, document), {
          readConcern: { level: 'snapshot' },
          readPreference: 'primary',
        }),
      ),
    );
  const differing = snapshots.filter(({ look }) => look.differences.length > 0);
  if (differing.length > 0) await setTimeout(lateMs);
  const looks = new Map(snapshots.map(({ document, look }) => [document, look]));
  for (const snapshot of differing) looks.set(snapshot.document, await withLateRows(db, snapshot));
  return looks;
}

function rowsAbout(db: Db, document: string, session?: ClientSession) {
  return auditCollection(db).find<Row>(
    { subjectIds: document, documents: document, effective: true },
    { projection: FIELDS, ...(session === undefined ? { sort: { at: -1 } } : { session }) },
  );
}

async function withLateRows(db: Db, snapshot: Snapshot): Promise<Look> {
  const { document, look, stored, recorded, recent } = snapshot;
  const { databaseNow, holds } = stored;
  // A row of a later instant happened after the snapshot. Rows that are part of a commit are chained, or
  // tell of refunds: their changes were not in the snapshot either.
  const since = new Date(databaseNow.getTime() - RECENT_MS);
  // Home is confirmed first: what is held still in another document was not counted there yet.
  const open = new Set(holds.map(({ nonce }) => nonce));
  for await (const row of rowsAbout(db, document)) {
    if (row.at < since) break;
    const isCounted = row.outcome !== 'confirmed' || !open.has(row.nonce ?? '');
    const isPart = row.links !== undefined || row.outcome === 'refunded';
    if (row.at <= databaseNow && !isPart && isCounted && !recent.has(row._id)) recorded.add(row);
  }
  return { ...look, differences: recorded.compare(stored) };
}

async function snapshotOf(db: Db, session: ClientSession, document: string) {
  const found = await db
    .collection<CounterDocument>(COUNTERS)
    .findOne<StoredDocument & Clock>({ _id: document }, { projection: STORED, session });
  // Without the document, any row tells the server's instant.
  const projection = { _id: 0, now: SERVER_NOW };
  const row = found ?? (await auditCollection(db).findOne<Clock>({}, { projection, session }));
  const stored = readStored(row ?? { now: new Date(0) });
  const recorded = new Recorded(document);
  const recent = new Set<string>();
  let rows = 0;
  for await (const row of rowsAbout(db, document, session)) {
    recorded.add(row);
    rows += 1;
    if (row.at.getTime() > stored.databaseNow.getTime() - RECENT_MS) recent.add(row._id);
  }
  const { now, mendedAt } = stored;
  const differences = recorded.compare(stored);
  const look: Look = { differences, rows, isThere: found !== null, now, ...present({ mendedAt }) };
  return { document, look, stored, recorded, recent };
}

/** Adds what differs in sums; false where somebody else mended the document since the look. */
export async function mend(
  db: Db,
  document: string,
  look: Pick<Look, 'mendedAt' | 'now'>,
  differences: readonly Difference[],
): Promise<boolean> {
  const { filter, update, upsert = false } = mendUpdate(document, look, differences);
  try {
    const result = await db
      .collection<CounterDocument>(COUNTERS)
      .updateOne(filter, update, { upsert, writeConcern: { w: 'majority' } });
    return result.modifiedCount + result.upsertedCount > 0;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Those that are there, and those that rows tell of; one may come twice. */
export async function* allDocuments(db: Db): AsyncGenerator<string> {
  yield* allIds(db, COUNTERS);
  for (let after: string | undefined = ''; after !== undefined;) {
    const told: readonly string[] = await documentsInRows(db, after);
    for await (const names of batchesOf(LOOKED_UP_AT_ONCE, told)) {
      const there = db
        .collection<CounterDocument>(COUNTERS)
        .find({ _id: { $in: [...names] } }, { projection: { _id: 1 }, batchSize: names.length });
      const known = new Set((await there.toArray()).map(({ _id }) => _id));
      yield* names.filter((name) => !known.has(name));
    }
    after = told.length < RECORDED_AT_ONCE ? undefined : told.at(-1);
  }
}

/** Names documents that rows tell of, in order, beyond the last one of the page before. */
async function documentsInRows(db: Db, after: string): Promise<readonly string[]> {
  const told = await auditCollection(db)
    .aggregate<{ readonly _id: string }>(
      [
        { $match: { effective: true } },
        { $unwind: '$documents' },
        { $match: { documents: { $gt: after } } },
        { $group: { _id: '$documents' } },
        { $sort: { _id: 1 } },
        { $limit: RECORDED_AT_ONCE },
      ],
      { allowDiskUse: true },
    )
    .toArray();
  return told.map(({ _id }) => _id);
}
