import type { Db } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MissingCollectionsError } from '../../lib/mongo/transaction.ts';
import { problemOf } from '../../lib/http/problems.ts';
import { sessionLimitsOver } from '../support/audit-fixture.ts';
import type { TestDatabase } from '../support/database.ts';
import { connect } from '../support/database.ts';
import { USER_DAY, checkOf } from '../support/limits-fixture.ts';
import { replaceRules } from '../support/stored-rules.ts';

/** The answer of a router to the commit. Source: mongodb/mongo, txn_two_phase_commit_cmds.cpp. */
const REFUSAL = {
  code: 263,
  codeName: 'OperationNotSupportedInTransaction',
  errmsg: 'Cannot create new collections inside distributed transactions',
};

let database: TestDatabase;

/** A cluster that `headroom indexes` was not run on: commits over several shards end so. */
beforeAll(async () => {
  database = await connect();
  const { client } = database;
  const start = client.startSession.bind(client);
  vi.spyOn(client, 'startSession').mockImplementation((options) => {
    const session = start(options);
    session.commitTransaction = () => Promise.reject(new MongoServerError(REFUSAL));
    return session;
  });
});
afterAll(async () => {
  await database.db.dropDatabase();
  await database.client.close();
});

const NOW = new Date('2026-03-02T10:00:00.000Z');
const ORDER = { orderId: 'o-1', subjects: { user: 'u-1' } };

describe('on a cluster without its collections', () => {
  it.each([
    {
      what: 'a check that is one commit with its row',
      call: (db: Db) => sessionLimitsOver(db, [USER_DAY]).limits.check(checkOf(ORDER), NOW),
    },
    {
      what: 'a change of the rules',
      call: (db: Db) => replaceRules(db, [{ id: 'life', per: ['user'], max: { count: 5 } }]),
    },
  ])('$what says what to do', async ({ call }) => {
    const error: unknown = await call(database.db).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MissingCollectionsError);
    expect(error).toMatchObject({
      message: `database "${database.db.databaseName}" lacks some collections, and a commit over shards cannot make them. Nothing was changed. Run headroom indexes, then send the call again`,
    });
    // The operator's matter, not the caller's.
    expect(problemOf(error, 'r-1')).toMatchObject({ status: 500, code: 'INTERNAL' });
  });
});
