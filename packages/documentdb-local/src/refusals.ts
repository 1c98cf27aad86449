import { decodeDocument, type Command } from './command.ts';
import { CommandError } from './errors.ts';
import { refuseShape } from './shapes.ts';

/**
 * Refuses what MongoDB refuses before it looks at a transaction or at a document, in its order. The
 * engine behind the adapter ignores these fields. A command that would fail on MongoDB has to fail
 * here, too.
 *
 * A command that is refused here has not reached its transaction, which goes on; where it was the
 * first one, the transaction has not begun.
 * Sources, in mongodb/mongo under src/mongo/db: initialize_operation_session_info.cpp;
 * `validateSessionOptions` and `validateWriteConcernForTransaction` in transaction_validation.cpp;
 * `canUseTransactions` in commands.cpp; `_initiateCommand`, `_extractReadConcern` and
 * `RunCommandAndWaitForWriteConcern` in service_entry_point_shard_role.cpp.
 *
 * @throws CommandError with MongoDB's code and message
 */
export function refuseMisplaced(command: Command): void {
  refuseShape(command);
  refuseWrongSession(command);
  if (command.inTransaction) refuseOutsideTransactions(command);
  else if (command.number !== undefined && !RETRYABLE.has(command.name))
    throw new CommandError(
      50768,
      `txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and ${command.name} is not a retryable write command.`,
    );
  refuseReadConcern(command);
  refuseWriteConcern(command);
}

/** Commands that drivers number, so that they can be repeated. */
export const RETRYABLE: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'findAndModify',
  'findandmodify',
]);

/** Commands that need no login, and no session: none of them can be part of a transaction. */
const SESSIONLESS: ReadonlySet<string> = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'ping',
  'buildInfo',
  'buildinfo',
  'connectionStatus',
]);

/** Commands that end a transaction. */
export const ENDING: ReadonlySet<string> = new Set(['commitTransaction', 'abortTransaction']);

const IN_TRANSACTIONS: ReadonlySet<string> = new Set([
  ...RETRYABLE,
  ...ENDING,
  'aggregate',
  'create',
  'createIndexes',
  'distinct',
  'find',
  'getMore',
  'killCursors',
]);

const WITH_WRITE_CONCERN: ReadonlySet<string> = new Set([
  ...RETRYABLE,
  ...ENDING,
  'create',
  'createIndexes',
  'dropIndexes',
  'drop',
  'dropDatabase',
  'collMod',
]);

/** Stages that read or write what no transaction covers. */
const STAGES_OUTSIDE: ReadonlySet<string> = new Set([
  '$out',
  '$merge',
  '$changeStream',
  '$collStats',
  '$currentOp',
  '$indexStats',
  '$listSessions',
  '$listLocalSessions',
  '$planCacheStats',
]);

const LEVELS: ReadonlySet<unknown> = new Set([undefined, 'local', 'majority', 'snapshot']);

/** A document without fields: what is given but says nothing. */
const EMPTY_BYTES = 5;

function refuseWrongSession({ name, sessionId, number, fields }: Command): void {
  if (SESSIONLESS.has(name)) {
    if (fields.has('autocommit'))
      throw new CommandError(263, 'This command is not supported in transactions');
    if (number !== undefined)
      throw new CommandError(50889, 'It is illegal to provide a txnNumber for this command');
  }
  const invalid = (message: string) => new CommandError(72, message);
  if (number !== undefined && sessionId === '')
    throw invalid('Transaction number requires a session ID to also be specified');
  if (number !== undefined && number < 0n) throw invalid('Transaction number cannot be negative');
  const autocommit = fields.get('autocommit');
  const starts = fields.get('startTransaction');
  if (autocommit !== undefined && number === undefined)
    throw invalid("'autocommit' field requires a transaction number to also be specified");
  if (autocommit === true) throw invalid('Specifying autocommit=true is not allowed.');
  if (starts !== undefined && autocommit === undefined)
    throw invalid("'startTransaction' field requires 'autocommit' field to also be specified");
  if (starts === false) throw invalid('Specifying startTransaction=false is not allowed.');
}

function refuseOutsideTransactions({ name, database, collection, ...command }: Command): void {
  const refuse = (message: string) => new CommandError(263, message);
  if (name === 'count')
    throw refuse(
      "Cannot run 'count' in a multi-document transaction. Please see http://dochub.mongodb.org/core/transaction-count for a recommended alternative.",
    );
  if (!IN_TRANSACTIONS.has(name))
    throw refuse(`Cannot run '${name}' in a multi-document transaction.`);
  if (database === 'local')
    throw refuse("Cannot run command against the 'local' database in a transaction.");
  if (collection === 'system.profile' || collection === 'system.views')
    throw refuse(
      `Cannot run command against the '${database}.${collection}' collection in a transaction.`,
    );
  if (database === 'config')
    throw refuse('Cannot run command against the config database in a transaction.');
  if (!command.startsTransaction) return;
  if (name === 'killCursors')
    throw refuse('Cannot run killCursors as the first operation in a multi-document transaction.');
  if (name === 'commitTransaction') throw refuse('Cannot start a transaction with a commit');
  if (name === 'abortTransaction') throw refuse('Cannot start a transaction with an abort');
}

function refuseReadConcern({ inTransaction, startsTransaction, fields }: Command): void {
  if (!inTransaction) return;
  const given = fields.get('readConcern');
  if (!Buffer.isBuffer(given) || given.length <= EMPTY_BYTES) return;
  if (!startsTransaction)
    throw new CommandError(72, 'Only the first command in a transaction may specify a readConcern');
  const { level, afterOpTime } = decodeDocument(given);
  if (!LEVELS.has(level))
    throw new CommandError(
      72,
      "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction",
    );
  if (afterOpTime !== undefined)
    throw new CommandError(72, "The readConcern cannot specify 'afterOpTime' in a transaction");
}

function refuseWriteConcern(command: Command): void {
  const given = command.fields.get('writeConcern');
  if (given === undefined) return;
  const { name, inTransaction } = command;
  if (!WITH_WRITE_CONCERN.has(name) && !writesByStage(command))
    throw new CommandError(72, 'Command does not support writeConcern');
  const isEmpty = Buffer.isBuffer(given) && given.length <= EMPTY_BYTES;
  if (inTransaction && !isEmpty && !ENDING.has(name))
    throw new CommandError(72, 'writeConcern is not allowed within a multi-statement transaction');
}

/**
 * Refuses what MongoDB refuses of a transaction's command when it runs. The session is checked out by
 * then, so the transaction ends.
 * Sources, in mongodb/mongo under src/mongo/db: `doTransactionValidationForWrites` in
 * transaction_validation.cpp, which commands/write_commands.cpp and find_and_modify.cpp call;
 * `assertSupportsMultiDocumentTransaction` in pipeline/lite_parsed_pipeline.cpp, which
 * commands/run_aggregate.cpp calls; `CheckoutSessionAndInvokeCommand` in
 * service_entry_point_shard_role.cpp.
 *
 * @throws CommandError with MongoDB's code and message
 */
export function refuseContent(command: Command): void {
  const { name, database, collection, fields } = command;
  if (RETRYABLE.has(name) && collection.startsWith('system.'))
    throw new CommandError(
      50791,
      `Cannot write to system collection ${database}.${collection} within a transaction.`,
    );
  if (name !== 'aggregate') return;
  const refuse = (what: string) =>
    new CommandError(
      263,
      `Operation not permitted in transaction :: caused by :: ${what} cannot run within a multi-document transaction`,
    );
  if (fields.get('explain') === true) throw refuse('Explain for the aggregate command');
  const outside = stagesOf(command).find((stage) => STAGES_OUTSIDE.has(stage));
  if (outside !== undefined) throw refuse(`Aggregation stage ${outside}`);
}

function writesByStage(command: Command): boolean {
  return stagesOf(command).some((stage) => stage === '$out' || stage === '$merge');
}

function stagesOf({ name, fields }: Command): readonly string[] {
  const pipeline = fields.get('pipeline');
  if (name !== 'aggregate' || !Buffer.isBuffer(pipeline)) return [];
  return Object.values(decodeDocument(pipeline)).flatMap((stage) =>
    typeof stage === 'object' && stage !== null ? Object.keys(stage).slice(0, 1) : [],
  );
}
