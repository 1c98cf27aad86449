import { randomUUID } from 'node:crypto';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { afterAll, beforeAll, inject } from 'vitest';

/** A connection of a test file: its own client, and a database nobody else uses. */
export type TestDatabase = { readonly client: MongoClient; readonly db: Db };

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
