import { Long } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';

type Thing = { _id: string; n: number; tags?: string[]; big?: Long };

const database = useDatabase();
const things = (name: string) => database.db.collection<Thing>(name);

describe('documents', () => {
  it('are found as they were written', async () => {
    const all = things('written');
    const result = await all.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 2, tags: ['$x', 'y'] },
      { _id: 'c', n: 3 },
    ]);
    expect(result.insertedCount).toBe(3);
    expect(await all.findOne({ _id: 'b' })).toEqual({ _id: 'b', n: 2, tags: ['$x', 'y'] });
    expect(await all.find({ n: { $gte: 2 } }, { sort: { n: -1 } }).toArray()).toEqual([
      { _id: 'c', n: 3 },
      { _id: 'b', n: 2, tags: ['$x', 'y'] },
    ]);
    expect(await all.countDocuments({ n: { $lt: 3 } })).toBe(2);
    expect(await all.estimatedDocumentCount()).toBe(3);
    expect(await all.distinct('n', { n: { $gt: 1 } })).toEqual([2, 3]);
  });

  it('keep 64-bit integers exact', async () => {
    const all = things('exact');
    const big = Long.fromString('9007199254740993'); // 2^53 + 1
    await all.insertOne({ _id: 'a', n: 1, big });
    await all.updateOne({ _id: 'a' }, [{ $set: { big: { $add: ['$big', 2] } } }]);
    const found = await all.findOne({ _id: 'a' }, { promoteLongs: false });
    expect(found?.big?.toString()).toBe('9007199254740995');
  });

  it('are changed and counted: what matched, and what became different', async () => {
    const all = things('changed');
    await all.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ]);
    expect(await all.updateMany({ n: 1 }, { $inc: { n: 1 } })).toMatchObject({
      matchedCount: 2,
      modifiedCount: 2,
    });
    expect(await all.updateOne({ _id: 'a' }, { $set: { n: 2 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
    expect(await all.updateOne({ _id: 'a' }, [{ $set: { n: '$n' } }])).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
    expect(await all.updateOne({ _id: 'x' }, { $set: { n: 9 } }, { upsert: true })).toMatchObject({
      matchedCount: 0,
      upsertedId: 'x',
    });
    expect(await all.replaceOne({ _id: 'x' }, { n: 10 })).toMatchObject({ modifiedCount: 1 });
    expect(await all.deleteOne({ _id: 'x' })).toMatchObject({ deletedCount: 1 });
    expect(await all.deleteMany({})).toMatchObject({ deletedCount: 2 });
  });

  it('are written in bulk, and what follows a failed one in order is not written', async () => {
    const all = things('bulk');
    const result = await all.bulkWrite([
      { insertOne: { document: { _id: 'a', n: 1 } } },
      { updateOne: { filter: { _id: 'a' }, update: { $inc: { n: 1 } } } },
      { updateOne: { filter: { _id: 'b' }, update: { $inc: { n: 5 } }, upsert: true } },
      { deleteOne: { filter: { _id: 'a' } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      modifiedCount: 1,
      upsertedCount: 1,
      deletedCount: 1,
    });
    const repeated = all.insertMany([
      { _id: 'c', n: 1 },
      { _id: 'b', n: 1 },
      { _id: 'd', n: 1 },
    ]);
    await expect(repeated).rejects.toMatchObject({ code: 11000, result: { insertedCount: 1 } });
    expect(await all.distinct('_id')).toEqual(['b', 'c']);
  });

  it('of a large batch arrive whole', async () => {
    const all = database.db.collection<{ _id: number; text: string }>('large');
    const documents = Array.from({ length: 3000 }, (_, index) => ({
      _id: index,
      text: 'x'.repeat(2000),
    }));
    expect(await all.insertMany(documents)).toMatchObject({ insertedCount: 3000 });
    expect(await all.countDocuments()).toBe(3000);
  });
});

describe('a write that nobody waits for', () => {
  it('is carried out before what the same connection asks next', async () => {
    const all = things('unanswered');
    await all.insertOne({ _id: 'a', n: 0 });
    await all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { writeConcern: { w: 0 } });
    await expect.poll(async () => (await all.findOne({ _id: 'a' }))?.n).toBe(1);
  });
});
