import { setTimeout } from 'node:timers/promises';
import { Long } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';

type Counter = { _id: string; used: number; at?: Date; log?: { id: string; amount: number }[] };

const database = useDatabase();
const counters = (name: string) => database.db.collection<Counter>(name);

/** Adds one while fewer than five were added: the shape of every decision in this project. */
const addWhileRoom = [
  { $set: { used: { $ifNull: ['$used', 0] } } },
  { $set: { used: { $cond: [{ $lt: ['$used', 5] }, { $add: ['$used', 1] }, '$used'] } } },
];

describe('findAndModify with a pipeline', () => {
  it('creates what is not there and answers with the document as it is afterwards', async () => {
    const created = await counters('created').findOneAndUpdate({ _id: 'a' }, addWhileRoom, {
      upsert: true,
      returnDocument: 'after',
    });
    expect(created).toEqual({ _id: 'a', used: 1 });
  });

  it('tells whether it created', async () => {
    const options = {
      upsert: true,
      returnDocument: 'after',
      includeResultMetadata: true,
    } as const;
    const all = counters('told');
    const first = await all.findOneAndUpdate({ _id: 'a' }, addWhileRoom, options);
    expect(first.lastErrorObject).toMatchObject({ updatedExisting: false, upserted: 'a', n: 1 });
    const second = await all.findOneAndUpdate({ _id: 'a' }, addWhileRoom, options);
    expect(second.lastErrorObject).toMatchObject({ updatedExisting: true, n: 1 });
  });

  it('answers null where nothing matches and nothing is to be created', async () => {
    expect(await counters('none').findOneAndUpdate({ _id: 'a' }, addWhileRoom)).toBeNull();
  });

  it("reads the server's clock and takes data that looks like operators as data", async () => {
    const before = Date.now();
    const found = await counters('clock').findOneAndUpdate(
      { _id: 'a' },
      [
        { $set: { request: { $literal: { id: '$used', amount: new Long(7) } }, at: '$$NOW' } },
        { $set: { log: { $concatArrays: [{ $ifNull: ['$log', []] }, ['$request']] }, used: 0 } },
        { $unset: 'request' },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    expect(found?.log).toEqual([{ id: '$used', amount: 7 }]);
    expect(Math.abs((found?.at?.getTime() ?? 0) - before)).toBeLessThan(10_000);
    expect(Object.keys(found ?? {})).not.toContain('request');
  });

  it('returns only what the projection computes', async () => {
    const all = counters('projected');
    await all.insertOne({
      _id: 'a',
      used: 1,
      log: [
        { id: 'x', amount: 1 },
        { id: 'y', amount: 2 },
      ],
    });
    const found = await all.findOneAndUpdate({ _id: 'a' }, addWhileRoom, {
      returnDocument: 'after',
      projection: {
        used: 1,
        now: '$$NOW',
        mine: { $filter: { input: '$log', cond: { $eq: ['$$this.id', 'y'] } } },
      },
    });
    expect(found).toEqual({
      _id: 'a',
      used: 2,
      // Typed by hand: the driver's types do not follow projections.
      now: expect.any(Date) as Date,
      mine: [{ id: 'y', amount: 2 }],
    });
    const picked = await all.findOneAndUpdate({ _id: 'a' }, addWhileRoom, {
      returnDocument: 'after',
      projection: { used: 1, log: { $elemMatch: { id: 'x' } } },
    });
    expect(picked).toEqual({ _id: 'a', used: 3, log: [{ id: 'x', amount: 1 }] });
  });

  it('takes variables beside the pipeline', async () => {
    const found = await counters('variables').findOneAndUpdate(
      { _id: 'a' },
      [{ $set: { used: { $add: ['$$asked', 1] } } }],
      { upsert: true, returnDocument: 'after', let: { asked: 41 } },
    );
    expect(found).toEqual({ _id: 'a', used: 42 });
  });

  it('removes a document and answers with it', async () => {
    const all = counters('removed');
    await all.insertOne({ _id: 'a', used: 3 });
    expect(await all.findOneAndDelete({ _id: 'a' })).toEqual({ _id: 'a', used: 3 });
    expect(await all.countDocuments()).toBe(0);
  });
});

it('updates what a transaction has made for which it waited', async () => {
  const all = counters('made');
  await all.insertOne({ _id: 'first', used: 0 });
  const dated = [{ $set: { used: { $add: ['$used', 1] }, at: '$$NOW' } }];
  const waiting = (): Promise<unknown> =>
    all.findOneAndUpdate({ _id: 'a' }, dated, { upsert: true, returnDocument: 'after' });
  await database.client.withSession(async (session) => {
    session.startTransaction();
    await all.insertOne({ _id: 'a', used: 0 }, { session });
    const found = Promise.allSettled([waiting(), waiting(), waiting()]);
    await setTimeout(600); // longer than a statement waits before it begins again, several times
    await session.commitTransaction();
    const ends = await found;
    expect(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : ''))).toEqual(
      ends.map(() => ''),
    );
  });
  expect(await all.findOne({ _id: 'a' })).toMatchObject({ used: 3 });
});

describe('100 callers at once on a document that is not there', () => {
  it.each([1, 2, 3])('are let in exactly five times (round %i)', async (round) => {
    const all = counters('race');
    const id = `round-${round}`;
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        all.findOneAndUpdate(
          { _id: id },
          [
            { $set: { used: { $ifNull: ['$used', 0] }, log: { $ifNull: ['$log', []] } } },
            { $set: { fits: { $lt: ['$used', 5] } } },
            {
              $set: {
                used: { $cond: ['$fits', { $add: ['$used', 1] }, '$used'] },
                log: {
                  $cond: [
                    '$fits',
                    { $concatArrays: ['$log', [{ id: `caller-${index}`, amount: '$$asked' }]] },
                    '$log',
                  ],
                },
              },
            },
            { $unset: 'fits' },
          ],
          { upsert: true, returnDocument: 'after', let: { asked: 1 } },
        ),
      ),
    );
    const letIn = results.filter((result, index) =>
      result?.log?.some((entry) => entry.id === `caller-${index}`),
    );
    expect(letIn).toHaveLength(5);
    expect(await all.findOne({ _id: id })).toMatchObject({ used: 5 });
  });

  it.each([
    { kind: 'an operator', update: { $inc: { used: 1 } } },
    {
      kind: 'a pipeline without the clock',
      update: [{ $set: { used: { $add: [{ $ifNull: ['$used', 0] }, 1] } } }],
    },
    {
      kind: 'a pipeline with the clock',
      update: [{ $set: { used: { $add: [{ $ifNull: ['$used', 0] }, 1] }, at: '$$NOW' } }],
    },
  ])('each get a number of their own, and one creates, with $kind', async ({ kind, update }) => {
    const all = counters('numbered');
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () =>
          all.findOneAndUpdate({ _id: `${kind} ${round}` }, update, {
            upsert: true,
            returnDocument: 'after',
          }),
        ),
      );
      const numbers = answers.map((answer) => answer?.used ?? 0).sort((one, other) => one - other);
      expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
      const results = await Promise.all(
        Array.from({ length: 100 }, () =>
          all.updateOne({ _id: `${kind} ${round} update` }, update, { upsert: true }),
        ),
      );
      expect(results.filter((result) => result.upsertedCount === 1)).toHaveLength(1);
    }
  });

  it('add up to 100 where all are let in', async () => {
    const all = counters('sum');
    await Promise.all(
      Array.from({ length: 100 }, () =>
        all.updateOne(
          { _id: 'a' },
          [{ $set: { used: { $add: [{ $ifNull: ['$used', 0] }, '$$one'] }, at: '$$NOW' } }],
          { upsert: true, let: { one: 1 } },
        ),
      ),
    );
    expect((await all.findOne({ _id: 'a' }))?.used).toBe(100);
  });
});
