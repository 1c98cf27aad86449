import { isDeepStrictEqual } from 'node:util';
import type { Db, IndexDescriptionInfo } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { OLD_DOCUMENTS_TODO } from '../../lib/shared/deployment-errors.ts';
import { InvalidConfigurationError } from '../../lib/shared/errors.ts';
import type { Settings } from '../../lib/http/settings.ts';
import { parseRules } from '../../lib/rules/file/rule-list.ts';
import { INDEXES, PLAIN_COLLECTIONS } from '../../lib/mongo/indexes.ts';
import { COUNTERS } from '../../lib/limits/mongo-counter-store.ts';
import { oldDocumentIn } from '../../lib/limits/mongo-old-documents.ts';
import { readRules } from '../../lib/rules/mongo-rule-store.ts';
import { currencyWarnings } from '../rules-currencies.ts';
import { numbered } from '../database-command.ts';
import type { Examination, Found } from './finding.ts';
import { fault, ok, warning } from './finding.ts';

/** Every write writes the whole document, twice on MongoDB: docs/internals/mongodb.md. */
const BYTES_MAX = 200_000;
/** MongoDB's own bound is 16 MB. */
const BYTES_NEAR_END = 12_000_000;
/** With more documents than these a sample is measured. */
const MEASURED_MAX = 100_000;
const LARGEST_TOLD = 3;
const PATIENCE_MS = 20_000;

/** Source: MongoDB, error_codes.yml. */
const NAMESPACE_NOT_FOUND = 26;

/** Looks at what the database holds. */
export function dataExaminations(
  db: Db,
  settings: Pick<Settings, 'onNoRule'>,
): readonly Examination[] {
  return [
    { name: 'indexes', look: () => lookAtIndexes(db) },
    { name: 'documents', look: () => lookAtSizes(db) },
    { name: 'rules', look: () => lookAtRules(db, settings) },
  ];
}

async function lookAtIndexes(db: Db): Promise<Found> {
  const stored = new Map<string, readonly IndexDescriptionInfo[]>();
  for (const name of new Set(INDEXES.map(({ collection }) => collection)))
    stored.set(name, await indexesOf(db, name));
  const missing = await missingCollections(db);
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
      'npx headroom indexes makes them; until then commits fail on a sharded cluster',
    );
  if (different.length > 0)
    return fault(
      `not as they should be: ${different.join(', ')}`,
      'drop them, then npx headroom indexes makes them anew',
    );
  const surplus = (stored.get(COUNTERS) ?? [])
    .map(({ name }) => name)
    .filter((name) => !['_id_', '_id_hashed', 'expireAt_ttl'].includes(name ?? ''));
  if (surplus.length > 0)
    return warning(
      `${COUNTERS} has indexes of somebody else's: ${surplus.join(', ')}`,
      'take them away unless they are needed: each slows every check',
    );
  return ok(`all ${INDEXES.length} are there`);
}

/** Those without an index that could be missing. */
async function missingCollections(db: Db): Promise<string[]> {
  const there = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = new Set(there.map(({ name }) => name));
  return PLAIN_COLLECTIONS.filter((name) => !names.has(name));
}

async function indexesOf(db: Db, name: string): Promise<readonly IndexDescriptionInfo[]> {
  try {
    return await db.collection(name).indexes();
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

async function lookAtSizes(db: Db): Promise<Found> {
  const old = await oldDocumentIn(db);
  if (old !== undefined)
    return fault(
      `counters of an earlier version of Headroom, which this version does not read: ${JSON.stringify(old)}`,
      OLD_DOCUMENTS_TODO,
    );
  const counters = db.collection<{ readonly _id: string }>(COUNTERS);
  const count = await counters.estimatedDocumentCount();
  const isSample = count > MEASURED_MAX;
  const largest = await counters
    .aggregate<{ readonly _id: string; readonly bytes: number }>(
      [
        ...(isSample ? [{ $sample: { size: MEASURED_MAX } }] : []),
        { $project: { bytes: { $bsonSize: '$$ROOT' } } },
        { $sort: { bytes: -1 } },
        { $limit: LARGEST_TOLD },
      ],
      { maxTimeMS: PATIENCE_MS, readPreference: 'secondaryPreferred' },
    )
    .toArray();
  const [first] = largest;
  if (first === undefined) return ok('no subject has a document yet');
  const told = largest.map(({ _id, bytes }) => `${_id} ${bytes.toLocaleString('en')}`).join(', ');
  const says = `${numbered(count, 'subject')}; largest${isSample ? ` of ${MEASURED_MAX} drawn` : ''}, in bytes: ${told}`;
  const smaller =
    'lower REMEMBERED_OUTCOMES, MAX_OPEN_HOLDS or MAX_OPEN_SHARES, use coarser steps of rolling windows, or calls of many: every write writes the whole document';
  if (first.bytes > BYTES_NEAR_END) return fault(says, smaller);
  return first.bytes > BYTES_MAX ? warning(says, smaller) : ok(says);
}

async function lookAtRules(db: Db, { onNoRule }: Pick<Settings, 'onNoRule'>): Promise<Found> {
  const stored = await readRules(db, PATIENCE_MS);
  if (stored.length === 0)
    return fault(
      'none: every check is refused (ON_NO_RULE=refuse), or passes without any limit',
      'npx headroom rules rules.yaml stores some',
    );
  try {
    const rules = parseRules(stored, 'the database');
    const inForce = rules.filter(({ mode }) => mode === 'enforce').length;
    const onTrial = rules.filter(({ mode }) => mode === 'shadow').length;
    const says = `${numbered(inForce, 'rule')} in force, ${onTrial} on trial`;
    if (inForce === 0) return warning(says, 'take one in force: nothing is refused');
    const warnings = onNoRule === 'refuse' ? currencyWarnings(rules, new Date()) : [];
    if (warnings.length === 0) return ok(says);
    return warning(
      [says, ...warnings.map((each) => each.says)].join('; '),
      warnings.map(({ todo }) => todo).join('; '),
    );
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    const [first] = error.mistakes;
    const more = error.mistakes.length - 1;
    return fault(
      `not to be read: ${first?.path ?? ''}${first?.value === undefined ? ' is missing' : ` is ${first.value}`}${more > 0 ? `, and ${more} more` : ''}`,
      'store them anew (npx headroom rules rules.yaml): checks are INTERNAL until then',
    );
  }
}
