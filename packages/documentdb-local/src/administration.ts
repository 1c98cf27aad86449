import { BSON } from 'bson';
import { decodeDocument, OK, type Command } from './command.ts';
import { CommandError, failureOf, unpackSqlState } from './errors.ts';
import { answer, type Handler } from './handler.ts';
import { documentIn, type SqlValue } from './sql.ts';

/** A statement whose single value is the answer. */
function statement(text: string, values: (command: Command) => readonly SqlValue[]): Handler {
  return async (command, { run }) => answer(documentIn(await run(text, values(command)), 0) ?? OK);
}

/** A statement that only does something, and the answer that says so. */
function action(
  text: string,
  values: (command: Command) => readonly SqlValue[],
  result: (command: Command) => Record<string, unknown>,
): Handler {
  return async (command, { run }) => {
    await run(text, values(command));
    return answer(BSON.serialize({ ...result(command), ok: 1 }));
  };
}

const databaseAndBody = (command: Command) => [command.database, command.document];
const databaseAndCollection = (command: Command) => [command.database, command.collection];

/** The engine answers true or false and a packed SQL state where MongoDB answers 1 or 0 and a code. */
const dropIndexes: Handler = async (command, { run }) => {
  const rows = await run('CALL documentdb_api.drop_indexes($1, $2)', databaseAndBody(command));
  const result = decodeDocument(readBson(rows[0]?.[0]) ?? OK);
  if (result.ok !== false) return answer(BSON.serialize({ ...result, ok: 1 }));
  const state = unpackSqlState(Number(result.code));
  const failure = failureOf(state, String(result.errmsg), command.inTransaction);
  throw new CommandError(failure.code, failure.message);
};

/** A call cannot cast its result to bytea, so this BSON comes as text: "BSONHEX" and digits. */
function readBson(value: unknown): Buffer | undefined {
  if (typeof value !== 'string') return undefined;
  return Buffer.from(value.replace(/^BSONHEX/, ''), 'hex');
}

/** The commands about collections, indexes and databases, and the two that count. */
export const administrationHandlers: Readonly<Record<string, Handler>> = {
  count: statement(
    'SELECT document::bytea FROM documentdb_api.count_query($1, $2)',
    databaseAndBody,
  ),
  distinct: statement(
    'SELECT document::bytea FROM documentdb_api.distinct_query($1, $2)',
    databaseAndBody,
  ),
  create: statement('SELECT documentdb_api.create_collection_view($1, $2)::bytea', databaseAndBody),
  collMod: statement('SELECT documentdb_api.coll_mod($1, $2, $3)::bytea', (command) => [
    ...databaseAndCollection(command),
    command.document,
  ]),
  // The third argument allows it on collections that exist. It is done when the answer comes.
  createIndexes: statement(
    'SELECT documentdb_api_internal.create_indexes_non_concurrently($1, $2, true)::bytea',
    databaseAndBody,
  ),
  dropIndexes,
  drop: action(
    'SELECT documentdb_api.drop_collection($1, $2)',
    databaseAndCollection,
    (command) => ({ ns: `${command.database}.${command.collection}` }),
  ),
  dropDatabase: action(
    'SELECT documentdb_api.drop_database($1)',
    (command) => [command.database],
    (command) => ({ dropped: command.database }),
  ),
  listDatabases: statement('SELECT documentdb_api.list_databases($1)::bytea', (command) => [
    command.document,
  ]),
  collStats: statement('SELECT documentdb_api.coll_stats($1, $2)::bytea', databaseAndCollection),
  dbStats: statement('SELECT documentdb_api.db_stats($1)::bytea', (command) => [command.database]),
};
