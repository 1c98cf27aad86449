import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { isBefore, useDatabase } from './support/database.ts';

const database = useDatabase();
const things = () => database.db.collection<{ _id: string; n?: number }>('things');

describe('what goes wrong has the code that MongoDB documents', () => {
  it.each([
    {
      what: 'a command nobody knows',
      run: () => database.db.command({ holdMyMoney: 1 }),
      code: 59,
    },
    {
      what: 'an unknown operator in a filter',
      run: () => things().findOne({ $nope: 1 } as never),
      code: 2,
    },
    {
      what: 'an unknown operator in an update',
      run: () => things().updateOne({}, { $nope: { n: 1 } }),
      code: 9,
    },
    {
      what: 'an unknown stage of a pipeline',
      run: () =>
        things()
          .aggregate([{ $nope: {} }])
          .toArray(),
      code: 40324,
    },
    {
      what: 'a change of the id',
      run: () => things().updateOne({ _id: 'a' }, { $set: { _id: 'b' } }),
      code: 66,
    },
    {
      what: 'a number that is added to a text',
      run: () => things().updateOne({ _id: 'a' }, [{ $set: { n: { $add: ['$text', 1] } } }]),
      code: 14,
      before61: 16_554, // source: mongodb/mongo, src/mongo/db/pipeline/expression.cpp, $add
    },
    {
      what: 'an index on something that cannot be one',
      run: () => things().createIndex({ a: 'nope' } as never, {}, {}),
      code: 67,
    },
  ])('$what: $code', async ({ run, code: newest, before61 = newest }) => {
    const code = (await isBefore(database.client, 6, 1)) ? before61 : newest;
    await things().updateOne({ _id: 'a' }, { $set: { text: 'x' } }, { upsert: true });
    await expect(run()).rejects.toMatchObject({ code });
  });

  it('a document over 16 MB is refused', async () => {
    const big = { _id: 'big', text: 'x'.repeat(16 * 1024 * 1024) };
    await expect(database.db.collection<typeof big>('big').insertOne(big)).rejects.toThrow();
  });
});

describe('a time limit', () => {
  it('ends a command that waits too long for another', async () => {
    await things().updateOne({ _id: 'held' }, { $set: { n: 0 } }, { upsert: true });
    const session = database.client.startSession();
    session.startTransaction();
    await things().updateOne({ _id: 'held' }, { $inc: { n: 1 } }, { session });
    const waiting = things().findOneAndUpdate(
      { _id: 'held' },
      { $inc: { n: 1 } },
      { maxTimeMS: 300 },
    );
    await expect(waiting).rejects.toMatchObject({ code: 50 });
    await session.abortTransaction();
    await session.endSession();
    expect(await things().findOne({ _id: 'held' })).toEqual({ _id: 'held', n: 0 });
  });
});

/** How many inserts the server says it was asked for. */
function inserts(status: Document): number {
  const { opcounters } = status as { readonly opcounters: { readonly insert: number } };
  return opcounters.insert;
}

describe('the server', () => {
  it('says what it is', async () => {
    const admin = database.client.db('admin');
    const hello = await admin.command({ hello: 1 });
    expect(hello).toMatchObject({ isWritablePrimary: true, ok: 1 });
    expect(hello.setName ?? hello.msg).toBeTypeOf('string'); // the set's name; of a router, what it is
    const build = await admin.command({ buildInfo: 1 });
    expect(build.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(await admin.command({ ping: 1 })).toMatchObject({ ok: 1 });
    const before = await admin.command({ serverStatus: 1 });
    await things().insertOne({ _id: 'counted' });
    const after = await admin.command({ serverStatus: 1 });
    expect(inserts(after)).toBeGreaterThan(inserts(before));
  });
});
