import { randomUUID } from 'node:crypto';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { afterAll, beforeAll, inject } from 'vitest';

/** A connection of a test file: its own client, and a database nobody else uses. */
type TestDatabase = { readonly client: MongoClient; readonly db: Db };

/**
 * Connects a test file to the run's server, under a database name of its own that is dropped when the
 * file is through. Call it at the top of the file; read the result inside tests and hooks.
 */
export function useDatabase(options: MongoClientOptions = {}): TestDatabase {
  let connection: TestDatabase | undefined;
  const current = () => {
    if (connection === undefined) throw new Error('useDatabase: read inside a test or a hook');
    return connection;
  };
  beforeAll(async () => {
    const client = await new MongoClient(inject('mongodbUri'), options).connect();
    connection = { client, db: client.db(`test-${randomUUID().slice(0, 8)}`) };
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

/** Whether the server is a router of shards. Some answers are a router's own. */
export async function isRouter(client: MongoClient): Promise<boolean> {
  return (await client.db('admin').command({ hello: 1 })).msg === 'isdbgrid';
}

/** Whether the server is older than a version of MongoDB, such as 6.1. */
export async function isBefore(client: MongoClient, major: number, minor: number) {
  const { versionArray } = await client.db('admin').command({ buildInfo: 1 });
  const [is = 0, within = 0] = versionArray as readonly number[];
  return is < major || (is === major && within < minor);
}
