import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { afterAll, beforeAll, inject } from 'vitest';
import { startDatabase, type LocalDatabase } from '../../infra/local/database.ts';
import { ensureIndexes, INDEXES } from '../../lib/store/indexes.ts';
import { COUNTERS } from '../../lib/store/mongo-counter-store.ts';

/** A connection of a test file: its own client, and a database nobody else uses. */
export type TestDatabase = { readonly client: MongoClient; readonly db: Db };

/**
 * Connects a test file to the run's database, under a database name of its own that is dropped when
 * the file is through. Call it at the top of the file; read the result inside tests and hooks.
 */
export function useDatabase(options: MongoClientOptions = {}): TestDatabase {
  let connection: TestDatabase | undefined;
  const current = () => {
    if (connection === undefined) throw new Error('useDatabase: read inside a test or a hook');
    return connection;
  };
  beforeAll(async () => {
    connection = await connect(options);
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

/** Connects to the run's database, under a new database name. Whoever calls it drops and closes it. */
export function connect(options: MongoClientOptions = {}): Promise<TestDatabase> {
  return connectTo(inject('mongodbUri'), options);
}

async function connectTo(uri: string, options: MongoClientOptions = {}): Promise<TestDatabase> {
  const client = new MongoClient(uri, options);
  await client.connect();
  const db = client.db(`test-${randomUUID().slice(0, 8)}`);
  if (inject('isSharded')) await spread(client, db);
  return { client, db };
}

/** Spreads a test's counters over all shards, so that calls over several documents meet several. */
async function spread(client: MongoClient, { databaseName }: Db): Promise<void> {
  const admin = client.db('admin');
  await admin.command({ enableSharding: databaseName }); // needed before MongoDB 6.0
  await admin.command({ shardCollection: `${databaseName}.${COUNTERS}`, key: { _id: 'hashed' } });
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

/** A server beside the run's that ends commits nobody ends after seconds, where others take 60 to 90. */
export type ShortCommits = TestDatabase & { readonly uri: string };

/** How long such a server lets a commit last; one that MONGODB_URI gives keeps its own time. */
const SHORT_COMMIT_SECONDS = 2;

/** Longer than MongoDB lets a commit last, which is up to 90 s, in milliseconds. */
export const ABANDONED_MS = 110_000;

/** Starts such a server for a test file. Call it at the top; read the result inside tests and hooks. */
export function useShortCommits(): ShortCommits {
  let server: ThrowAwayDatabase | undefined;
  let started: ShortCommits | undefined;
  const current = () => {
    if (started === undefined) throw new Error('useShortCommits: read inside a test or a hook');
    return started;
  };
  beforeAll(async () => {
    server = await startThrowAwayDatabase('never');
    const { uri } = server;
    const connection = await connectTo(uri);
    started = { ...connection, uri };
    if (server.isOwn)
      await connection.client
        .db('admin')
        .command({ setParameter: 1, transactionLifetimeLimitSeconds: SHORT_COMMIT_SECONDS });
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
