import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import { startDatabase } from '../infra/local/database.ts';
import type { LocalDatabase } from '../infra/local/database.ts';
import { othersOn } from './builds.ts';
import { OWN_WRITES } from '../lib/mongo/client.ts';

/** A database for one run of the benchmark, and a connection to it. */
export type BenchDatabase = {
  readonly server: Pick<LocalDatabase, 'uri' | 'engine' | 'version' | 'processId'>;
  readonly db: Db;
};

/** On a server that is given, a name that nobody uses for something else, and no other run beside this one. */
const DATABASE_NAME = `headroom-bench-${process.pid}`;

/** Runs a task on a throw-away database and removes it afterwards, also when the task fails. */
export async function onDatabase<T>(
  report: (line: string) => void,
  task: (database: BenchDatabase) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'headroom-bench-'));
  try {
    const server = await startDatabase({
      folder,
      keepsData: false,
      ttlSweepSeconds: 'never',
      report,
    });
    try {
      return await onServer(server, task);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function onServer<T>(
  server: LocalDatabase,
  task: (database: BenchDatabase) => Promise<T>,
): Promise<T> {
  const client = new MongoClient(server.uri, {
    appName: 'headroom-bench',
    readConcern: { level: 'local' },
    retryReads: true,
    maxPoolSize: 100,
    promoteLongs: true,
    ...OWN_WRITES,
  });
  const db = client.db(DATABASE_NAME);
  const all = [db, ...othersOn(db)];
  try {
    for (const one of all) await one.dropDatabase();
    return await task({ server, db });
  } finally {
    for (const one of all) await one.dropDatabase().catch(() => undefined);
    await client.close();
  }
}
