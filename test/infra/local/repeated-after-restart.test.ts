import { Long, MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDatabase } from '../../../infra/local/database.ts';
import type { TtlSweep } from '../../../infra/local/engine.ts';
import { useFolder } from '../../support/folder.ts';
import { plainAnswer } from '../../support/plain-answer.ts';

const LOG = ['x', 'y'];
const there = (_id: string) => ({ _id, n: 0, log: LOG });

/** Each is sent, the database is stopped and started on its data, and each is sent again. */
const ROWS: readonly { what: string; command: Document; repeated: Document }[] = [
  {
    what: 'a findAndModify that inserted',
    command: {
      findAndModify: 'things',
      query: { _id: 'new' },
      upsert: true,
      new: true,
      update: [{ $set: { n: 1, log: LOG } }],
      fields: { n: 1 },
    },
    repeated: {
      lastErrorObject: { n: 1, updatedExisting: false, upserted: 'new' },
      value: { _id: 'new', n: 1, log: LOG },
      retriedStmtId: 0,
    },
  },
  {
    what: 'a findAndModify that changed a document',
    command: {
      findAndModify: 'things',
      query: { _id: 'changed' },
      fields: { _id: 1 },
      update: { $inc: { n: 1 } },
    },
    repeated: {
      lastErrorObject: { n: 1, updatedExisting: true },
      value: there('changed'),
      retriedStmtId: 0,
    },
  },
  {
    what: 'a removal',
    command: {
      findAndModify: 'things',
      query: { _id: 'removed' },
      remove: true,
      fields: { _id: 1 },
    },
    repeated: { lastErrorObject: { n: 1 }, value: there('removed'), retriedStmtId: 0 },
  },
  {
    what: 'an upsert',
    command: {
      update: 'things',
      updates: [{ q: { _id: 'upserted' }, u: { $inc: { n: 1 } }, upsert: true }],
    },
    repeated: {
      n: 1,
      nModified: 0,
      upserted: [{ index: 0, _id: 'upserted' }],
      retriedStmtIds: [0],
    },
  },
  {
    what: 'an update',
    command: { update: 'things', updates: [{ q: { _id: 'updated' }, u: { $inc: { n: 1 } } }] },
    repeated: { n: 1, nModified: 1, retriedStmtIds: [0] },
  },
  {
    what: 'an update that changed nothing',
    command: { update: 'things', updates: [{ q: { _id: 'same' }, u: { $set: { n: 0 } } }] },
    repeated: { n: 1, nModified: 0 },
  },
  {
    what: 'an insert',
    command: { insert: 'things', documents: [there('inserted')] },
    repeated: { n: 1, retriedStmtIds: [0] },
  },
  {
    what: 'a deletion',
    command: { delete: 'things', deletes: [{ q: { _id: 'deleted' }, limit: 1 }] },
    repeated: { n: 1, retriedStmtIds: [0] },
  },
];

const STARTS_MS = 120_000;

/** A sweep comes every second. */
const PATIENCE_MS = 60_000;

describe('a database that is started again on its data', () => {
  const folder = useFolder();
  let again: Started;
  let answers: readonly Document[];

  beforeAll(async () => {
    const first = await start(folder.path(''), 'never');
    const all = ['changed', 'removed', 'updated', 'same', 'deleted'].map(there);
    await first.client.db('repeated').collection<(typeof all)[number]>('things').insertMany(all);
    await sendAll(first.client);
    await addMortals(first.client);
    await first.stop();
    again = await start(folder.path(''), 1);
    answers = await sendAll(again.client);
  }, STARTS_MS);
  afterAll(() => again.stop());

  it.each(ROWS)('answers $what as a repeat', ({ what, repeated }) => {
    expect(answers[ROWS.findIndex((row) => row.what === what)]).toEqual({ ...repeated, ok: 1 });
  });

  it('deletes the documents whose time has come, and no other one', async () => {
    const left = () => again.client.db('repeated').collection('mortal').distinct('_id');
    const options = { timeout: PATIENCE_MS, interval: 200 };
    await expect.poll(left, options).toEqual(['immortal']);
  });
});

type Started = { readonly client: MongoClient; readonly stop: () => Promise<void> };

async function start(folder: string, ttlSweepSeconds: TtlSweep): Promise<Started> {
  const report = () => undefined;
  const database = await startDatabase({ folder, keepsData: true, ttlSweepSeconds, report });
  const client = await new MongoClient(database.uri, { retryWrites: false }).connect();
  const stop = async () => {
    await client.close();
    await database.stop();
  };
  return { client, stop };
}

async function addMortals(client: MongoClient): Promise<void> {
  const all = client.db('repeated').collection<{ _id: string; expireAt?: Date }>('mortal');
  await all.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 }, {});
  await all.insertMany([{ _id: 'dead', expireAt: new Date(0) }, { _id: 'immortal' }]);
}

/** Sends every row's command, each under number 1 of a session of its own, the same each time. */
async function sendAll(client: MongoClient): Promise<readonly Document[]> {
  const answers: Document[] = [];
  for (const [index, { command }] of ROWS.entries())
    await client.withSession(async (session) => {
      session.id?.id.buffer.set(Buffer.alloc(16, index + 1));
      const numbered = { ...command, txnNumber: Long.fromNumber(1) };
      const answer = await client.db('repeated').command(numbered, { session });
      answers.push(plainAnswer(answer));
    });
  return answers;
}
