import { isDeepStrictEqual } from 'node:util';
import type { Db, IndexDescriptionInfo } from 'mongodb';
import { COUNTERS } from '../document/mongo-counter-store.ts';
import { COLLECTIONS, INDEXES, PLAIN_COLLECTIONS } from './mongo-indexes.ts';
import { numbered } from '../shared/numbered.ts';
import type { Examination, Found } from '../shared/finding.ts';
import { fault, ok, warning } from '../shared/finding.ts';

/** Every write writes the whole document, twice on MongoDB: docs/internals/mongodb.md. */
const BYTES_MAX = 200_000;
/** MongoDB's own bound is 16 MB. */
const BYTES_NEAR_END = 12_000_000;
const LARGEST_TOLD = 3;

/** How much of the database is looked at. */
export type Depth = {
  /** With more documents than these a sample of as many is measured. */
  readonly measuredMax: number;
  /** Longest wait for the server's measuring. */
  readonly patienceMs: number;
};

/** Looks at what the database holds. */
export function dataExaminations(db: Db, depth: Depth): readonly Examination[] {
  return [
    { name: 'indexes', look: () => lookAtIndexes(db) },
    { name: 'documents', look: () => lookAtSizes(db, depth) },
  ];
}

async function lookAtIndexes(db: Db): Promise<Found> {
  const there = await db.listCollections({}, { nameOnly: true }).toArray();
  const stored = new Map<string, readonly IndexDescriptionInfo[]>();
  for (const { name } of there)
    if (COLLECTIONS.includes(name)) stored.set(name, await db.collection(name).indexes());
  const missing = PLAIN_COLLECTIONS.filter((name) => !stored.has(name));
  const different: string[] = [];
  for (const { collection, keys, options } of INDEXES) {
    const found = stored.get(collection)?.find(({ name }) => name === options.name);
    const name = `${collection}.${options.name}`;
    if (found === undefined) missing.push(name);
    else if (
      !isDeepStrictEqual(found.key, keys) ||
      found.expireAfterSeconds !== options.expireAfterSeconds
    )
      different.push(name);
  }
  if (missing.length > 0)
    return fault(
      `missing: ${missing.join(', ')}`,
      'run headroom indexes; until then commits fail on a sharded cluster',
    );
  if (different.length > 0)
    return fault(
      `not as they should be: ${different.join(', ')}`,
      'drop them, then run headroom indexes',
    );
  const surplus = (stored.get(COUNTERS) ?? [])
    .map(({ name }) => name)
    .filter((name) => !['_id_', '_id_hashed', 'expireAt_ttl'].includes(name ?? ''));
  if (surplus.length > 0)
    return warning(
      `${COUNTERS} has indexes that Headroom does not need: ${surplus.join(', ')}`,
      'drop them unless you need them: each slows every check',
    );
  return ok(`all ${INDEXES.length} are there`);
}

async function lookAtSizes(db: Db, { measuredMax, patienceMs }: Depth): Promise<Found> {
  const counters = db.collection<{ readonly _id: string }>(COUNTERS);
  const count = await counters.estimatedDocumentCount();
  const isSample = count > measuredMax;
  const largest = await counters
    .aggregate<{ readonly _id: string; readonly bytes: number }>(
      [
        ...(isSample ? [{ $sample: { size: measuredMax } }] : []),
        { $project: { bytes: { $bsonSize: '$$ROOT' } } },
        { $sort: { bytes: -1 } },
        { $limit: LARGEST_TOLD },
      ],
      { maxTimeMS: patienceMs, readPreference: 'secondaryPreferred' },
    )
    .toArray();
  const [first] = largest;
  if (first === undefined) return ok('no subject has a document yet');
  const told = largest.map(({ _id, bytes }) => `${_id} ${bytes.toLocaleString('en')}`).join(', ');
  const says = `${numbered(count, 'subject')}; largest${isSample ? ` of ${measuredMax} drawn` : ''}, in bytes: ${told}`;
  const smaller =
    'every write writes the whole document: lower REMEMBERED_OUTCOMES, MAX_OPEN_HOLDS or MAX_OPEN_SHARES, use longer steps in rolling windows, or send many orders in a call';
  if (first.bytes > BYTES_NEAR_END) return fault(says, smaller);
  return first.bytes > BYTES_MAX ? warning(says, smaller) : ok(says);
}
