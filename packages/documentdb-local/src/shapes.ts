import { BSON } from 'bson';
import { decodeDocument, type Command } from './command.ts';
import { CommandError } from './errors.ts';
import { statementsOf } from './statements.ts';

/**
 * Refuses what MongoDB refuses while it parses a command, before it looks at its session: a wrong
 * shape. The engine looks at most of it later, at some of it never, and has other codes. Sources,
 * in mongodb/mongo under src/mongo: idl/idl_parser.cpp, `parseNSCollectionRequired` and
 * `throwUnknownField`; db/service_entry_point_shard_role.cpp, where the invocation is parsed before
 * `_initiateCommand`; db/repl/read_concern_args.cpp; db/write_concern_options.cpp;
 * db/update/arithmetic_node.cpp and push_node.cpp, `init`, which see no document.
 *
 * @throws CommandError with MongoDB's code
 */
export function refuseShape(command: Command): void {
  refuseName(command);
  refuseUnknownField(command);
  refuseConcerns(command);
  for (const update of updatesOf(command)) refuseUpdate(update);
}

/** The fields that every command may have. Source: mongodb/mongo, idl/generic_argument.idl. */
const GENERIC: readonly string[] = [
  '$db',
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'txnRetryCounter',
  'stmtId',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  '$audit',
  '$client',
  '$configServerState',
  'help',
  '$queryOptions',
  'rawData',
  'stmtIds',
  'maxTimeMSOpOnly',
  '$replData',
  '$oplogQueryData',
];

const WRITE = ['ordered', 'bypassDocumentValidation', 'let', 'collectionUUID'] as const;
const READ = ['hint', 'collation'] as const;

/** Further fields of commands. Sources: their `.idl` in mongodb/mongo. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  insert: [...WRITE, 'documents', 'bypassEmptyTsReplacement'],
  update: [...WRITE, 'updates', 'runtimeConstants', 'bypassEmptyTsReplacement'],
  delete: [...WRITE, 'deletes', 'runtimeConstants'],
  findAndModify: [
    ...READ,
    'query',
    'fields',
    'sort',
    'remove',
    'update',
    'upsert',
    'new',
    'arrayFilters',
    'bypassDocumentValidation',
    'let',
    'runtimeConstants',
    'bypassEmptyTsReplacement',
  ],
  find: [
    ...READ,
    'filter',
    'projection',
    'sort',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    'allowDiskUse',
    'min',
    'max',
    'returnKey',
    'showRecordId',
    'tailable',
    'oplogReplay',
    'noCursorTimeout',
    'awaitData',
    'allowPartialResults',
    'let',
    'options',
    'term',
    'readOnce',
    'includeQueryStatsMetrics',
  ],
  aggregate: [
    ...READ,
    'pipeline',
    'cursor',
    'explain',
    'allowDiskUse',
    'let',
    'runtimeConstants',
    'bypassDocumentValidation',
    'collectionUUID',
    'includeQueryStatsMetrics',
  ],
  getMore: ['collection', 'batchSize', 'term', 'includeQueryStatsMetrics'],
  distinct: [...READ, 'key', 'query'],
  count: [...READ, 'query', 'limit', 'skip', 'fields'],
  killCursors: ['cursors'],
  drop: ['collectionUUID'],
  dropIndexes: ['index', 'collectionUUID'],
  listIndexes: ['cursor', 'includeBuildUUIDs', 'includeIndexBuildInfo'],
};

const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(FIELDS).map(([name, own]) => [name, new Set([name, ...own, ...GENERIC])]),
);

/** Commands that are not about one collection, or name it in another field. */
const UNNAMED: ReadonlySet<string> = new Set(['aggregate', 'getMore']);

function refuseName({ name, fields }: Command): void {
  if (KNOWN.has(name) && !UNNAMED.has(name) && typeof fields.get(name) !== 'string')
    throw new CommandError(2, `collection name has invalid type ${typeof fields.get(name)}`);
}

function refuseUnknownField({ name, fields }: Command): void {
  const known = KNOWN.get(name);
  const strange = known && [...fields.keys()].find((field) => !known.has(field));
  if (strange !== undefined)
    throw new CommandError(40415, `BSON field '${name}.${strange}' is an unknown field.`);
}

const LEVELS: ReadonlySet<unknown> = new Set([
  undefined,
  'local',
  'available',
  'majority',
  'linearizable',
  'snapshot',
]);

/** Members that a write may ask for. Source: mongodb/mongo, `ReplSetConfig::kMaxMembers`. */
const MEMBERS_MAX = 50;

function refuseConcerns({ fields }: Command): void {
  const reading = fields.get('readConcern');
  if (Buffer.isBuffer(reading) && !LEVELS.has(decodeDocument(reading).level))
    throw new CommandError(
      9,
      "readConcern.level must be either 'local', 'majority', 'linearizable', 'available', or 'snapshot'",
    );
  const w = Number(writeConcernOf(fields.get('writeConcern')) ?? 0);
  if (w < 0 || w > MEMBERS_MAX)
    throw new CommandError(
      9,
      `w has to be a non-negative number and not greater than ${MEMBERS_MAX}; found: ${w}`,
    );
}

/** The members that must have a write, as number or name. Undefined by default. */
function writeConcernOf(given: unknown): unknown {
  const w = Buffer.isBuffer(given) ? decodeDocument(given).w : undefined;
  return w instanceof BSON.Int32 || w instanceof BSON.Double ? w.value : w;
}

/**
 * The answer of a set of one member about a write that it carried out and that nobody else can
 * have: its code and why; undefined where one member is enough. Source: mongodb/mongo,
 * repl_set_config.cpp, `checkIfWriteConcernCanBeSatisfied`.
 */
export function unsatisfied({ fields }: Command): Record<string, unknown> | undefined {
  const w = writeConcernOf(fields.get('writeConcern'));
  if (typeof w === 'number' && w > 1)
    return {
      code: 100,
      codeName: 'UnsatisfiableWriteConcern',
      errmsg: 'Not enough data-bearing nodes',
    };
  if (typeof w === 'string' && w !== 'majority')
    return {
      code: 79,
      codeName: 'UnknownReplWriteConcern',
      errmsg: `No write concern mode named '${w}' found in replica set configuration`,
    };
  return undefined;
}

/** The updates of a command that have an operator of which the engine accepts too much. */
function updatesOf(command: Command): readonly Record<string, unknown>[] {
  const { name, fields, document, sequences } = command;
  const raw = sequences.get('updates') ?? document;
  if (!['$inc\0', '$mul\0', '$push\0'].some((operator) => raw.includes(operator))) return [];
  const one = fields.get('update');
  if (name === 'findAndModify') return Buffer.isBuffer(one) ? [decodeDocument(one)] : [];
  if (name !== 'update') return [];
  return statementsOf(command).flatMap((statement) => {
    const { u } = decodeDocument(statement);
    return typeof u === 'object' && u !== null ? [{ ...u }] : [];
  });
}

const NUMBERS: readonly unknown[] = [BSON.Int32, BSON.Double, BSON.Long, BSON.Decimal128];

function refuseUpdate({ $inc, $mul, $push }: Record<string, unknown>): void {
  for (const [name, changes] of Object.entries({ increment: $inc, multiply: $mul }))
    for (const [path, by] of Object.entries(changes ?? {}))
      if (!NUMBERS.some((type) => (by as object | null)?.constructor === type))
        throw new CommandError(
          14,
          `Cannot ${name} with non-numeric argument: {${path}: ${JSON.stringify(by)}}`,
        );
  for (const pushed of Object.values($push ?? {})) {
    if (typeof pushed !== 'object' || pushed === null || !('$each' in pushed)) continue;
    const { $each, $slice } = pushed as { readonly $each: unknown; readonly $slice?: unknown };
    if (!Array.isArray($each))
      throw new CommandError(2, 'The argument to $each in $push must be an array');
    if ($slice !== undefined && !NUMBERS.some((type) => $slice?.constructor === type))
      throw new CommandError(2, 'The value for $slice must be an integer value');
  }
}
