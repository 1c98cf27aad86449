import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Long, MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDatabase } from '../../../infra/local/database.ts';
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

describe('a write that is repeated after a restart of the database', () => {
  let folder: string;
  let answers: readonly Document[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headroom-repeated-'));
    await withDatabase(folder, async (client) => {
      const all = ['changed', 'removed', 'updated', 'same', 'deleted'].map(there);
      await client.db('repeated').collection<(typeof all)[number]>('things').insertMany(all);
      await sendAll(client);
    });
    answers = await withDatabase(folder, sendAll);
  }, STARTS_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(ROWS)('$what is answered as a repeat', ({ what, repeated }) => {
    expect(answers[ROWS.findIndex((row) => row.what === what)]).toEqual({ ...repeated, ok: 1 });
  });
});

async function withDatabase<T>(
  folder: string,
  work: (client: MongoClient) => Promise<T>,
): Promise<T> {
  const started = await startDatabase({
    folder,
    keepsData: true,
    ttlSweepSeconds: 'never',
    report: () => undefined,
  });
  const client = await new MongoClient(started.uri, { retryWrites: false }).connect();
  try {
    return await work(client);
  } finally {
    await client.close();
    await started.stop();
  }
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
