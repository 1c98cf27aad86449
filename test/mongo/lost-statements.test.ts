/** Each kind of statement that Headroom sends, and each way in which a connection breaks under it. */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asking, createClient, writing } from '../../lib/mongo/client.ts';
import type { InCommit } from '../../lib/mongo/transaction.ts';
import { inTransaction } from '../../lib/mongo/transaction.ts';
import { LostAnswerError, UndecidedError } from '../../lib/shared/errors.ts';
import { useDatabase } from '../support/database.ts';
import { timed } from '../support/elapsed.ts';
import type { Fault, TcpProxy } from '../support/tcp-proxy.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { PATIENCE_MS } from '../support/patient-counters.ts';

type Row = { readonly _id: string; readonly n?: number };
type Sent = (rows: Collection<Row>, _id: string, session?: ClientSession) => Promise<unknown>;

/** Each leaves one row with its `_id`, however often it is sent. */
const WRITES: Readonly<Record<string, Sent>> = {
  findOneAndUpdate: (rows, _id, session) =>
    rows.findOneAndUpdate({ _id }, { $set: { n: 1 } }, { upsert: true, ...of(session) }),
  updateOne: (rows, _id, session) =>
    rows.updateOne({ _id }, { $set: { n: 1 } }, { upsert: true, ...of(session) }),
  insertOne: (rows, _id, session) => rows.insertOne({ _id }, of(session)),
  'insertMany, in order': (rows, _id, session) =>
    rows.insertMany([{ _id }], { ordered: true, ...of(session) }),
  'insertMany, in any order': (rows, _id, session) =>
    rows.insertMany([{ _id }], { ordered: false, ...of(session) }),
  bulkWrite: (rows, _id, session) =>
    rows.bulkWrite(
      [{ replaceOne: { filter: { _id }, replacement: { n: 1 }, upsert: true } }],
      of(session),
    ),
};

const READS: Readonly<Record<string, Sent>> = {
  find: (rows, _id, session) => rows.find({ _id }, of(session)).toArray(),
  aggregate: (rows, _id, session) => rows.aggregate([{ $match: { _id } }], of(session)).toArray(),
};

const of = (session: ClientSession | undefined) => (session === undefined ? {} : { session });

const CUTS = ['request-lost', 'request-cut', 'answer-lost', 'answer-cut'] as const;

const database = useDatabase();
let proxy: TcpProxy;
let client: MongoClient;
let rows: Collection<Row>;

beforeAll(async () => {
  await database.db.createCollection('rows');
  proxy = await startTcpProxy(inject('mongodbUri'));
  client = createClient(proxy.uri, PATIENCE_MS);
  rows = client.db(database.db.databaseName).collection<Row>('rows');
});
afterAll(async () => {
  await client.close();
  proxy.stop();
});

const once = <T>(work: () => Promise<T>) => writing(rows.db, PATIENCE_MS, 'once')(work);
const stored = (_id: string) => database.db.collection<Row>('rows').countDocuments({ _id });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => error,
  );

/** Breaks the next requests. */
const breaking = (fault: Fault, times = 1): void => {
  proxy.set({ fault, after: 0, times });
};

/**
 * Lets statements wait for their answers on connections of their own, and cuts all at once. The first failure
 * clears the driver's pool, so that it says nothing of the others.
 */
async function cutTogether(statements: readonly (() => Promise<unknown>)[]) {
  const waiting = statements.length;
  breaking('answer-swallowed', waiting);
  const failures = statements.map((statement) => failureOf(statement()));
  await expect.poll(() => proxy.faultCount(), { timeout: PATIENCE_MS }).toBe(waiting);
  await proxy.quiet();
  proxy.set({ fault: 'request-lost', after: Infinity, times: 0 });
  proxy.cut();
  return Promise.all(failures);
}

describe.each(Object.entries(WRITES))('%s', (_, write) => {
  it.each(CUTS)('may be done where it meets %s', async (fault) => {
    breaking(fault);
    expect(await failureOf(once(() => write(rows, randomUUID())))).toBeInstanceOf(LostAnswerError);
    expect(proxy.faultCount()).toBe(1);
  });

  it('may be done where all connections are cut at once', async () => {
    const ids = Array.from({ length: 4 }, () => randomUUID());
    const failures = await cutTogether(ids.map((_id) => () => once(() => write(rows, _id))));
    for (const failure of failures) expect(failure).toBeInstanceOf(LostAnswerError);
  });

  it('is sent again where a member is not the primary', async () => {
    const _id = randomUUID();
    breaking('not-primary', 2);
    await once(() => write(rows, _id));
    expect(proxy.faultCount()).toBe(2);
    expect(await stored(_id)).toBe(1);
  });

  it.each(['request-lost', 'answer-lost', 'not-primary', 'interrupted'] as const)(
    'begins its commit again where it meets %s',
    async (fault) => {
      const _id = randomUUID();
      breaking(fault);
      await inTransaction(rows.db, PATIENCE_MS, ({ session }) => write(rows, _id, session));
      expect(proxy.faultCount()).toBe(1);
      expect(await stored(_id)).toBe(1);
    },
  );

  it('begins its commit again where all connections are cut at once', async () => {
    const ids = Array.from({ length: 4 }, () => randomUUID());
    const commits = ids.map((_id) => () => {
      const work = ({ session }: InCommit) => write(rows, _id, session);
      return inTransaction(rows.db, PATIENCE_MS, work);
    });
    expect(await cutTogether(commits)).toEqual(ids.map(() => 'answered'));
    expect(await Promise.all(ids.map(stored))).toEqual([1, 1, 1, 1]);
  });
});

describe.each(Object.entries(READS))('%s', (_, read) => {
  it.each(CUTS)('is undecided where it meets %s twice', async (fault) => {
    breaking(fault, 2);
    const failure = await failureOf(asking(rows.db, PATIENCE_MS)(() => read(rows, 'x')));
    expect(failure).toBeInstanceOf(UndecidedError);
    expect(proxy.faultCount()).toBe(2);
  });

  it('is undecided once its time is over, although the driver reads again', async () => {
    const timeoutMs = 2_000;
    breaking('answer-lost');
    const reading = timed(() => failureOf(asking(rows.db, timeoutMs)(() => read(rows, 'x'))));
    await proxy.met();
    breaking('answer-swallowed');
    await proxy.met();
    const { result, ms } = await reading;
    expect(result).toBeInstanceOf(UndecidedError);
    expect(ms).toBeLessThan(PATIENCE_MS);
    proxy.cut();
  });

  it('is read again where all connections are cut at once', async () => {
    const reads = Array.from(
      { length: 4 },
      () => () => asking(rows.db, PATIENCE_MS)(() => read(rows, 'x')),
    );
    const ends = await cutTogether(reads);
    for (const end of ends) if (end !== 'answered') expect(end).toBeInstanceOf(UndecidedError);
  });
});

describe('the end of a commit', () => {
  const about = 'commitTransaction';
  const commit = (_id: string) =>
    inTransaction(rows.db, PATIENCE_MS, (inCommit) => rows.insertOne({ _id }, inCommit));

  it.each(CUTS)('is asked for again where it meets %s', async (fault) => {
    const _id = randomUUID();
    proxy.set({ fault, after: 0, times: 1, about });
    await commit(_id);
    expect(proxy.faultCount()).toBe(1);
    expect(await stored(_id)).toBe(1);
  });

  it('is asked for again where all connections are cut at once', async () => {
    const ids = Array.from({ length: 4 }, () => randomUUID());
    proxy.set({ fault: 'answer-swallowed', after: 0, times: ids.length, about });
    const commits = ids.map((_id) => failureOf(commit(_id)));
    await expect.poll(() => proxy.faultCount(), { timeout: PATIENCE_MS }).toBe(ids.length);
    await proxy.quiet();
    proxy.cut();
    expect(await Promise.all(commits)).toEqual(ids.map(() => 'answered'));
    expect(await Promise.all(ids.map(stored))).toEqual([1, 1, 1, 1]);
  });

  it('is lost where it is never answered', async () => {
    const _id = randomUUID();
    proxy.set({ fault: 'answer-lost', after: 0, times: Infinity, about });
    const failure = await failureOf(commit(_id));
    expect(failure).toBeInstanceOf(LostAnswerError);
    expect(await stored(_id)).toBe(1);
    proxy.set({ fault: 'request-lost', after: Infinity, times: 0 });
  });
});
