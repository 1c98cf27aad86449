import type { BulkWriteResult, Db } from 'mongodb';
import { MongoBulkWriteError } from 'mongodb';
import type { DocumentView } from '../limits/document/document.ts';
import { emptyView } from '../limits/document/document.ts';
import type { ListedNear } from './near.ts';
import { nearRowAgain, nearRowsIn, tellsTheSame } from './near-scan.ts';
import type { CompiledRules } from '../rules/compile.ts';
import { SERVER_NOW } from '../limits/document/update.ts';
import { listedAfter, nearWithIds, scannedAt, writtenBefore } from './near-filters.ts';
import type { StoredDocument } from '../limits/document/stored.ts';
import { readView } from '../limits/document/stored.ts';
import { amongIds } from '../mongo/ids.ts';
import { batchesOf } from '../mongo/batches.ts';
import type { CounterDocument } from '../limits/mongo-counter-store.ts';
import { COUNTERS } from '../limits/mongo-counter-store.ts';
import { DUPLICATE_KEY } from '../mongo/failure.ts';
import { SCAN, nearCollection } from './mongo-near-store.ts';
import type { NearDocument, SeenRow } from './near-row.ts';
import { asScanned, listedRow } from './near-row.ts';

/** What a scan has done so far. */
export type Scanned = {
  readonly documents: number;
  readonly rows: number;
  /** Rows that were missing. */
  readonly added: number;
  /** Rows that told another share, another maximum or another mode than there is. */
  readonly changed: number;
  /** Rows that are listed no more. */
  readonly removed: number;
};

/** Documents, or rows, that are in memory and in one statement at a time. */
const BATCH = 200;

const WRITTEN = { ordered: false, writeConcern: { w: 'majority' } } as const;

/** A whole document of counters, as much of it as sums need. */
const FIELDS = { buckets: 1, holds: 1, terms: 1, seen: 1, now: SERVER_NOW } as const;

type Stored = StoredDocument & { readonly _id: string; readonly now: Date };

/** A document, and the instant of the latest change that is in it. */
type Seen = { readonly view: DocumentView; readonly seenAt: Date };

/**
 * Makes the list of those who are near a maximum from the counters, and yields what it has done so far
 * after each batch.
 *
 * First it walks the counters and adds the rows that are missing; then it walks the rows and sets those
 * right that tell something else. It reads from a secondary where there is one, whose counters may be
 * older than a row: what a call wrote after what it sees, or after it began, it leaves as it is. What was
 * told stays told.
 *
 * @param startedAt before the rules were read, by the machine's clock
 */
export async function* scanNear(
  db: Db,
  rules: CompiledRules,
  startedAt: Date,
): AsyncGenerator<Scanned> {
  let scanned: Scanned = { documents: 0, rows: 0, added: 0, changed: 0, removed: 0 };
  const options = {
    projection: FIELDS,
    batchSize: BATCH,
    readPreference: 'secondaryPreferred',
  } as const;
  const counters = db.collection<CounterDocument>(COUNTERS).find<Stored>({}, options);
  for await (const documents of batchesOf(BATCH, counters)) {
    const added = await addMissing(db, documents, rules);
    scanned = plus(scanned, { documents: documents.length, added });
    yield scanned;
  }
  for (let after = ''; ;) {
    const rows = await nearCollection(db)
      .find(listedAfter(after, startedAt), { sort: { _id: 1 }, limit: BATCH })
      .toArray();
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last._id;
    const found = await setRight(db, rows, rules, startedAt);
    scanned = plus(scanned, { rows: rows.length, ...found });
    yield scanned;
  }
  await nearCollection(db).updateOne({ _id: SCAN }, scannedAt(startedAt), {
    upsert: true,
    writeConcern: WRITTEN.writeConcern,
  });
}

function plus(scanned: Scanned, more: Partial<Scanned>): Scanned {
  const sums = { ...scanned };
  for (const name of Object.keys(more) as (keyof Scanned)[]) sums[name] += more[name] ?? 0; // its own
  return sums;
}

function seenIn(stored: Stored): Seen {
  const view = readView(stored, [], stored.now);
  return { view, seenAt: stored.seen ?? view.now };
}

async function addMissing(
  db: Db,
  documents: readonly Stored[],
  rules: CompiledRules,
): Promise<number> {
  const wanted = documents.flatMap((stored) => {
    const { view, seenAt } = seenIn(stored);
    return nearRowsIn(stored._id, view, rules).map((row) => ({ row, seenAt }));
  });
  if (wanted.length === 0) return 0;
  const ids = wanted.map(({ row }) => row.id);
  const there = await nearCollection(db)
    .find(nearWithIds(ids), { projection: { percent: 1, until: 1 } })
    .toArray();
  const listed = new Map(there.map((row) => [row._id, row]));
  const missing = wanted.filter(({ row }) => {
    const { percent = 0, until } = listed.get(row.id) ?? {};
    return percent === 0 || until === undefined || until <= row.at;
  });
  return write(
    db,
    missing.map(({ row, seenAt }) => ({ row, percent: row.percent, seenAt })),
  );
}

async function setRight(
  db: Db,
  stored: readonly NearDocument[],
  rules: CompiledRules,
  startedAt: Date,
): Promise<Pick<Scanned, 'changed' | 'removed'>> {
  const rows = stored.map(listedRow);
  const seen = await countersFor(db, rows, startedAt);
  const wrong: SeenRow[] = [];
  const gone: string[] = [];
  for (const row of rows) {
    const { view, seenAt } = seen.get(row.document) ?? emptyAt(startedAt);
    const again = nearRowAgain(row, view, rules);
    if (again === undefined) gone.push(row.id);
    // What a call wrote since the rules were read, it may have written by newer ones.
    else if (row.at < startedAt && !tellsTheSame(row, again)) wrong.push({ ...again, seenAt });
  }
  const lowered = wrong.filter(({ percent }) => percent === 0);
  const { deletedCount } =
    gone.length === 0
      ? { deletedCount: 0 }
      : await nearCollection(db).deleteMany(writtenBefore(gone, startedAt), WRITTEN);
  return {
    changed: await write(
      db,
      wrong.filter(({ percent }) => percent > 0),
    ),
    removed: deletedCount + (await write(db, lowered)),
  };
}

/** A document that nobody has is as one that holds nothing. */
function emptyAt(now: Date): Seen {
  return { view: emptyView(now), seenAt: now };
}

/** The documents of rows; what a secondary does not have, the primary may. */
async function countersFor(
  db: Db,
  rows: readonly ListedNear[],
  startedAt: Date,
): Promise<ReadonlyMap<string, Seen>> {
  const collection = db.collection<CounterDocument>(COUNTERS);
  const seen = new Map<string, Seen>();
  for (const readPreference of ['secondaryPreferred', 'primary'] as const) {
    const open = [...new Set(rows.map(({ document }) => document))].filter((id) => !seen.has(id));
    if (open.length === 0) break;
    const found = await collection
      .find<Stored>(amongIds(open), { projection: FIELDS, readPreference })
      .toArray();
    for (const stored of found) seen.set(stored._id, seenIn(stored));
    if (readPreference === 'primary')
      for (const id of open) if (!seen.has(id)) seen.set(id, emptyAt(startedAt));
  }
  return seen;
}

/** Writes rows as the counters have them; how many that changed anything. */
async function write(db: Db, rows: readonly SeenRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const operations = rows.map((row) => ({ updateOne: { ...asScanned(row), upsert: true } }));
  const result = await writtenAlone(nearCollection(db).bulkWrite(operations, WRITTEN));
  return result.modifiedCount + result.upsertedCount;
}

/** What a bulk wrote. A row that a call wrote later matches no filter, and is there: it stays as it is. */
async function writtenAlone(writing: Promise<BulkWriteResult>): Promise<BulkWriteResult> {
  try {
    return await writing;
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failures = [error.writeErrors].flat();
    if (!failures.every(({ code }) => code === DUPLICATE_KEY)) throw error;
    return error.result;
  }
}
