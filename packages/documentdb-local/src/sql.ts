import { Pool, type ClientBase, type QueryArrayConfig } from 'pg';

/** Where PostgreSQL answers. */
export type Connection = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
};

/** A parameter of a statement: BSON goes in as binary, everything else as text. */
export type SqlValue = string | Buffer | null;

/** A value of a row: BSON comes back as `bytea`, booleans as such, 64-bit integers as text. */
export type SqlResult = Buffer | string | boolean | number | null;

/** Runs one statement and gives its rows. */
export type RunSql = (text: string, values: readonly SqlValue[]) => Promise<readonly SqlResult[][]>;

/**
 * Cursors that are open keep their place in a file instead of a connection, and the engine's
 * notices stay away.
 */
const SESSION_OPTIONS =
  '-c client_min_messages=error -c documentdb.useFileBasedPersistedCursors=on';

/** A pool of connections; those that are idle survive that the server goes away. */
export function createPool(connection: Connection, connectionCountMax: number): Pool {
  const pool = new Pool({
    ...connection,
    options: SESSION_OPTIONS,
    max: connectionCountMax,
    idleTimeoutMillis: 60_000,
  });
  // An idle connection gets an error nobody asked for when the server stops; the next query finds out.
  pool.on('error', () => undefined);
  return pool;
}

const statementNames = new Map<string, string>();

/** Runs a statement that the server prepares once per connection. */
export async function runOn(
  target: Pool | ClientBase,
  text: string,
  values: readonly SqlValue[],
): Promise<readonly SqlResult[][]> {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `statement-${statementNames.size}`;
    statementNames.set(text, name);
  }
  const query: QueryArrayConfig = { name, text, values: [...values], rowMode: 'array' };
  // Every statement here selects the four types that SqlResult names.
  const { rows } = await target.query<SqlResult[]>(query);
  return rows;
}

/** The document in one place of the first row; undefined where there is no row or no value. */
export function documentIn(rows: readonly SqlResult[][], column: number): Buffer | undefined {
  const value = rows[0]?.[column];
  return Buffer.isBuffer(value) ? value : undefined;
}
