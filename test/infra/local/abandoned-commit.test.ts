import { MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { ABANDONED_MS, useShortCommits } from '../../support/database.ts';

type Account = { _id: string; n: number };

const shortCommits = useShortCommits();

it(
  'a multi-document commit that nobody ends is ended after the time that is set, and leaves nothing',
  async () => {
    const { client, db } = shortCommits;
    const all = db.collection<Account>('abandoned');
    await all.insertOne({ _id: 'a', n: 0 });
    const session = client.startSession();
    session.startTransaction();
    await all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
    const codeWithin = () =>
      all.findOne({ _id: 'a' }, { session }).then(
        () => undefined,
        (error: unknown) => (error instanceof MongoServerError ? error.code : error),
      );
    await expect.poll(codeWithin, { timeout: ABANDONED_MS, interval: 500 }).toBe(251);
    await session.endSession();
    expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 0 });
  },
  ABANDONED_MS,
);
