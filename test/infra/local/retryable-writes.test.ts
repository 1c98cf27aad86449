import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

type Counter = { _id: string; n: number };

const database = useDatabase();
/** The answer to the next request about counters is lost, and its connection with it. */
const LOST = { fault: 'answer-lost', about: 'counters', after: 0, times: 1 } as const;

let proxy: TcpProxy;
let client: MongoClient;

beforeAll(async () => {
  proxy = await startTcpProxy(inject('mongodbUri'));
  client = await new MongoClient(proxy.uri, { retryWrites: true }).connect();
});

afterAll(async () => {
  await client.close();
  proxy.stop();
});

const counters = () => client.db(database.db.databaseName).collection<Counter>('counters');

describe('a write whose answer is lost is repeated by the driver and happens once', () => {
  it.each([
    {
      what: 'an update',
      write: (id: string) =>
        counters().updateOne({ _id: id }, { $inc: { n: 1 } }, { upsert: true }),
      answer: { matchedCount: 0, upsertedCount: 1 },
      n: 1,
    },
    {
      what: 'a findAndModify',
      write: (id: string) =>
        counters().findOneAndUpdate(
          { _id: id },
          [{ $set: { n: { $add: [{ $ifNull: ['$n', 0] }, 1] } } }],
          {
            upsert: true,
            returnDocument: 'after',
          },
        ),
      answer: { n: 1 },
      n: 1,
    },
    {
      what: 'an insert',
      write: (id: string) => counters().insertOne({ _id: id, n: 1 }),
      answer: { acknowledged: true },
      n: 1,
    },
    {
      what: 'an insert of several',
      write: (id: string) =>
        counters().insertMany([
          { _id: id, n: 1 },
          { _id: `${id}-2`, n: 1 },
        ]),
      answer: { insertedCount: 2 },
      n: 1,
    },
    {
      what: 'a deletion',
      write: (id: string) => counters().deleteOne({ _id: `${id}-gone` }),
      answer: { deletedCount: 1 },
      n: undefined,
    },
  ])('$what', async ({ what, write, answer, n }) => {
    await database.db.collection<Counter>('counters').insertOne({ _id: `${what}-gone`, n: 0 });
    proxy.set(LOST);
    expect(await write(what)).toMatchObject(answer);
    expect(proxy.faultCount()).toBe(1);
    const found = await database.db.collection<Counter>('counters').findOne({ _id: what });
    expect(found?.n).toBe(n);
  });

  it('every time, among other callers', async () => {
    for (let round = 1; round <= 5; round += 1) {
      // The driver repeats a write once, so no two answers of one write may be lost.
      proxy.set(LOST);
      await Promise.all(
        Array.from({ length: 10 }, () =>
          counters().updateOne({ _id: 'many' }, { $inc: { n: 1 } }, { upsert: true }),
        ),
      );
      const found = await database.db.collection<Counter>('counters').findOne({ _id: 'many' });
      expect(found?.n).toBe(10 * round);
    }
  });
});
