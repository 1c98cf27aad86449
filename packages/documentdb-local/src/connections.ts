import { DatabaseError, Pool, type PoolClient, type QueryArrayConfig } from 'pg';
import type { CollectionMemories } from './collection-memories.ts';
import type { RunSql, SqlResult, SqlValue } from './sql.ts';

/** Where PostgreSQL answers. */
export type Connection = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
};

/** How to connect to the server: trusted, over its socket. */
export function connectionTo(socketFolder: string): Connection {
  return { host: socketFolder, port: 5432, user: 'postgres', database: 'postgres' };
}

/**
 * Cursors that are open keep their place in a file instead of a connection, and the engine's
 * notices stay away.
 */
const SESSION_OPTIONS =
  '-c client_min_messages=error -c documentdb.useFileBasedPersistedCursors=on';

const statementNames = new Map<string, string>();

/** Connections that are used again; one that breaks is replaced when the next one is needed. */
export class Connections {
  readonly #pool: Pool;
  readonly #memories: CollectionMemories;

  /** @param lockMsMax longest wait for a row that another write has. Default: no end */
  constructor(
    connection: Connection,
    countMax: number,
    memories: CollectionMemories,
    lockMsMax = 0,
  ) {
    this.#memories = memories;
    this.#pool = new Pool({
      ...connection,
      options: `${SESSION_OPTIONS} -c lock_timeout=${lockMsMax}`,
      max: countMax,
      idleTimeoutMillis: 60_000,
    });
    // A connection gets an error nobody asked for when the server stops; the next query finds out.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => client.on('error', ignore));
  }

  /** Runs one statement by itself. */
  readonly run: RunSql = async (text, values) => {
    const client = await this.take();
    try {
      const rows = await this.runOn(client, text, values);
      client.release();
      return rows;
    } catch (error) {
      client.release(!isAnswer(error));
      throw error;
    }
  };

  /** A connection for a transaction. The caller releases it. */
  async take(): Promise<PoolClient> {
    const client = await this.#pool.connect();
    try {
      await this.#memories.refresh(client);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Runs a statement that the server prepares once per connection. */
  async runOn(
    client: PoolClient,
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
    const { rows } = await this.#memories.during(client, () => client.query<SqlResult[]>(query));
    return rows;
  }

  /** Carries out what drops or changes collections: no connection remembers them as they were. */
  async changeCollections<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.#memories.change(run);
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

/** Whether the server has answered so, and goes on: a statement that fails costs no connection. */
export function isAnswer(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR';
}

function ignore(): void {
  // Deliberately nothing: the next query on the connection reports it.
}
