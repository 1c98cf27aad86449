import { describe, expect, it } from 'vitest';
import { readBucketName, bucketName } from '../../lib/counter/name.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { mend } from '../../lib/audit/reconcile/mongo-mend.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';
import { HOLD_SECONDS_MAX, MEMORY_MS, NEVER } from '../../lib/shared/bounds.ts';
import { mendUpdate } from '../../lib/audit/reconcile/mend-documents.ts';
import { changeTerms, letGoSooner } from '../../lib/document/terms-documents.ts';
import type { Documents } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import { ESTIMATE, HOME } from '../support/statement-asks.ts';
import { heldIn } from '../support/held.ts';

const database = useDatabase();

/** The seven days that a document is remembered end long before these windows do. */
const RULES: readonly ModelRule[] = [
  { ...USER_DAY, id: 'year', window: { unit: 'year', timeZone: 'Asia/Shanghai' } },
  { ...USER_DAY, id: 'quarter', window: { unit: 'quarter', timeZone: 'Asia/Shanghai' } },
];
const AT = new Date('2026-03-02T10:00:00.000Z');
/** In Shanghai. */
const YEAR_ENDS = new Date('2026-12-31T16:00:00.000Z');
/** A minute later, at the next full hour. */
const HOUR_LATER = new Date('2026-12-31T17:00:00.000Z');

describe('TTL takes a document a minute after its last bucket ends, because clocks may differ so far', () => {
  it.each([
    {
      what: 'a check',
      act: (limits: Limits, user: string) =>
        limits.check(checkOf({ orderId: user, subjects: { user } }), AT),
    },
    {
      what: 'a check and its confirm',
      act: async (limits: Limits, user: string) => {
        await limits.check(checkOf({ orderId: user, subjects: { user } }), AT);
        await limits.confirm(orderOf(user, { user }), AT);
      },
    },
    {
      what: 'a check of many',
      act: (limits: Limits, user: string) =>
        limits.checkMany(
          ['1', '2'].map((order) => checkOf({ orderId: `${user}-${order}`, subjects: { user } })),
          false,
          AT,
        ),
    },
  ])('after $what', async ({ what, act }) => {
    await act(limitsOver(database.db, RULES), what);
    const stored = await documentOf(what);
    const names = Object.keys(stored.b);
    const last = Math.max(...names.map((name) => readBucketName(name).until.getTime()));
    expect(new Date(last)).toEqual(YEAR_ENDS);
    expect(stored.expireAt).toEqual(HOUR_LATER);
  });

  it('after it was mended', async () => {
    const until = new Date('2126-01-01T00:00:00.000Z');
    const bucket = { counter: 'user:mended', start: AT, until };
    const missing = { kind: 'sum', bucket, sum: 'usedAmount', stored: 0, expected: 100 } as const;
    expect(await mend(database.db, 'user:mended', { now: AT }, [missing])).toBe(true);
    const { expireAt } = await documentOf('mended');
    expect(expireAt).toEqual(new Date('2126-01-01T00:01:00.000Z'));
  });
});

type Kept = {
  readonly _id: string;
  readonly b: Readonly<Record<string, object>>;
  readonly expireAt: Date;
};

async function documentOf(user: string): Promise<Kept> {
  const found = await database.db.collection<Kept>(COUNTERS).findOne({ _id: `user:${user}` });
  if (found === null) throw new Error(`nothing is stored of ${user}`);
  return found;
}

const YEAR_END = new Date('2026-12-31T16:00:00.000Z');
const LATER = new Date('2027-12-31T16:00:00.000Z');

describe('a document whose terms were taken away', () => {
  it('stays as long as a sum counts that is mended between its read and its end', async () => {
    const documents: Documents = new Map([[HOME, { _id: HOME, seen: ESTIMATE, expireAt: LATER }]]);
    const statements = mingoStatements(documents, () => ESTIMATE);
    const bucket = { counter: 'year-amount', until: YEAR_END };
    const missing = { kind: 'sum', bucket, sum: 'usedAmount', stored: 0, expected: 500 } as const;
    const mend = mendUpdate(HOME, { now: ESTIMATE }, [missing]);
    let reads = 0;
    const find: typeof statements.find = async (ids, projection) => {
      const found = await statements.find(ids, projection);
      if (reads++ === 0) await statements.update(mend);
      return found;
    };
    await letGoSooner({ ...statements, find }, HOME, ESTIMATE);
    const { expireAt, b } = documents.get(HOME) ?? {};
    expect(Object.keys(b ?? {})).toEqual([bucketName(bucket)]);
    expect(expireAt).toEqual(new Date(YEAR_END.getTime() + 60_000));
  });

  it('stays as long as a hold that is added between them, in the same millisecond', async () => {
    const documents: Documents = new Map([[HOME, { _id: HOME, seen: ESTIMATE, expireAt: LATER }]]);
    const statements = mingoStatements(documents, () => ESTIMATE);
    const hold = { id: 'shop:o-1', nonce: 'n', digest: '-', a: 5, until: YEAR_END };
    let reads = 0;
    const find: typeof statements.find = async (ids, projection) => {
      const found = await statements.find(ids, projection);
      if (reads++ === 0) documents.set(HOME, { ...documents.get(HOME), ...heldIn([hold]) });
      return found;
    };
    await letGoSooner({ ...statements, find }, HOME, ESTIMATE);
    const until = new Date(YEAR_END.getTime() + MEMORY_MS);
    expect(documents.get(HOME)?.expireAt).toEqual(until);
  });
});

it('terms that nobody has are taken away where there is no document', async () => {
  const statements = mingoStatements(new Map(), () => ESTIMATE);
  const change = { expected: undefined, terms: undefined };
  expect(await changeTerms(statements, HOME, change, ESTIMATE)).toBe(true);
});

describe('a document whose terms were taken away stays as long as the windows of a share that it keeps', () => {
  const day = bucketName({ counter: 'day-sums', until: new Date('2026-03-02T16:00:00.000Z') });
  const year = bucketName({ counter: 'year-sum', until: YEAR_ENDS });
  const AFTER_MEMORY = new Date(ESTIMATE.getTime() + HOLD_SECONDS_MAX * 1_000 + MEMORY_MS);

  it.each([
    { b: `${year},${day}`, expireAt: new Date(YEAR_ENDS.getTime() + 60_000) },
    { b: `${day},${year}`, expireAt: new Date(YEAR_ENDS.getTime() + 60_000) },
    { b: day, expireAt: AFTER_MEMORY },
    { b: '', expireAt: AFTER_MEMORY },
  ])('$b', async ({ b, expireAt }) => {
    const kept = [{ id: 'shop:o-1', nonce: 'n', a: 5, until: ESTIMATE, b, home: 'user:u-1' }];
    const document = { _id: HOME, seen: ESTIMATE, expireAt: NEVER, kept };
    const documents: Documents = new Map([[HOME, document]]);
    await letGoSooner(
      mingoStatements(documents, () => ESTIMATE),
      HOME,
      ESTIMATE,
    );
    expect(documents.get(HOME)).toMatchObject({ expireAt });
  });
});
