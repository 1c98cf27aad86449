import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MongoClient } from 'mongodb';
import type { AuditRow } from '../../../lib/audit/audit.ts';
import type { HistoryBook, RowsQuery } from '../../../lib/audit/history/history.ts';
import { TooManyRowsError } from '../../../lib/audit/history/history.ts';
import {
  checksFilter,
  countedByWindow,
  countedWithin,
  NEWEST_ROWS_FIRST,
  refusedWithin,
  rowsFilter,
} from '../../../lib/audit/history/history-pipeline.ts';
import { refusedAlikeJson } from '../../../lib/audit/history/history-handler.ts';
import { createClient } from '../../../lib/mongo/client.ts';
import { INDEXES } from '../../../lib/health/mongo-indexes.ts';
import { AUDIT, auditCollection } from '../../../lib/audit/mongo-audit-store.ts';
import { mongoHistory } from '../../../lib/audit/history/mongo-history.ts';
import { statementText } from '../../support/statement-text.ts';
import type { TwoMembers } from '../../support/two-members.ts';
import { startTwoMembers } from '../../support/two-members.ts';

const [SINCE, UNTIL] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-02T00:00:00Z')];
const PLACE = { at: new Date('2026-03-01T12:00:00Z'), id: 'default:o-1:n:held' };
const subjects = { user: 'u:1' };

const indexOf = (name: string) =>
  INDEXES.find(({ collection, options }) => collection === AUDIT && options.name === name);

/** Fields that a filter bounds, whatever its `$or` says of them. */
function fieldsOf(filter: object): readonly string[] {
  return Object.entries(filter).flatMap(([name, value]) =>
    name === '$or' ? (value as object[]).flatMap(fieldsOf) : [name],
  );
}

describe('the filter of a page of rows', () => {
  it.each([
    { query: {}, filter: { subjectIds: 'user:u\\:1' }, why: 'ids are written as documents are' },
    {
      query: { subjects: { user: 'u-1', merchant: 'm-1' } },
      filter: { subjectIds: { $all: ['user:u-1', 'merchant:m-1'] } },
      why: 'rows concern all of them',
    },
    {
      query: { decision: 'refused' },
      filter: { subjectIds: 'user:u\\:1', outcome: 'refused' },
      why: 'the partial index has just these',
    },
    {
      query: { decision: 'allowed', since: SINCE, until: UNTIL },
      filter: {
        subjectIds: 'user:u\\:1',
        operation: 'check',
        outcome: { $in: ['held', 'confirmed'] },
        at: { $gte: SINCE, $lt: UNTIL },
      },
      why: 'until is no part of it',
    },
    {
      query: { before: PLACE },
      filter: {
        subjectIds: 'user:u\\:1',
        at: { $lte: PLACE.at },
        $or: [{ at: { $lt: PLACE.at } }, { _id: { $lt: PLACE.id } }],
      },
      why: 'it goes on where the page before ended',
    },
  ] as readonly { query: Partial<RowsQuery>; filter: object; why: string }[])(
    'of $query: $why',
    ({ query, filter }) => {
      const found = rowsFilter({ subjects, limit: 20, ...query });
      expect(found).toEqual(filter);
      // What is sorted by stands in the index behind what is equal, so that nothing is sorted.
      const { keys, options } = indexOf('subject_at_id') ?? {};
      const names = Object.keys(keys ?? {});
      expect(names).toEqual(['subjectIds', ...Object.keys(NEWEST_ROWS_FIRST)]);
      const others = fieldsOf(found).filter((name) => !names.includes(name));
      expect(others.every((name) => ['outcome', 'operation'].includes(name))).toBe(true);
      expect(options).not.toHaveProperty('partialFilterExpression');
    },
  );

  it('of refused checks is answered by an index of these alone', () => {
    const { keys, options } = indexOf('refused_at') ?? {};
    expect(keys).toEqual(indexOf('subject_at_id')?.keys);
    const { partialFilterExpression = {} } = options ?? {};
    expect(rowsFilter({ subjects, limit: 1, decision: 'refused' })).toMatchObject(
      partialFilterExpression,
    );
  });

  it('of the refused checks of everybody is answered by an index of these, and sorted by it', () => {
    const { keys, options } = indexOf('refusal_at') ?? {};
    expect(Object.keys(keys ?? {})).toEqual(Object.keys(NEWEST_ROWS_FIRST));
    const found = rowsFilter({ subjects: {}, limit: 1, rule: 'user-day' });
    expect(found).toEqual({ outcome: 'refused', violations: 'user-day' });
    const frozen = rowsFilter({ subjects: {}, limit: 1, reason: 'frozen' });
    expect(frozen).toEqual({ outcome: 'refused', reason: 'frozen' });
    expect(found).toMatchObject(options?.partialFilterExpression ?? { no: 'index' });
  });
});

describe('every aggregation', () => {
  const period = { start: SINCE, until: UNTIL };

  it('begins with what an index finds', () => {
    const firsts = [
      [countedByWindow(['user:u-1'], [SINCE], 'key', {}, SINCE)[0], 'subject_at_id', 2],
      [countedWithin(period, 'user', AUDIT)[0], 'at', 1],
      [refusedWithin(period, 'user')[0], 'at', 1],
    ] as const;
    for (const [stage, index, most] of firsts) {
      const match = (stage as { $match: object }).$match; // as each first stage
      const keys = Object.keys(indexOf(index)?.keys ?? {});
      expect(Object.keys(match)).toEqual(expect.arrayContaining(keys.slice(0, most)));
    }
    // The check of an order is found by the order and its home: others may have the same id.
    const [app, order, home] = Object.keys(indexOf('order_home_at')?.keys ?? {});
    expect([app, order, home]).toEqual(['appId', 'orderId', 'documents.0']);
    const documents = ['user:u-1', 'merchant:m-1'];
    const row: Partial<AuditRow> = {
      appId: 'shop',
      orderId: 'o-1',
      operation: 'confirm',
      documents,
    };
    const settled = row as AuditRow; // as much of it as is asked
    expect(checksFilter([settled, settled])).toMatchObject({
      $or: [{ appId: 'shop', orderId: { $in: ['o-1'] }, 'documents.0': 'user:u-1' }],
    });
    expect(checksFilter([{ ...settled, operation: 'check' }])).toBeUndefined();
    expect(checksFilter([{ ...settled, documents: [] }])).toBeUndefined();
  });

  it('has operators of MongoDB 5.0 alone', () => {
    const known = new Set([
      ...['$match', '$group', '$lookup', '$set', '$project', '$limit', '$expr'],
      ...['$gte', '$lt', '$gt', '$lte', '$ne', '$eq', '$in', '$exists', '$and', '$or', '$all'],
      ...['$sum', '$max', '$min', '$cond', '$ifNull', '$first', '$size', '$filter', '$reduce'],
      ...['$concatArrays', '$floor', '$divide', '$subtract'],
    ]);
    const text = statementText([
      ...countedByWindow(['user:u-1'], [SINCE], 'key', {}, SINCE),
      ...countedWithin(period, 'user', AUDIT),
      ...refusedWithin(period, 'user'),
    ]);
    const used = new Set(text.match(/(?<![\w'$])\$[a-zA-Z]+(?=:)/g));
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
    expect(used.size).toBeGreaterThan(15);
  });
});

describe('refused checks that a rule refused, so that they have no reason', () => {
  const alike = { violations: ['user-day'], hour: 9, checks: 2 };

  it.each([
    { engine: 'MongoDB', row: alike, gives: 'leaves out what is missing' },
    { engine: 'DocumentDB', row: { ...alike, reason: null }, gives: 'groups it as null' },
  ])('are told of $engine, which $gives, by their rule alone', ({ row }) => {
    // Source: mongodb/mongo, src/mongo/db/pipeline/group_processor_base.cpp, `expandId`, of several fields.
    const frozen = { violations: [], reason: 'frozen', hour: 10, checks: 1 };
    const hourly = expect.any(Array) as unknown;
    expect(refusedAlikeJson([row, frozen], 24)).toEqual([
      { rule: 'user-day', count: 2, hourly },
      { reason: 'frozen', count: 1, hourly },
    ]);
  });
});

describe('what is asked of the server', () => {
  let members: TwoMembers;
  let client: MongoClient;
  let book: HistoryBook;
  beforeAll(async () => {
    members = await startTwoMembers(() => ({ _id: 'none' }));
    client = createClient(members.uri, 1_000);
    await client.connect();
    book = mongoHistory({
      rows: auditCollection(client.db('headroom')),
      ...{ timeoutMs: 1_000, knownKinds: [], rules: () => Promise.resolve([]) },
      machineNow: () => SINCE,
    });
  });
  afterAll(async () => {
    await client.close();
    await members.stop();
  });
  beforeEach(() => {
    members.asked.length = 0;
    members.failure = { code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'over' };
  });

  it.each([
    { call: () => book.transactions({ subjects, limit: 3 }), name: 'find' },
    {
      call: () => book.usageHistory({ subjects, last: { unit: 'day', count: 1 } }),
      name: 'aggregate',
    },
    { call: () => book.summary({ kind: 'user', zone: 'UTC' }), name: 'aggregate' },
  ])('$name is bounded in time, and what takes longer says what to do', async ({ call, name }) => {
    const error: unknown = await call().catch((each: unknown) => each);
    expect(error).toBeInstanceOf(TooManyRowsError);
    expect(error).toMatchObject({
      code: 'TOO_MANY_ROWS',
      message:
        "the audit's rows could not be read within 900 ms; ask for a shorter period, or raise STORE_TIMEOUT_MS",
    });
    expect(members.asked).not.toEqual([]);
    for (const asked of members.asked) {
      expect(asked).toMatchObject({ of: 'primary', name });
      expect(Number(asked.command.maxTimeMS)).toBe(900);
    }
  });

  it('a summary of an old sharded cluster says what to do', async () => {
    // Source: mongodb/mongo, src/mongo/db/pipeline/lite_parsed_pipeline.cpp of 5.0.
    const errmsg = 'headroom.audit cannot be sharded';
    members.failure = { code: 28_769, codeName: 'Location28769', errmsg };
    const summary = book.summary({ kind: 'user', zone: 'UTC' });
    expect(await summary.catch((each: unknown) => each)).toMatchObject({
      code: 'CLUSTER_TOO_OLD',
      message:
        'a summary joins rows of all shards, and this sharded cluster is older than version 5.1, which can; upgrade it, or ask for the history of each subject',
    });
  });

  it('what fails otherwise is no matter of rows', async () => {
    members.failure = { code: 13, codeName: 'Unauthorized', errmsg: 'no' };
    const failing = book.transactions({ subjects, limit: 3 });
    const error: unknown = await failing.catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 13 });
  });
});
