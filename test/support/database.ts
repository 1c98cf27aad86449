import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { afterAll, beforeAll, inject } from 'vitest';
import { startDatabase, type LocalDatabase } from '../../infra/local/database.ts';
import { SHARD_KEYS } from '../../cli/shard/plan.ts';
import { COLLECTIONS, ensureIndexes, INDEXES } from '../../lib/health/mongo-indexes.ts';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

/** A connection of a test file: its own client, and a database nobody else uses. */
export type TestDatabase = { readonly client: MongoClient; readonly db: Db };

/**
 * Connects a test file to the run's database, under a database name of its own that is dropped when
 * the file is through. Call it at the top of the file; read the result inside tests and hooks.
 *
 * @param options those of the driver, and whether to make the indexes
 */
export function useDatabase({
  withIndexes = false,
  ...options
}: MongoClientOptions & { readonly withIndexes?: boolean } = {}): TestDatabase {
  let connection: TestDatabase | undefined;
  const current = () => {
    if (connection === undefined) throw new Error('useDatabase: read inside a test or a hook');
    return connection;
  };
  beforeAll(async () => {
    connection = await connect(options);
    if (withIndexes) await makeIndexes(connection.db);
  });
  afterAll(async () => {
    await connection?.db.dropDatabase();
    await connection?.client.close();
  });
  return {
    get client() {
      return current().client;
    },
    get db() {
      return current().db;
    },
  };
}

/** The environment by which a command finds a database. */
export function environmentOf({ db }: Pick<TestDatabase, 'db'>) {
  return { MONGODB_URI: inject('mongodbUri'), MONGODB_DATABASE: db.databaseName };
}

/** Connects to the run's database, under a new database name. The caller drops and closes it. */
export function connect(options: MongoClientOptions = {}): Promise<TestDatabase> {
  return connectTo(inject('mongodbUri'), options);
}

async function connectTo(uri: string, options: MongoClientOptions = {}): Promise<TestDatabase> {
  const client = new MongoClient(uri, { ...OWN_WRITES, ...options });
  await client.connect();
  const db = client.db(`test-${randomUUID().slice(0, 8)}`);
  if (inject('isSharded')) await spread(client, db);
  return { client, db };
}

/**
 * Makes every collection, and spreads over all shards what `headroom shard` spreads, so that calls meet
 * several: a commit over several shards cannot make a collection.
 */
async function spread(client: MongoClient, db: Db): Promise<void> {
  const admin = client.db('admin');
  await admin.command({ enableSharding: db.databaseName }); // needed before MongoDB 6.0
  for (const [name, key] of SHARD_KEYS)
    await admin.command({ shardCollection: `${db.databaseName}.${name}`, key });
  for (const name of COLLECTIONS.filter((one) => !SHARD_KEYS.has(one)))
    await db.createCollection(name);
}

/**
 * 31 years: older MongoDB takes no more seconds than have passed since 1970, later ones a signed
 * 32-bit number. Source: mongo's src/mongo/db/catalog/index_key_validate.cpp, of both.
 */
const NEVER_SECONDS = 1_000_000_000;

/**
 * Makes the indexes, and keeps dead documents: tests tell instants that are long past, and a server
 * that MONGODB_URI names sweeps every minute.
 */
export async function makeIndexes(db: Db): Promise<void> {
  await ensureIndexes(db);
  for (const { collection, options } of INDEXES)
    if (options.expireAfterSeconds !== undefined)
      await db.command({
        collMod: collection,
        index: { name: options.name, expireAfterSeconds: NEVER_SECONDS },
      });
}

/** A server beside the run's, which no other test meets; one that MONGODB_URI gives is the run's itself. */
export type OwnServer = TestDatabase & { readonly uri: string };

/** How long such a server lets a commit last; one that MONGODB_URI gives keeps its own time. */
const SHORT_COMMIT_SECONDS = 2;

/** Longer than MongoDB lets a commit last, which is up to 90 s, in milliseconds. */
export const ABANDONED_MS = 110_000;

/** A server that ends commits nobody ends after seconds, where others take 60 to 90. */
export function useShortCommits(): OwnServer {
  return useOwnServer({ transactionLifetimeLimitSeconds: SHORT_COMMIT_SECONDS });
}

/** Starts a server for a test file. Call it at the top; read the result inside tests and hooks. */
export function useOwnServer(parameters: Readonly<Record<string, number>> = {}): OwnServer {
  let server: ThrowAwayDatabase | undefined;
  let started: OwnServer | undefined;
  const current = () => {
    if (started === undefined) throw new Error('useOwnServer: read inside a test or a hook');
    return started;
  };
  beforeAll(async () => {
    server = await startThrowAwayDatabase('never');
    const { uri } = server;
    const connection = await connectTo(uri);
    started = { ...connection, uri };
    if (server.isOwn && Object.keys(parameters).length > 0)
      await connection.client.db('admin').command({ setParameter: 1, ...parameters });
  });
  afterAll(async () => {
    await started?.db.dropDatabase();
    await started?.client.close();
    await server?.stop();
  });
  return {
    get client() {
      return current().client;
    },
    get db() {
      return current().db;
    },
    get uri() {
      return current().uri;
    },
  };
}

/** A database beside the run's, with settings of its own, and how to be rid of it. */
export type ThrowAwayDatabase = LocalDatabase & { readonly lines: readonly string[] };

/**
 * Starts a second database in a new folder; `stop` removes both. Where MONGODB_URI is set this is
 * that same server, which keeps its own settings.
 */
export async function startThrowAwayDatabase(
  ttlSweepSeconds: number | 'never',
): Promise<ThrowAwayDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'headroom-test-'));
  const lines: string[] = [];
  const database = await startDatabase({
    folder,
    keepsData: false,
    ttlSweepSeconds,
    report: (line) => lines.push(line),
  });
  return {
    ...database,
    ...(database.isOwn ? {} : { uri: inject('mongodbUri') }),
    lines,
    async stop() {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
