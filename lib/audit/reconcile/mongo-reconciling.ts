import { setTimeout } from 'node:timers/promises';
import type { ClientSession, Db } from 'mongodb';
import { AUDIT_WAIT_MS } from '../../shared/bounds.ts';
import type { StillRead } from '../../rule/counter-key.ts';
import type { Difference } from './difference.ts';
import { endsAmong, rowsAfter, readSettledRows } from './mongo-rows.ts';
import { present } from '../../shared/present.ts';
import { SERVER_NOW } from '../../document/update.ts';
import type { StoredDocument } from '../../document/stored.ts';
import { allIds } from '../mongo-all-ids.ts';
import { isPassing } from '../../mongo/failure.ts';
import { isSettled } from '../../shared/states.ts';
import { batchesOf } from '../../shared/batches.ts';
import { auditCollection } from '../mongo-audit-store.ts';
import type { CounterDocument } from '../../document/mongo-counter-store.ts';
import { COUNTERS } from '../../document/mongo-counter-store.ts';
import { readStored } from './stored-counters.ts';

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

/** Names of documents that are in memory and in one answer of the server. */
const LOOKED_UP_AT_ONCE = 1_000;

/** How far back it remembers the names of rows, to recognize late ones. */
export const RECENT_MS = 60_000;

type Snapshot = Awaited<ReturnType<typeof snapshotOf>>;

const STORED = {
  _id: 0,
  now: SERVER_NOW,
  seen: 1,
  mendedAt: 1,
  b: 1,
  h: 1,
  p: 1,
  settled: 1,
  expired: 1,
  open: 1,
  shares: 1,
};

/** How documents are looked at. */
type Looking = {
  /** The wait for late rows: less than RECENT_MS, and 0 only where nothing calls. */
  readonly lateMs?: number | undefined;
  /** Waits for so long. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** Reads what counters rules read now. Default: nobody knows, and all are compared. */
  readonly stillRead?: () => Promise<StillRead | undefined>;
  /** Rows of one page. */
  readonly pageRows?: number;
  /** Learns of a document that could not be compared. It has no look then. Default: throws the error. */
  readonly onFailure?: (document: string, error: unknown) => void;
};

/**
 * Compares documents with their rows. Older rows are read in pages, without a transaction. The document
 * and its newest rows are read in one snapshot, so that a call that is one commit is in both or in neither.
 * Where something differs, rows that other calls write after their documents are waited for: once, for
 * all of these documents together.
 *
 * @returns a look for each document that could be compared
 */
export async function lookAt(db: Db, documents: readonly string[], looking: Looking = {}) {
  const { lateMs = ROWS_LATE_MS, pause = setTimeout, pageRows, onFailure } = looking;
  const { stillRead = () => Promise.resolve(undefined) } = looking;
  const looks = new Map<string, Look>();
  const lookAtOne = async (document: string, look: () => Promise<Look>): Promise<void> => {
    try {
      looks.set(document, await look());
    } catch (error) {
      if (onFailure === undefined) throw error;
      looks.delete(document);
      onFailure(document, error);
    }
  };
  const differing: Snapshot[] = [];
  const before = await stillRead();
  for (const document of documents)
    await lookAtOne(document, async () => {
      const snapshot = await snapshotOf(db, document, before, pageRows);
      if (snapshot.look.differences.length > 0) differing.push(snapshot);
      return snapshot.look;
    });
  if (differing.length === 0) return looks;
  await pause(lateMs);
  // A rule may have ended before the documents were read, and its buckets with it.
  const after = await stillRead();
  for (const snapshot of differing)
    await lookAtOne(snapshot.document, () => withLateRows(db, snapshot, after));
  return looks;
}

async function withLateRows(
  db: Db,
  snapshot: Snapshot,
  stillRead: StillRead | undefined,
): Promise<Look> {
  const { document, look, stored, recorded, recent } = snapshot;
  const { databaseNow, holds } = stored;
  // A row of a later instant happened after the snapshot. Rows that are part of a commit are chained, or
  // tell of refunds: their changes were not in the snapshot either.
  const since = new Date(databaseNow.getTime() - RECENT_MS);
  // Home is settled first: what is held still in another document was not counted there yet.
  const open = new Set(holds.map(({ nonce }) => nonce));
  for (const row of await rowsAfter(db, document, since)) {
    const isCounted = !isSettled(row.outcome) || !open.has(row.nonce ?? '');
    const isPart = row.links !== undefined || row.outcome === 'refunded';
    if (row.at <= databaseNow && !isPart && isCounted && !recent.has(row._id)) recorded.add(row);
  }
  return { ...look, differences: recorded.compare(stored, stillRead) };
}

async function snapshotOf(
  db: Db,
  document: string,
  stillRead: StillRead | undefined,
  pageRows?: number,
) {
  const { now: begunAt } = await findDocument(db, document);
  const { recorded, ...settled } = await readSettledRows(db, document, begunAt, pageRows);
  const { found, now, newest, ends } = await inSnapshot(db, async (session) => {
    const one = await findDocument(db, document, session);
    const rows = await rowsAfter(db, document, settled.until, session);
    const told = new Set(rows.flatMap(({ outcome, nonce }) => (outcome === 'held' ? [] : nonce)));
    const untold = recorded.untold(readStored({ ...one.found, now: one.now }));
    const asked = untold.filter(({ nonce }) => !told.has(nonce));
    return { ...one, newest: rows, ends: await endsAmong(db, asked, session) };
  });
  const stored = readStored({ ...found, now });
  for (const row of newest) recorded.add(row);
  for (const nonce of ends) recorded.end(nonce);
  const recentFrom = new Date(now.getTime() - RECENT_MS);
  const look: Look = {
    differences: recorded.compare(stored, stillRead),
    rows: settled.rows + newest.length,
    isThere: found !== null,
    ...present({ now: stored.now, mendedAt: stored.mendedAt }),
  };
  const recent = new Set(newest.flatMap(({ _id, at }) => (at > recentFrom ? _id : [])));
  return { document, look, stored, recorded, recent };
}

/** The work may be done again. A server ends it after a minute. */
function inSnapshot<T>(db: Db, work: (session: ClientSession) => Promise<T>): Promise<T> {
  return db.client.withSession((session) =>
    session.withTransaction(() => work(session), {
      readConcern: { level: 'snapshot' },
      readPreference: 'primary',
    }),
  );
}

/** The document, and the server's instant. Without the document, any row tells that. */
async function findDocument(db: Db, document: string, session?: ClientSession) {
  type Clock = { readonly now: Date };
  const options = session === undefined ? {} : { session };
  const found = await db
    .collection<CounterDocument>(COUNTERS)
    .findOne<StoredDocument & Clock>({ _id: document }, { projection: STORED, ...options });
  if (found !== null) return { found, now: found.now };
  const projection = { _id: 0, now: SERVER_NOW };
  const row = await auditCollection(db).findOne<Clock>({}, { projection, ...options });
  return { found, now: row?.now ?? new Date(0) };
}

/** Those that are there, and those that rows tell of; one may come twice. */
export async function* allDocuments(db: Db): AsyncGenerator<string> {
  yield* allIds(db, COUNTERS);
  for await (const names of batchesOf(LOOKED_UP_AT_ONCE, documentsInRows(db))) {
    const there = db
      .collection<CounterDocument>(COUNTERS)
      .find({ _id: { $in: [...names] } }, { projection: { _id: 1 }, batchSize: names.length });
    const known = new Set((await there.toArray()).map(({ _id }) => _id));
    yield* names.filter((name) => !known.has(name));
  }
}

/**
 * Names documents that rows tell of, in order. The server reads all rows once and keeps the names. It ends a cursor
 * that is idle for 10 minutes, while documents are compared: then it reads all rows once more, from the last name on.
 * Source: MongoDB manual, `cursorTimeoutMillis`.
 */
async function* documentsInRows(db: Db): AsyncGenerator<string> {
  for (let after = '', isOver = false; !isOver;) {
    const from = after;
    try {
      for await (const { _id } of namesBeyond(db, from)) {
        after = _id;
        yield _id;
      }
      isOver = true;
    } catch (error) {
      if (!isPassing(error) || after === from) throw error;
    }
  }
}

function namesBeyond(db: Db, after: string): AsyncIterable<{ readonly _id: string }> {
  return auditCollection(db).aggregate<{ readonly _id: string }>(
    [
      { $match: { effective: true } },
      { $unwind: '$documents' },
      { $match: { documents: { $gt: after } } },
      { $group: { _id: '$documents' } },
      { $sort: { _id: 1 } },
    ],
    { allowDiskUse: true, batchSize: LOOKED_UP_AT_ONCE },
  );
}
