import { setTimeout } from 'node:timers/promises';
import type { ClientSession, Collection, MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';

type Counter = { _id: string; n: number };

const database = useDatabase();

/** A collection in which a commit has changed one document and made another, and is not over. */
async function blocked(name: string) {
  const all = database.db.collection<Counter>(name);
  await all.insertOne({ _id: 'a', n: 0 });
  const session = database.client.startSession();
  session.startTransaction();
  await all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
  await all.insertOne({ _id: 'b', n: 0 }, { session });
  return { all, session };
}

async function end(session: ClientSession, how: 'committed' | 'aborted'): Promise<void> {
  await (how === 'committed' ? session.commitTransaction() : session.abortTransaction());
  await session.endSession();
}

const MORE = { $inc: { n: 10 } };

type Row = {
  readonly name: string;
  readonly write: (all: Collection<Counter>, maxTimeMS: number) => Promise<unknown>;
};

const WRITES: readonly Row[] = [
  {
    name: 'findAndModify',
    write: (all, maxTimeMS) => all.findOneAndUpdate({ _id: 'a' }, MORE, { maxTimeMS }),
  },
  {
    name: 'findAndModify with upsert',
    write: (all, maxTimeMS) =>
      all.findOneAndUpdate({ _id: 'a' }, MORE, { upsert: true, maxTimeMS }),
  },
  {
    name: 'findAndModify of what the commit makes',
    write: (all, maxTimeMS) =>
      all.findOneAndUpdate({ _id: 'b' }, MORE, { upsert: true, maxTimeMS }),
  },
  {
    name: 'update',
    write: (all, maxTimeMS) => all.updateOne({ _id: 'a' }, MORE, { maxTimeMS }),
  },
  {
    name: 'update with upsert',
    write: (all, maxTimeMS) => all.updateOne({ _id: 'b' }, MORE, { upsert: true, maxTimeMS }),
  },
  { name: 'insert', write: (all, maxTimeMS) => all.insertOne({ _id: 'b', n: 10 }, { maxTimeMS }) },
  { name: 'delete', write: (all, maxTimeMS) => all.deleteOne({ _id: 'a' }, { maxTimeMS }) },
];

describe('a write that meets a document of a commit', () => {
  it.each(WRITES)('ends at its maxTimeMS, and is not done later: $name', async (row) => {
    const { all, session } = await blocked(`ends ${row.name}`);
    const error = await row.write(all, 300).then(
      () => undefined,
      (reason: unknown) => reason as MongoServerError,
    );
    expect(error).toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
    // So nothing was written. The error of a write concern, after the write, has ok: 1.
    expect(error?.errorResponse.ok).toBe(0);
    await end(session, 'aborted');
    await setTimeout(200);
    expect(await all.find().toArray()).toEqual([{ _id: 'a', n: 0 }]);
  });

  it.each([
    { name: 'findAndModify', how: 'committed', n: 11 },
    { name: 'findAndModify', how: 'aborted', n: 10 },
    { name: 'update', how: 'committed', n: 11 },
    { name: 'update', how: 'aborted', n: 10 },
  ] as const)(
    'is done after the commit is $how, by the instant at which it came: $name',
    async ({ name, how, n }) => {
      const { all, session } = await blocked(`waits ${name} ${how}`);
      const { localTime } = await database.client.db('admin').command({ hello: 1 });
      const soon = new Date((localTime as Date).getTime() + 500); // as its command says
      // Not a plain comparison, which DocumentDB looks for in an index.
      const filter = { _id: 'a', $expr: { $not: [{ $gte: ['$$NOW', soon] }] } };
      const plain =
        name === 'update'
          ? all.updateOne(filter, MORE, { maxTimeMS: 60_000 })
          : all.findOneAndUpdate(filter, MORE, { maxTimeMS: 60_000 });
      await setTimeout(1_000);
      await end(session, how);
      await plain;
      expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n });
    },
  );

  it('does not keep others from other documents', async () => {
    const { all, session } = await blocked('others');
    const waiting = Array.from({ length: 20 }, () =>
      all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { maxTimeMS: 60_000 }),
    );
    await all.insertOne({ _id: 'c', n: 0 });
    await all.findOneAndUpdate({ _id: 'c' }, MORE);
    expect(await all.findOne({ _id: 'c' })).toEqual({ _id: 'c', n: 10 });
    expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 0 });
    await end(session, 'aborted');
    await Promise.all(waiting);
    expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 20 });
  });
});
