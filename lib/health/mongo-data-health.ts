import { isDeepStrictEqual } from 'node:util';
import type { Db, IndexDescriptionInfo } from 'mongodb';
import { BUCKETS_HIGH, BUCKETS_MAX } from '../shared/bounds.ts';
import { COUNTERS } from '../document/mongo-counter-store.ts';
import { COLLECTIONS, INDEXES, PLAIN_COLLECTIONS } from './mongo-indexes.ts';
import { numbered } from '../shared/numbered.ts';
import type { Examination, Found } from '../../contract/finding.ts';
import { fault, ok, warning } from '../../contract/finding.ts';

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
    { name: 'windows', look: () => lookAtWindows(db, depth) },
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

/** The documents that have most of something, or those of a sample. */
async function largestDocument(db: Db, { measuredMax, patienceMs }: Depth, sized: object) {
  const counters = db.collection<{ readonly _id: string }>(COUNTERS);
  const count = await counters.estimatedDocumentCount();
  const isSample = count > measuredMax;
  const largest = await counters
    .aggregate<{ readonly _id: string; readonly size: number }>(
      [
        ...(isSample ? [{ $sample: { size: measuredMax } }] : []),
        { $project: { size: sized } },
        { $sort: { size: -1 } },
        { $limit: LARGEST_TOLD },
      ],
      { maxTimeMS: patienceMs, readPreference: 'secondaryPreferred' },
    )
    .toArray();
  const told = largest.map(({ _id, size }) => `${_id} ${size.toLocaleString('en')}`).join(', ');
  const drawn = isSample ? ` of ${measuredMax} drawn` : '';
  return { count, most: largest[0]?.size, told, drawn };
}

/** A rule of several subjects may fill the windows of its first one. */
async function lookAtWindows(db: Db, depth: Depth): Promise<Found> {
  const buckets = { $size: { $objectToArray: { $ifNull: ['$b', {}] } } };
  const { most, told, drawn } = await largestDocument(db, depth, buckets);
  if (most === undefined) return ok('no subject has a document yet');
  const says = `at most ${BUCKETS_MAX.toLocaleString('en')} windows; most${drawn}: ${told}`;
  if (most < BUCKETS_MAX * BUCKETS_HIGH) return ok(says);
  return warning(
    says,
    'before they are full, write counterparts: many in rules of several subjects, or give them a shorter window',
  );
}

async function lookAtSizes(db: Db, depth: Depth): Promise<Found> {
  const { count, most, told, drawn } = await largestDocument(db, depth, { $bsonSize: '$$ROOT' });
  if (most === undefined) return ok('no subject has a document yet');
  const says = `${numbered(count, 'subject')}; largest${drawn}, in bytes: ${told}`;
  const smaller =
    'every write writes the whole document: lower REMEMBERED_OUTCOMES, MAX_OPEN_HOLDS or MAX_OPEN_SHARES, use longer steps in rolling windows, or send many orders in a call';
  if (most > BYTES_NEAR_END) return fault(says, smaller);
  return most > BYTES_MAX ? warning(says, smaller) : ok(says);
}
