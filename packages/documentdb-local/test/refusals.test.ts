import { Long, MongoServerError, WriteConcern } from 'mongodb';
import type { ClientSession, Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRouter, useDatabase } from './support/database.ts';

const database = useDatabase();

/** The server's error of a promise that has to fail. */
async function failureOf(promise: Promise<unknown>): Promise<MongoServerError> {
  const error = await promise.then(
    (answer) => new Error(`answered ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof MongoServerError) return error;
  throw new Error('expected an error of the server', { cause: error });
}

/** Does something inside a commit that has begun with a write, and throws the commit away. */
async function within<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  return database.client.withSession(async (session) => {
    session.startTransaction({ writeConcern: new WriteConcern('majority') });
    await database.db.collection('begun').insertOne({}, { session });
    const result = await work(session);
    await session.abortTransaction(); // of one that ended, the driver ignores the error
    return result;
  });
}

/** Made beforehand: what is refused here has nothing to do with making a collection in a commit. */
beforeAll(() => database.db.createCollection('begun'));

type Refusal = { readonly code: number; readonly message: string | RegExp };

/** The error of a command in a commit, and what the same commit then answers: a document, or a code. */
async function refused(command: Document) {
  return within(async (session) => {
    const error = await failureOf(database.db.command(command, { session }));
    const next = await database.db
      .collection('begun')
      .findOne({}, { session })
      .then(
        (found) => (found === null ? 'nothing' : 'found'),
        (reason: unknown) => (reason instanceof MongoServerError ? reason.code : reason),
      );
    return { error, next };
  });
}

function expectRefused(error: MongoServerError, { code, message }: Refusal): void {
  expect({ code: error.code, message: error.message }).toEqual({
    code,
    message: typeof message === 'string' ? message : (expect.stringMatching(message) as unknown),
  });
  expect(error.errorLabels).toEqual([]);
}

const INSERT = { insert: 'things', documents: [{ n: 1 }] };
const UPDATE = { update: 'things', updates: [{ q: {}, u: { $inc: { n: 1 } } }] };
const DELETE = { delete: 'things', deletes: [{ q: {}, limit: 1 }] };
const FIND_AND_MODIFY = { findAndModify: 'things', query: {}, update: { $inc: { n: 1 } } };
const FIND = { find: 'things', filter: {} };
const MAJORITY = { writeConcern: { w: 'majority' } };
const LOCAL = { readConcern: { level: 'local' } };
const WRITE_CONCERN = 'writeConcern is not allowed within a multi-statement transaction';
const FIRST = 'Only the first command in a transaction may specify a readConcern';

function aggregate(...pipeline: readonly Document[]): Document {
  return { aggregate: 'things', pipeline, cursor: {} };
}

describe('inside a multi-document commit MongoDB refuses', () => {
  it.each([
    { command: { ...INSERT, ...MAJORITY }, code: 72, message: WRITE_CONCERN },
    { command: { ...UPDATE, ...MAJORITY }, code: 72, message: WRITE_CONCERN },
    { command: { ...DELETE, ...MAJORITY }, code: 72, message: WRITE_CONCERN },
    { command: { ...FIND_AND_MODIFY, ...MAJORITY }, code: 72, message: WRITE_CONCERN },
    { command: { ...UPDATE, writeConcern: { w: 1 } }, code: 72, message: WRITE_CONCERN },
    {
      command: { ...FIND, ...MAJORITY },
      code: 72,
      message: 'Command does not support writeConcern',
    },
    { command: { ...FIND, ...LOCAL }, code: 72, message: FIRST },
    { command: { ...UPDATE, ...LOCAL }, code: 72, message: FIRST },
    { command: { ...aggregate(), ...LOCAL }, code: 72, message: FIRST },
    {
      command: { count: 'things' },
      code: 263,
      message:
        "Cannot run 'count' in a multi-document transaction. Please see http://dochub.mongodb.org/core/transaction-count for a recommended alternative.",
    },
    ...[
      ...[{ listCollections: 1 }, { drop: 'things' }, { dropDatabase: 1 }, { collMod: 'things' }],
      ...[{ dropIndexes: 'things', index: '*' }, { listIndexes: 'things' }, { dbStats: 1 }],
      ...[{ collStats: 'things' }, { serverStatus: 1 }, { refreshSessions: [] }],
    ].map((command) => ({
      command,
      code: 263,
      message: `Cannot run '${Object.keys(command)[0] ?? ''}' in a multi-document transaction.`,
    })),
    // Shapes come before sessions.
    ...[{ dropIndexes: 1, index: '*' }, { listIndexes: 1 }, { insert: 1, documents: [{}] }].map(
      (command) => ({ command, code: 2, message: /^collection name has invalid type/ }),
    ),
    ...[
      ...[
        { ...INSERT, size: 1 },
        { ...UPDATE, size: 1 },
        { ...DELETE, size: 1 },
      ],
      ...[
        { ...FIND_AND_MODIFY, size: 1 },
        { listIndexes: 'a', size: 1 },
      ],
    ].map((command) => ({
      command,
      code: 40415,
      message: `BSON field '${Object.keys(command)[0] ?? ''}.size' is an unknown field.`,
    })),
    ...['hello', 'ping', 'buildInfo'].map((name) => ({
      command: { [name]: 1 },
      code: 263,
      message: 'This command is not supported in transactions',
    })),
    {
      command: { find: 'system.profile', filter: {} },
      code: 263,
      message:
        /^Cannot run command against the '.*\.system\.profile' collection in a transaction\.$/,
    },
  ])('$command, before it reaches the commit, which goes on', async (row) => {
    const { error, next } = await refused(row.command);
    expectRefused(error, row);
    expect(next).toBe('found');
  });

  // `aggregate` and the writes look when they run: pipeline_command.cpp, run_aggregate.cpp and
  // write_commands.cpp. The session is checked out by then (CheckoutSessionAndInvokeCommand in
  // service_entry_point_shard_role.cpp, service_entry_point_common.cpp before 8.0), so its
  // transaction ends, as by any error.
  it.each([
    ...[{ $out: 'others' }, { $merge: 'others' }, { $collStats: {} }, { $indexStats: {} }].map(
      (stage) => ({
        command: aggregate(stage),
        code: 263,
        message: `Operation not permitted in transaction :: caused by :: Aggregation stage ${Object.keys(stage).join()} cannot run within a multi-document transaction`,
      }),
    ),
    {
      command: { ...aggregate(), explain: true },
      code: 263,
      message:
        'Operation not permitted in transaction :: caused by :: Explain for the aggregate command cannot run within a multi-document transaction',
    },
    {
      command: { insert: 'system.things', documents: [{}] },
      code: 50791,
      message: /^Cannot write to system collection .*\.system\.things within a transaction\.$/,
    },
  ])('$command, when it runs, and the commit ends', async (row) => {
    const { error, next } = await refused(row.command);
    expectRefused(error, row);
    expect(next).toBe(251);
  });

  it.each(['local', 'config'])('a command on the database %s', async (name) => {
    const error = await within((session) =>
      failureOf(database.client.db(name).command({ find: 'things' }, { session })),
    );
    expect(error.code).toBe(263);
    expect(error.message).toContain(name);
  });

  it.each([
    { level: 'available', code: 72, message: "must be either 'local' (default), 'majority'" },
    { level: 'linearizable', code: 72, message: "must be either 'local' (default), 'majority'" },
    { level: 'nonsense', code: 9, message: 'readConcern.level' },
  ])(
    'read concern $level, also with its first command: $code',
    async ({ level, code, message }) => {
      await database.client.withSession(async (session) => {
        session.startTransaction({ readConcern: { level: level as 'available' } });
        const error = await failureOf(database.db.command(FIND, { session }));
        expect(error.code).toBe(code);
        expect(error.message).toContain(message);
        // It has not begun.
        const gone = await failureOf(database.db.command(FIND, { session }));
        expect(gone.code).toBe(251);
        await session.abortTransaction();
      });
    },
  );

  it('a commit that begins with killCursors', async () => {
    await database.client.withSession(async (session) => {
      session.startTransaction();
      const command = { killCursors: 'things', cursors: [Long.fromNumber(1)] };
      const error = await failureOf(database.db.command(command, { session }));
      expect(error.code).toBe(263);
      await session.abortTransaction();
    });
  });

  it('the next page of what was asked for outside of it', async () => {
    // A router looks at its own cursors: getmore_cmd.cpp and cluster_find.cpp, `validateTxnNumber`.
    const [wasOutside, wasInside] = (await isRouter(database.client))
      ? [50_802, 50_803]
      : [50_739, 50_740];
    const all = database.db.collection('pages');
    await all.insertMany(Array.from({ length: 5 }, (_, n) => ({ n })));
    await database.client.withSession(async (session) => {
      const find = { find: 'pages', batchSize: 2 };
      const more = (id: unknown) => ({ getMore: id, collection: 'pages' });
      const outside = await database.db.command(find, { session });
      session.startTransaction();
      const inside = await database.db.command(find, { session });
      const error = await failureOf(database.db.command(more(idOf(outside)), { session }));
      expect(error.code).toBe(wasOutside);
      await session.abortTransaction();
      expect(await failureOf(database.db.command(more(idOf(inside)), { session }))).toMatchObject({
        code: wasInside,
      });
    });
  });
});

/** The 64-bit id of the cursor in an answer; the driver gives small ones as numbers. */
function idOf(answer: Document): Long {
  const { cursor } = answer as { readonly cursor: { readonly id: Long | number } };
  return Long.fromValue(cursor.id);
}

describe('what a commit may contain', () => {
  it('is carried out, with a write concern of the commit alone', async () => {
    const all = database.db.collection<{ _id: string; n: number }>('allowed');
    await database.client.withSession(async (session) => {
      session.startTransaction({
        readConcern: { level: 'snapshot' },
        writeConcern: new WriteConcern('majority', 5_000),
        readPreference: 'primary',
      });
      await all.insertOne({ _id: 'a', n: 0 }, { session });
      await all.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
      await all.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } }, { session });
      expect(await all.distinct('n', {}, { session })).toEqual([2]);
      expect(await all.aggregate([{ $match: { n: 2 } }], { session }).toArray()).toHaveLength(1);
      await database.db.command({ ...FIND, readConcern: {} }, { session });
      await database.db.command({ ...INSERT, writeConcern: {} }, { session });
      await session.commitTransaction();
    });
    expect(await all.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 2 });
  });
});

describe('anywhere, MongoDB refuses', () => {
  it.each([
    { command: { ...FIND, ...MAJORITY }, code: 72 },
    { command: { ping: 1, writeConcern: {} }, code: 72 },
    { command: { ...FIND, size: 1 }, code: 40415 },
    { command: { ...FIND_AND_MODIFY, size: 1, txnNumber: Long.fromNumber(-1) }, code: 40415 },
    { command: { count: 'things', size: 1 }, code: 40415 },
    { command: { distinct: 'things', key: 'n', size: 1 }, code: 40415 },
    { command: { ...aggregate(), size: 1 }, code: 40415 },
    { command: { getMore: Long.fromNumber(1), collection: 'things', size: 1 }, code: 40415 },
    { command: { drop: 1 }, code: 2 },
    { command: { ...FIND, readConcern: { level: 'nonsense' } }, code: 9 },
    { command: { ...INSERT, writeConcern: { w: 51 } }, code: 9 },
    { command: { ...FIND_AND_MODIFY, update: { $inc: { n: 'x' } } }, code: 14 },
    { command: { ...FIND_AND_MODIFY, update: { $push: { n: { $each: 1 } } } }, code: 2 },
    {
      command: { ...FIND_AND_MODIFY, update: { $push: { n: { $each: [], $slice: 'x' } } } },
      code: 2,
    },
    { command: { ...FIND, txnNumber: Long.fromNumber(1) }, code: 50768 },
    { command: { ping: 1, txnNumber: Long.fromNumber(1) }, code: 50889 },
    { command: { ...INSERT, txnNumber: Long.fromNumber(-1) }, code: 72 },
    { command: { ...INSERT, autocommit: false }, code: 72 },
    { command: { ...INSERT, txnNumber: Long.fromNumber(1), autocommit: true }, code: 72 },
    { command: { ...INSERT, txnNumber: Long.fromNumber(1), startTransaction: true }, code: 72 },
  ])('$command', async ({ command, code }) => {
    await database.client.withSession(async (session) => {
      expect(await failureOf(database.db.command(command, { session }))).toMatchObject({ code });
    });
  });
});

describe('a write that was carried out says that its write concern cannot be had', () => {
  it.each([
    { w: 50, code: 100, why: 'there are not so many members' },
    { w: 'nowhere', code: 79, why: 'no members are called so' },
  ])('w: $w, because $why', async ({ w, code }) => {
    const all = database.db.collection<{ _id: string }>('concerned');
    const _id = `of ${w}`;
    const command = { insert: 'concerned', documents: [{ _id }], writeConcern: { w } };
    // The driver throws what the server tells beside the answer.
    expect(await failureOf(database.db.command(command))).toMatchObject({ code });
    expect(await all.findOne({ _id })).toEqual({ _id });
  });
});
