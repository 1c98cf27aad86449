import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';

type Mortal = { _id: string; expireAt?: Date };

const HOUR_MS = 3_600_000;

describe("the run's own database", () => {
  const database = useDatabase();

  it('is asked to keep dead documents: no answer may depend on the monitor', async () => {
    const all = database.db.collection<Mortal>('mortal');
    await all.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 }, {});
    await all.insertOne({ _id: 'dead', expireAt: new Date(Date.now() - HOUR_MS) });
    expect(await all.findOne({ _id: 'dead' })).not.toBeNull();
  });
});
