import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';

const database = useDatabase();
const numbers = () =>
  database.db.collection<{ _id: number; half: number; text: string }>('numbers');

beforeAll(async () => {
  await numbers().insertMany(
    Array.from({ length: 1000 }, (_, index) => ({
      _id: index,
      half: Math.floor(index / 2),
      text: 'x'.repeat(100),
    })),
  );
});

describe('a cursor', () => {
  it.each([
    { name: 'find', read: () => numbers().find({}, { batchSize: 7 }), count: 1000 },
    {
      name: 'sorted',
      read: () => numbers().find({}, { batchSize: 7, sort: { text: 1, _id: -1 } }),
      count: 1000,
    },
    {
      name: 'aggregate',
      read: () => numbers().aggregate([{ $group: { _id: '$half' } }], { batchSize: 7 }),
      count: 500,
    },
    {
      name: 'limited',
      read: () => numbers().find({}, { batchSize: 7, limit: 20, skip: 5 }),
      count: 20,
    },
  ])('of $name gives every document once over many pages', async ({ read, count }) => {
    const ids = new Set<number>();
    // Both kinds of documents have a number as their id.
    for await (const document of read()) ids.add(document._id as number);
    expect(ids.size).toBe(count);
  });

  it('inside a session with a multi-document commit reads on', async () => {
    await database.client.withSession((session) =>
      session.withTransaction(async () => {
        const cursor = numbers().find({}, { batchSize: 300, session, sort: { _id: 1 } });
        expect(await cursor.toArray()).toHaveLength(1000);
      }),
    );
  });

  it('that is closed early is gone, and a page of it is refused', async () => {
    const cursor = numbers().find({}, { batchSize: 2 });
    await cursor.next();
    const id = cursor.id;
    await cursor.close();
    const more = database.db.command({ getMore: id, collection: 'numbers' });
    await expect(more).rejects.toMatchObject({ code: 43 });
  });

  it('of many may be open at once', async () => {
    const cursors = Array.from({ length: 60 }, () =>
      numbers().find({}, { batchSize: 300, sort: { text: 1 } }),
    );
    await Promise.all(cursors.map((cursor) => cursor.next()));
    const counts = await Promise.all(
      cursors.map(async (cursor) => (await cursor.toArray()).length),
    );
    expect(new Set(counts)).toEqual(new Set([999]));
  });
});
