import { Long, type ClientSession, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';
import { plainAnswer } from './support/plain-answer.ts';

type Thing = { _id: string; n?: number; log?: { id: string }[] };

/** This driver numbers nothing by itself: the numbers here are the only ones of its sessions. */
const database = useDatabase({ retryWrites: false });
const things = () => database.db.collection<Thing>('things');

let newest = 0;

/** Sends commands under one number of one session, so that the second repeats the first. */
async function together<T>(work: (send: Send) => Promise<T>): Promise<T> {
  const txnNumber = Long.fromNumber(++newest);
  return database.client.withSession((session: ClientSession) =>
    work((command) => database.db.command({ ...command, txnNumber }, { session })),
  );
}

type Send = (command: Document) => Promise<Document>;

async function twice(command: Document, meanwhile?: () => Promise<unknown>) {
  return together(async (send) => {
    const first = await send(command);
    await meanwhile?.();
    return { first: plainAnswer(first), second: plainAnswer(await send(command)) };
  });
}

function findAndModify(id: string, more: Document): Document {
  return { findAndModify: 'things', query: { _id: id }, ...more };
}

const ADD = [
  { $set: { n: { $add: [{ $ifNull: ['$n', 0] }, 1] }, log: [{ id: 'x' }, { id: 'y' }] } },
];
const LOG = [{ id: 'x' }, { id: 'y' }];

describe('a repeated findAndModify is answered with the whole image, without its projection', () => {
  it.each([
    {
      what: 'after an update',
      before: { n: 4 },
      more: { update: ADD, new: true, fields: { n: 1 } },
      value: { n: 5 },
      image: { n: 5, log: LOG },
    },
    {
      what: 'before an update',
      before: { n: 4, log: [] },
      more: { update: ADD, fields: { _id: 0, now: '$$NOW', n: 1 } },
      value: { _id: undefined, n: 4, now: expect.any(Date) as Date },
      image: { n: 4, log: [] },
    },
    {
      what: 'after an update by operators',
      before: { n: 4, log: LOG },
      more: {
        update: { $inc: { n: 1 } },
        new: true,
        fields: { log: { $elemMatch: { id: 'y' } }, two: { $add: ['$n', '$n'] } },
      },
      value: { log: [{ id: 'y' }], two: 10 },
      image: { n: 5, log: LOG },
    },
    {
      what: 'after a replacement, without a projection',
      before: { n: 4, log: LOG },
      more: { update: { n: 7 }, new: true },
      value: { n: 7 },
      image: { n: 7 },
    },
    {
      what: 'with an empty projection',
      before: { n: 4 },
      more: { update: { $inc: { n: 1 } }, new: true, fields: {} },
      value: { n: 5 },
      image: { n: 5 },
    },
  ])('$what', async ({ what, before, more, value, image }) => {
    await things().insertOne({ _id: what, ...before });
    const { first, second } = await twice(findAndModify(what, more), () =>
      things().updateOne({ _id: what }, { $set: { n: 100 } }),
    );
    const lastErrorObject = { n: 1, updatedExisting: true };
    expect(first).toEqual({ lastErrorObject, value: { _id: what, ...value }, ok: 1 });
    expect(second).toEqual({
      lastErrorObject,
      value: { _id: what, ...image },
      retriedStmtId: 0,
      ok: 1,
    });
    expect(await things().findOne({ _id: what })).toMatchObject({ n: 100 });
  });

  it.each([
    { isNew: true, value: { _id: 'new true', n: 1 }, image: { _id: 'new true', n: 1, log: LOG } },
    { isNew: false, value: null, image: null },
  ])('an upsert that inserts, new: $isNew', async ({ isNew, value, image }) => {
    const id = `new ${String(isNew)}`;
    const more = { update: ADD, upsert: true, new: isNew, fields: { n: 1 } };
    const { first, second } = await twice(findAndModify(id, more));
    const lastErrorObject = { n: 1, updatedExisting: false, upserted: id };
    expect(first).toEqual({ lastErrorObject, value, ok: 1 });
    expect(second).toEqual({ lastErrorObject, value: image, retriedStmtId: 0, ok: 1 });
  });

  it('a removal', async () => {
    await things().insertOne({ _id: 'removed', n: 1, log: LOG });
    const { first, second } = await twice(
      findAndModify('removed', { remove: true, fields: { n: 1 } }),
    );
    expect(first).toEqual({ lastErrorObject: { n: 1 }, value: { _id: 'removed', n: 1 }, ok: 1 });
    expect(second).toEqual({
      lastErrorObject: { n: 1 },
      value: { _id: 'removed', n: 1, log: LOG },
      retriedStmtId: 0,
      ok: 1,
    });
  });

  it('an older one of its session is refused', async () => {
    const command = findAndModify('older', { update: ADD, upsert: true, new: true });
    await database.client.withSession(async (session) => {
      const send = (number: number) =>
        database.db.command({ ...command, txnNumber: Long.fromNumber(number) }, { session });
      newest += 2;
      await send(newest);
      await expect(send(newest - 1)).rejects.toMatchObject({ code: 225 });
    });
    expect(await things().findOne({ _id: 'older' })).toMatchObject({ n: 1 });
  });

  it('that overtakes its original waits for it', async () => {
    const command = findAndModify('both', { update: ADD, upsert: true, new: true });
    const answers = await together((send) => Promise.all([send(command), send(command)]));
    expect(answers.map(plainAnswer)).toMatchObject([
      { value: { n: 1 } },
      { value: { n: 1 }, retriedStmtId: 0 },
    ]);
  });
});

describe('what changed nothing is not remembered: its repeat is carried out', () => {
  const onlyWhileBelow = [
    { $set: { n: { $cond: [{ $lt: ['$n', 5] }, { $add: ['$n', 1] }, '$n'] } } },
  ];

  it.each([
    { meanwhile: 5, n: 5, why: 'it changes nothing again' },
    { meanwhile: 2, n: 3, why: 'now it does, and answers with its projection' },
  ])('a findAndModify that left its document as it is, then $n: $why', async ({ meanwhile, n }) => {
    const id = `no-op ${meanwhile}`;
    await things().insertOne({ _id: id, n: 5, log: LOG });
    const more = { update: onlyWhileBelow, new: true, fields: { n: 1 } };
    const { first, second } = await twice(findAndModify(id, more), () =>
      things().updateOne({ _id: id }, { $set: { n: meanwhile } }),
    );
    const lastErrorObject = { n: 1, updatedExisting: true };
    expect(first).toEqual({ lastErrorObject, value: { _id: id, n: 5 }, ok: 1 });
    expect(second).toEqual({ lastErrorObject, value: { _id: id, n }, ok: 1 });
  });

  it('a findAndModify that found nothing', async () => {
    const command = findAndModify('late', { update: { $inc: { n: 1 } }, new: true });
    const { first, second } = await twice(command, () => things().insertOne({ _id: 'late', n: 0 }));
    expect(first).toMatchObject({ lastErrorObject: { n: 0, updatedExisting: false }, value: null });
    expect(second).toEqual({
      lastErrorObject: { n: 1, updatedExisting: true },
      value: { _id: 'late', n: 1 },
      ok: 1,
    });
  });

  it('a third time, too, until it has changed something', async () => {
    await things().insertOne({ _id: 'third', n: 5 });
    const command = findAndModify('third', { update: onlyWhileBelow, new: true });
    const values = await together(async (send) => {
      const first = await send(command);
      const second = await send(command);
      await things().updateOne({ _id: 'third' }, { $set: { n: 1 } });
      return [first, second, await send(command), await send(command)].map(plainAnswer);
    });
    expect(values).toMatchObject([
      { value: { n: 5 } },
      { value: { n: 5 } },
      { value: { n: 2 } },
      { value: { n: 2 }, retriedStmtId: 0 },
    ]);
  });
});

describe('a repeated batch is answered from what its statements changed', () => {
  const set = (id: string, n: number, more: Document = {}) => ({
    q: { _id: id },
    u: { $set: { n } },
    ...more,
  });

  it.each([
    {
      what: 'an insert',
      command: { insert: 'things', documents: [{ _id: 'i-1' }, { _id: 'i-2' }] },
      first: { n: 2 },
      second: { n: 2, retriedStmtIds: [0, 1] },
    },
    {
      what: 'an ordered insert that stopped at a key that is there',
      command: { insert: 'things', documents: [{ _id: 'o-1' }, { _id: 'there' }, { _id: 'o-2' }] },
      first: { n: 1, writeErrors: [{ index: 1, code: 11000 }] },
      second: { n: 1, writeErrors: [{ index: 1, code: 11000 }], retriedStmtIds: [0] },
    },
    {
      what: 'an unordered insert around a key that is there',
      command: {
        insert: 'things',
        documents: [{ _id: 'u-1' }, { _id: 'there' }, { _id: 'u-2' }],
        ordered: false,
      },
      first: { n: 2, writeErrors: [{ index: 1, code: 11000 }] },
      second: { n: 2, writeErrors: [{ index: 1, code: 11000 }], retriedStmtIds: [0, 2] },
    },
    {
      what: 'an update',
      command: { update: 'things', updates: [set('there', 11)] },
      first: { n: 1, nModified: 1 },
      second: { n: 1, nModified: 1, retriedStmtIds: [0] },
    },
    {
      what: 'an update that found what it wanted',
      command: { update: 'things', updates: [set('same', 1)] },
      first: { n: 1, nModified: 0 },
      second: { n: 1, nModified: 0 },
    },
    {
      what: 'an upsert',
      command: { update: 'things', updates: [set('made', 1, { upsert: true })] },
      first: { n: 1, nModified: 0, upserted: [{ index: 0, _id: 'made' }] },
      second: {
        n: 1,
        nModified: 0,
        upserted: [{ index: 0, _id: 'made' }],
        retriedStmtIds: [0],
      },
    },
    {
      what: 'updates of which one changed nothing',
      command: {
        update: 'things',
        updates: [set('a', 1), set('same', 1), set('made-2', 1, { upsert: true }), set('none', 1)],
      },
      first: { n: 3, nModified: 1, upserted: [{ index: 2, _id: 'made-2' }] },
      second: {
        n: 3,
        nModified: 1,
        upserted: [{ index: 2, _id: 'made-2' }],
        retriedStmtIds: [0, 2],
      },
    },
    {
      what: 'a deletion',
      command: { delete: 'things', deletes: [{ q: { _id: 'd-1' }, limit: 1 }] },
      first: { n: 1 },
      second: { n: 1, retriedStmtIds: [0] },
    },
    {
      what: 'deletions of which one found nothing',
      command: {
        delete: 'things',
        deletes: [
          { q: { _id: 'none' }, limit: 1 },
          { q: { _id: 'd-2' }, limit: 1 },
        ],
      },
      first: { n: 1 },
      second: { n: 1, retriedStmtIds: [1] },
    },
  ])('$what', async ({ command, first, second }) => {
    await things().deleteMany({ _id: { $in: ['made', 'made-2'] } });
    for (const _id of ['there', 'a', 'd-1', 'd-2'])
      await things().replaceOne({ _id }, { n: 0 }, { upsert: true });
    await things().replaceOne({ _id: 'same' }, { n: 1 }, { upsert: true });
    const answers = await twice(command);
    const whole = (answer: Document) => ({
      ...answer,
      ok: 1,
      ...(answer.writeErrors === undefined
        ? {}
        : { writeErrors: [expect.objectContaining({ index: 1, code: 11_000 })] }),
    });
    expect(answers).toEqual({ first: whole(first), second: whole(second) });
  });

  it('and what changed nothing is carried out, beside what is only told', async () => {
    await things().insertMany([{ _id: 'beside-1', n: 0 }]);
    const command = { update: 'things', updates: [set('beside-1', 1), set('beside-2', 1)] };
    const { first, second } = await twice(command, () =>
      things().insertOne({ _id: 'beside-2', n: 0 }),
    );
    expect(first).toEqual({ n: 1, nModified: 1, ok: 1 });
    expect(second).toEqual({ n: 2, nModified: 2, retriedStmtIds: [0], ok: 1 });
  });
});
