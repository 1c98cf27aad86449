import { BSON } from 'bson';
import { decodeDocument, OK, type Command } from './command.ts';
import { CommandError, failureOf, lostUpsertRace, unpackSqlState } from './errors.ts';
import { answer, type Answer, type Handler } from './handler.ts';
import { bufferOf, correctNoOp } from './no-op.ts';
import { documentIn, type SqlResult } from './sql.ts';

const INSERT = 'SELECT p_result::bytea, p_success FROM documentdb_api.insert($1, $2, $3, $4)';
const UPDATE = 'SELECT p_result::bytea, p_success FROM documentdb_api.update($1, $2, $3, $4)';
const DELETE = 'SELECT p_result::bytea, p_success FROM documentdb_api.delete($1, $2, $3, $4)';
const UPSERT = 'SELECT p_result, p_success FROM documentdb_local.update($1, $2, $3, $4, $5)';
const FIND_AND_MODIFY =
  'SELECT p_result::bytea, p_success FROM documentdb_api.find_and_modify($1, $2, $3)';
const FIND_AND_UPSERT =
  'SELECT p_result, p_success FROM documentdb_local.find_and_modify($1, $2, $3, $4)';

/** The engine is to remember no write: `RetryableWrites` knows what was carried out. */
const NO_REPEAT = null;

/**
 * insert, update and delete: the body passes through as it is, and the documents that came beside
 * it as they are.
 */
function write(text: string, sequence: string): Handler {
  return async (command, { run }) => {
    const documents = command.sequences.get(sequence) ?? null;
    const values = [command.database, command.document, documents, NO_REPEAT];
    return readResult(await run(text, values), command);
  };
}

const plainUpdate = write(UPDATE, 'updates');

const update: Handler = async (command, context) => {
  const updates = command.sequences.get('updates') ?? null;
  // The word in a value only costs a few microseconds; that it is missing is what counts.
  const mayUpsert = (updates ?? command.document).includes('upsert');
  if (command.inTransaction || !mayUpsert) return plainUpdate(command, context);
  const { database, collection, document } = command;
  const values = [database, collection, document, updates, NO_REPEAT];
  return readResult(await context.run(UPSERT, values), command);
};

const findAndModify: Handler = async (command, { run }) => {
  const { database, collection, document } = command;
  const upserts = command.fields.get('upsert') === true && !command.inTransaction;
  const rows = upserts
    ? await run(FIND_AND_UPSERT, [database, collection, document, NO_REPEAT])
    : await run(FIND_AND_MODIFY, [database, document, NO_REPEAT]);
  const result = readResult(rows, command);
  if (result.failed) return result;
  const reply = bufferOf(result.document);
  correctNoOp(reply);
  return { document: reply, failed: false };
};

/** The commands that write documents. The driver repeats them after a broken connection. */
export const writeHandlers: Readonly<Record<string, Handler>> = {
  insert: write(INSERT, 'documents'),
  update,
  delete: write(DELETE, 'deletes'),
  findAndModify,
  findandmodify: findAndModify,
};

function readResult(rows: readonly SqlResult[][], command: Command): Answer {
  const document = documentIn(rows, 0) ?? OK;
  return rows[0]?.[1] === false ? readWriteErrors(document, command) : answer(document);
}

/** One failed statement, as the engine describes it; `code` holds a packed SQL state. */
type WriteError = { readonly index: unknown; readonly code: unknown; readonly errmsg: unknown };

/**
 * Gives failed statements MongoDB's codes.
 *
 * Where nothing at all was written because of a conflict, the whole command has failed, so that
 * it can be repeated as one.
 *
 * @throws CommandError for such a conflict
 */
function readWriteErrors(document: Uint8Array, command: Command): Answer {
  const result = decodeDocument(document);
  // The engine's own shape; see WriteError.
  const errors = (result.writeErrors ?? []) as readonly WriteError[];
  const nothingWritten = Number(result.n ?? 0) === 0;
  const mapped = errors.map(({ index, code, errmsg }) => {
    const state = unpackSqlState(Number(code));
    const failure = failureOf(state, String(errmsg), command.inTransaction);
    const repeatable = [1, 24, 91, 112].includes(failure.code) || lostUpsertRace(failure.message);
    if (nothingWritten && repeatable) throw new CommandError(failure.code, failure.message);
    return { index, code: failure.code, errmsg: describe(failure.code, failure.message, command) };
  });
  return { document: BSON.serialize({ ...result, writeErrors: mapped }), failed: true };
}

/** Duplicate keys are worded as MongoDB words them: drivers and tools read the index from it. */
function describe(code: number, message: string, command: Command): string {
  if (code !== 11000) return message;
  const index = /[Ii]ndex '?([^'\s]+)'?/.exec(message)?.[1] ?? '_id_';
  return `E11000 duplicate key error collection: ${command.database}.${command.collection} index: ${index} : ${message}`;
}
