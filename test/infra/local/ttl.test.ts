import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startThrowAwayDatabase, type ThrowAwayDatabase } from '../../support/database.ts';
import { OWN_WRITES } from '../../../lib/mongo/client.ts';

type Mortal = { _id: string; expireAt?: Date };

const HOUR_MS = 3_600_000;

/** A server given by MONGODB_URI sweeps once a minute, and may fall behind. */
const PATIENCE_MS = 150_000;

describe('with the TTL monitor on', () => {
  let database: ThrowAwayDatabase;
  let client: MongoClient;

  beforeAll(async () => {
    database = await startThrowAwayDatabase(1);
    client = await new MongoClient(database.uri, OWN_WRITES).connect();
  });

  afterAll(async () => {
    await client.close();
    await database.stop();
  });

  it(
    'a document whose time has come is deleted, and no other one',
    async () => {
      const db = client.db('test-ttl');
      const all = db.collection<Mortal>('mortal');
      await all.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 }, {});
      await all.insertMany([
        { _id: 'dead', expireAt: new Date(Date.now() - HOUR_MS) },
        { _id: 'alive', expireAt: new Date(Date.now() + HOUR_MS) },
        { _id: 'immortal' },
      ]);
      await expect
        .poll(() => all.distinct('_id'), { timeout: PATIENCE_MS, interval: 200 })
        .toEqual(['alive', 'immortal']);
      await db.dropDatabase();
    },
    PATIENCE_MS + 10_000,
  );
});
