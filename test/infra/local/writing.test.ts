import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

describe('a document', () => {
  it('is found as it was written', async () => {
    const things = database.db.collection<{ _id: string; n: number }>('things');
    await things.insertOne({ _id: 'a', n: 1 });
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 1 });
  });
});
