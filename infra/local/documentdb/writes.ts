import { BSON } from 'bson';
import { decodeDocument, OK, type Command } from './command.ts';
import { CommandError, failureOf, lostUpsertRace, unpackSqlState } from './errors.ts';
import { answer, type Answer, type Handler } from './handler.ts';
import { documentIn, type SqlResult } from './sql.ts';

/**
 * insert, update and delete: the body passes through as it is, and the documents that came beside
 * it as they are.
 */
function write(command: 'insert' | 'update' | 'delete', sequence: string): Handler {
  const text = `SELECT p_result::bytea, p_success FROM documentdb_api.${command}($1, $2, $3, $4)`;
  return async (request, { run, retryId }) => {
    const documents = request.sequences.get(sequence) ?? null;
    const rows = await run(text, [request.database, request.document, documents, retryId]);
    return readResult(rows, request);
  };
}

const FIND_AND_MODIFY =
  'SELECT p_result::bytea, p_success FROM documentdb_api.find_and_modify($1, $2, $3)';

const findAndModify: Handler = async (command, { run, retryId }) =>
  readResult(await run(FIND_AND_MODIFY, [command.database, command.document, retryId]), command);

/** The commands that write documents. The driver repeats them after a broken connection. */
export const writeHandlers: Readonly<Record<string, Handler>> = {
  insert: write('insert', 'documents'),
  update: write('update', 'updates'),
  delete: write('delete', 'deletes'),
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
