import type { Db } from 'mongodb';
import type { DocumentView } from '../document/document.ts';
import { emptyView } from '../document/document.ts';
import type { ScannedNear } from './near-scan.ts';
import {
  nearRowAgain,
  nearRowsIn,
  tellsTheSame,
  termsDocument,
  termsDocumentOf,
  withTermsOf,
} from './near-scan.ts';
import type { CompiledRules } from '../plan/compile.ts';
import { SERVER_NOW } from '../document/update.ts';
import type { StoredDocument } from '../document/stored.ts';
import { readView } from '../document/stored.ts';
import { batchesOf } from '../shared/batches.ts';
import type { CounterDocument } from '../document/mongo-counter-store.ts';
import { COUNTERS } from '../document/mongo-counter-store.ts';
import { withDuplicates } from '../mongo/failure.ts';
import { SCAN, nearCollection, scanCollection, asScanned, listedRow } from './mongo-near-store.ts';
import type { NearDocument } from './mongo-near-store.ts';

/** What a scan has done so far. */
export type Scanned = {
  readonly documents: number;
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
};

/** Documents, or rows, that are in memory and in one statement at a time. */
const BATCH = 200;

/** How long the server may write a batch, in milliseconds: longer than it takes on a busy one. */
const BATCH_MS = 20_000;

const BOUNDED = { writeConcern: { w: 'majority' }, maxTimeMS: BATCH_MS } as const;

/** A whole document of counters, as much of it as sums need. */
const FIELDS = { b: 1, h: 1, p: 1, terms: 1, seen: 1, now: SERVER_NOW } as const;

type ScannedDocument = StoredDocument & { readonly _id: string; readonly now: Date };

type Seen = { readonly view: DocumentView; readonly seenAt: Date };
type FoundNear = { readonly row: ScannedNear; readonly seenAt: Date };

/**
 * Makes the list of those who are near a maximum from the counters, and yields what it has done so far
 * after each batch: it adds the rows that are missing, then sets those right that tell something else. A
 * secondary's counters may be older than a row: it leaves what a call wrote after them, or after it began.
 *
 * @param startedAt before the rules were read, by the machine's clock
 */
export async function* scanNear(
  db: Db,
  rules: CompiledRules,
  startedAt: Date,
): AsyncGenerator<Scanned> {
  const done = { documents: 0, rows: 0, added: 0, changed: 0, removed: 0 };
  const counters = db
    .collection<CounterDocument>(COUNTERS)
    .find<ScannedDocument>(
      {},
      { projection: FIELDS, batchSize: BATCH, readPreference: 'secondaryPreferred' },
    );
  for await (const documents of batchesOf(BATCH, counters)) {
    done.documents += documents.length;
    done.added += await addMissing(db, documents, rules);
    yield { ...done };
  }
  for (let after = ''; ;) {
    const listed = { _id: { $gt: after }, percent: { $gt: 0 as const }, until: { $gt: startedAt } };
    const options = { projection: { told: 0 }, sort: { _id: 1 }, limit: BATCH } as const;
    const rows = await nearCollection(db).find(listed, options).toArray();
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last._id;
    const { changed, removed } = await setRight(db, rows, rules, startedAt);
    done.rows += rows.length;
    done.changed += changed;
    done.removed += removed;
    yield { ...done };
  }
  const scanned = { $set: { scannedAt: startedAt } };
  await scanCollection(db).updateOne({ _id: SCAN }, scanned, { upsert: true, ...BOUNDED });
}

function seenIn(stored: ScannedDocument): Seen {
  const view = readView(stored, [], stored.now);
  return { view, seenAt: stored.seen ?? view.now };
}

async function addMissing(db: Db, documents: readonly ScannedDocument[], rules: CompiledRules) {
  const seen = new Map(documents.map((stored) => [stored._id, seenIn(stored)]));
  const owners = new Map(documents.map(({ _id }) => [_id, termsDocumentOf(_id)]));
  const others = [...new Set(owners.values())].filter((owner) => !seen.has(owner));
  const beside = await countersFor(db, others);
  const wanted = [...seen].flatMap(([document, { view, seenAt }]): readonly FoundNear[] => {
    const owner = owners.get(document) ?? document;
    const inForce = withTermsOf(view, (seen.get(owner) ?? beside.get(owner))?.view);
    return nearRowsIn(document, inForce, rules).map((row) => ({ row, seenAt }));
  });
  const there = await nearCollection(db)
    .find(
      { _id: { $in: wanted.map(({ row }) => row.id) } },
      { projection: { percent: 1, until: 1 } },
    )
    .toArray();
  const listed = new Map(there.map((row) => [row._id, row]));
  const isMissing = ({ row }: FoundNear): boolean => {
    const is = listed.get(row.id);
    return is === undefined || is.percent === 0 || is.until <= row.at;
  };
  return writeFound(db, wanted.filter(isMissing));
}

async function setRight(
  db: Db,
  stored: readonly NearDocument[],
  rules: CompiledRules,
  startedAt: Date,
): Promise<Pick<Scanned, 'changed' | 'removed'>> {
  const rows = stored.map(listedRow);
  const documents = [...new Set(rows.flatMap((row) => [row.document, termsDocument(row)]))];
  const seen = await countersFor(db, documents);
  const [right, lowered]: [FoundNear[], FoundNear[]] = [[], []];
  const gone: string[] = [];
  for (const row of rows) {
    // A document that nobody has is as one that holds nothing.
    const empty = { view: emptyView(startedAt), seenAt: startedAt };
    const { view, seenAt } = seen.get(row.document) ?? empty;
    const inForce = withTermsOf(view, seen.get(termsDocument(row))?.view);
    const again = nearRowAgain(row, inForce, rules);
    if (again === undefined) gone.push(row.id);
    // What a call wrote since the rules were read, it may have written by newer ones.
    else if (row.seenAt < startedAt && !tellsTheSame(row, again))
      (again.percent > 0 ? right : lowered).push({ row: again, seenAt });
  }
  const { deletedCount } = await nearCollection(db).deleteMany(
    { _id: { $in: gone }, seenAt: { $lt: startedAt } },
    BOUNDED,
  );
  return {
    changed: await writeFound(db, right),
    removed: deletedCount + (await writeFound(db, lowered)),
  };
}

/** The documents with some ids; what a secondary does not have, the primary may. */
async function countersFor(db: Db, documents: readonly string[]) {
  const seen = new Map<string, Seen>();
  for (const readPreference of ['secondaryPreferred', 'primary'] as const) {
    const open = documents.filter((id) => !seen.has(id));
    if (open.length === 0) break;
    const found = await db
      .collection<CounterDocument>(COUNTERS)
      .find<ScannedDocument>({ _id: { $in: open } }, { projection: FIELDS, readPreference })
      .toArray();
    for (const stored of found) seen.set(stored._id, seenIn(stored));
  }
  return seen;
}

/** Writes rows, and counts those that changed. One that a call wrote later matches no filter, and stays. */
async function writeFound(db: Db, rows: readonly FoundNear[]): Promise<number> {
  if (rows.length === 0) return 0;
  const operations = rows.map(({ row, seenAt }) => ({
    updateOne: { ...asScanned(row, seenAt), upsert: true },
  }));
  const written = nearCollection(db).bulkWrite(operations, { ordered: false, ...BOUNDED });
  const { modifiedCount, upsertedCount } = await written.catch(
    (error: unknown) => withDuplicates(error).result,
  );
  return modifiedCount + upsertedCount;
}
