import { MongoServerError, WriteConcern } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';

type Account = { _id: string; n: number };

const database = useDatabase();
const accounts = (name: string) => database.db.collection<Account>(name);

/** The error of a promise that has to fail on the server. */
async function failureOf(promise: Promise<unknown>): Promise<MongoServerError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof MongoServerError) return error;
  throw new Error(`expected an error of the server, got ${String(error)}`);
}

describe('a multi-document commit', () => {
  it('shows all of its writes at once, or none', async () => {
    const all = accounts('together');
    await all.insertMany([
      { _id: 'a', n: 0 },
      { _id: 'b', n: 0 },
    ]);
    await database.client.withSession(async (session) => {
      session.startTransaction({ writeConcern: new WriteConcern('majority') });
      await all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
      await all.insertOne({ _id: 'c', n: 1 }, { session });
      expect(await all.findOne({ _id: 'a' }, { session })).toEqual({ _id: 'a', n: 1 });
      expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 0 });
      await session.commitTransaction();
      // The driver may ask again when it did not hear the answer.
      await session.commitTransaction();
      expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 1 });

      session.startTransaction();
      await all.updateOne({ _id: 'b' }, { $inc: { n: 1 } }, { session });
      await all.deleteOne({ _id: 'c' }, { session });
      await session.abortTransaction();
    });
    expect(await all.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 0 },
      { _id: 'c', n: 1 },
    ]);
  });

  it('of 20 callers at once on one document adds up exactly', async () => {
    const all = accounts('many');
    await all.insertOne({ _id: 'a', n: 0 });
    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.client.withSession((session) =>
          session.withTransaction(async () => {
            const found = await all.findOne({ _id: 'a' }, { session });
            await all.updateOne({ _id: 'a' }, { $set: { n: (found?.n ?? 0) + 1 } }, { session });
          }),
        ),
      ),
    );
    expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 20 });
  });

  it('that meets another one on a document may be begun again', async () => {
    const all = accounts('conflict');
    await all.insertOne({ _id: 'a', n: 0 });
    const first = database.client.startSession();
    const second = database.client.startSession();
    first.startTransaction();
    second.startTransaction();
    await all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: first });
    const error = await failureOf(
      all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: second }),
    );
    expect(error.code).toBe(112);
    expect(error.hasErrorLabel('TransientTransactionError')).toBe(true);
    // After its conflict the transaction is over.
    const gone = await failureOf(all.findOne({ _id: 'a' }, { session: second }));
    expect(gone.code).toBe(251);
    expect(gone.hasErrorLabel('TransientTransactionError')).toBe(true);
    await second.abortTransaction();
    await first.commitTransaction();
    expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 1 });
    await first.endSession();
    await second.endSession();
  });

  it('that meets another one on a document conflicts at once', async () => {
    const all = accounts('at-once');
    await all.insertOne({ _id: 'a', n: 0 });
    const first = database.client.startSession();
    first.startTransaction();
    await all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: first });
    // The quickest of many: a busy machine makes any of them late.
    let quickestMs = Infinity;
    for (let times = 0; times < 200 && quickestMs >= 40; times++)
      await database.client.withSession(async (session) => {
        session.startTransaction();
        await all.findOne({ _id: 'a' }, { session });
        const startedMs = performance.now();
        await failureOf(all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session }));
        quickestMs = Math.min(quickestMs, performance.now() - startedMs);
        await session.abortTransaction();
      });
    await first.abortTransaction();
    await first.endSession();
    expect(quickestMs).toBeLessThan(40);
  });

  it('that creates a document which another one creates, too, may be begun again', async () => {
    const all = accounts('created');
    await all.insertOne({ _id: 'z', n: 0 });
    const pipeline = [{ $set: { n: { $add: [{ $ifNull: ['$n', 0] }, '$$one'] }, at: '$$NOW' } }];
    const options = { upsert: true, let: { one: 1 } };
    await Promise.all(
      Array.from({ length: 10 }, () =>
        database.client.withSession((session) =>
          session.withTransaction(async () => {
            await all.findOneAndUpdate({ _id: 'a' }, pipeline, { ...options, session });
          }),
        ),
      ),
    );
    expect(await all.findOne({ _id: 'a' })).toMatchObject({ n: 10 });
  });

  it('ends with a duplicate key, which is not worth repeating', async () => {
    const all = accounts('duplicate');
    await all.insertOne({ _id: 'a', n: 0 });
    const session = database.client.startSession();
    session.startTransaction();
    await all.insertOne({ _id: 'b', n: 0 }, { session });
    const error = await failureOf(all.insertOne({ _id: 'a', n: 0 }, { session }));
    expect(error.code).toBe(11000);
    expect(error.hasErrorLabel('TransientTransactionError')).toBe(false);
    await session.abortTransaction();
    await session.endSession();
    expect(await all.countDocuments()).toBe(1);
  });

  it('makes a plain write to its document wait until it is through', async () => {
    const all = accounts('waiting');
    await all.insertOne({ _id: 'a', n: 0 });
    const session = database.client.startSession();
    session.startTransaction();
    await all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
    const plain = all.updateOne({ _id: 'a' }, { $inc: { n: 10 } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await session.commitTransaction();
    await plain;
    await session.endSession();
    expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 11 });
  });
});
