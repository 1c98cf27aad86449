import { describe, expect, it } from 'vitest';
import { readBucketName } from '../../lib/limits/document/document.ts';
import type { Limits } from '../../lib/limits.ts';
import { COUNTERS } from '../../lib/limits/mongo-counter-store.ts';
import { mend } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';

const database = useDatabase();

/** The seven days that a document is remembered end long before these windows do. */
const RULES: readonly ModelRule[] = [
  { ...USER_DAY, id: 'year', window: { unit: 'year', timeZone: 'Asia/Shanghai' } },
  { ...USER_DAY, id: 'quarter', window: { unit: 'quarter', timeZone: 'Asia/Shanghai' } },
];
const AT = new Date('2026-03-02T10:00:00.000Z');
/** In Shanghai. */
const YEAR_ENDS = new Date('2026-12-31T16:00:00.000Z');
const MINUTE_LATER = new Date('2026-12-31T16:01:00.000Z');

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
    expect(stored.expireAt).toEqual(MINUTE_LATER);
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
