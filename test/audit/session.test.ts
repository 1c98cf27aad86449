import { describe, expect, it } from 'vitest';
import { verifyChain } from '../../lib/audit/mongo-chain.ts';
import { untilDecided } from '../support/broken-way.ts';
import type { ModelRule } from '../model/model-types.ts';
import { sessionLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { times } from '../support/extent.ts';
import { USER_TODAY, checkOf, orderOf } from '../support/limits-fixture.ts';
import { countsIn } from '../support/stored-buckets.ts';

const database = useDatabase({ withIndexes: true });

const MERCHANT_DAY: ModelRule = { ...USER_TODAY, id: 'merchant-day', per: ['merchant'] };
const NOW = new Date('2030-01-01T00:00:00.000Z');

/** Sums of a document, over all of its buckets. */
const sumsOf = (document: string) => countsIn(database.db, document);

describe('a call whose audit is part of its commit', () => {
  it('leaves the row beside the counter, and of a repeat nothing', async () => {
    const { limits, rowsOf } = sessionLimitsOver(database.db, [USER_TODAY]);
    const subjects = { user: 'one' };
    const request = checkOf({ orderId: 'one', subjects });
    expect(await limits.check(request)).toMatchObject({ kind: 'allowed', repeated: false });
    expect(await limits.check(request)).toMatchObject({ kind: 'allowed', repeated: true });
    await limits.confirm(orderOf('one', subjects));
    await limits.confirm(orderOf('one', subjects));
    expect(await rowsOf('one')).toMatchObject([{ outcome: 'held' }, { outcome: 'confirmed' }]);
    expect(await sumsOf('user:one')).toEqual({ used: 1, held: 0 });
    expect(await verifyChain(database.db, 'user:one', NOW)).toEqual({ rows: 2 });
  });

  it('leaves the row of a refusal and of an error, and nothing else', async () => {
    const { limits, rowsOf } = sessionLimitsOver(database.db, [USER_TODAY, MERCHANT_DAY]);
    const subjects = { user: 'no', merchant: 'no' };
    const refused = await limits.check(checkOf({ orderId: 'no', subjects, count: 6 }));
    expect(refused).toMatchObject({ kind: 'refused' });
    await expect(limits.confirm(orderOf('no', subjects))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await rowsOf('no')).toMatchObject([{ outcome: 'refused' }, { outcome: 'NOT_FOUND' }]);
    expect(await sumsOf('user:no')).toEqual({ used: 0, held: 0 });
    expect(await verifyChain(database.db, 'user:no', NOW)).toEqual({ rows: 2 });
  });

  it('looks without a commit', async () => {
    const { limits, rowsOf } = sessionLimitsOver(database.db, [USER_TODAY]);
    const subjects = { user: 'dry' };
    const answer = await limits.check(checkOf({ orderId: 'dry', subjects, dryRun: true }));
    expect(answer).toMatchObject({ kind: 'allowed', state: 'none' });
    expect(await rowsOf('dry')).toEqual([]);
  });

  it('does many orders in one commit', async () => {
    const { limits, rowsOf } = sessionLimitsOver(database.db, [
      { ...USER_TODAY, max: { count: 3 } },
    ]);
    const orders = Array.from({ length: 12 }, (_, index) => ({
      orderId: `many-${index}`,
      subjects: { user: `many-${index % 3}` },
    }));
    const checked = await limits.checkMany(orders.map(checkOf), false);
    const kinds = checked.map((result) => result.kind === 'answered' && result.answer.kind);
    expect(kinds.slice(0, 9)).toEqual(orders.slice(0, 9).map(() => 'allowed'));
    expect(kinds.slice(9)).toEqual(['refused', 'refused', 'refused']);
    const settlements = orders.map(({ orderId, subjects }, index) => ({
      ...orderOf(orderId, subjects),
      to: index % 2 === 0 ? ('confirmed' as const) : ('rolledBack' as const),
    }));
    const settled = await limits.settleMany(settlements);
    expect(settled.filter(({ kind }) => kind === 'answered')).toHaveLength(9);
    const outcomes = await Promise.all(
      orders.map(async ({ orderId }) => (await rowsOf(orderId)).map(({ outcome }) => outcome)),
    );
    expect(outcomes[0]).toEqual(['held', 'confirmed']);
    expect(outcomes[1]).toEqual(['held', 'rolledBack']);
    expect(outcomes[11]).toEqual(['refused', 'NOT_FOUND']);
    expect(await sumsOf('user:many-0')).toEqual({ used: 2, held: 0 });
    expect(await verifyChain(database.db, 'user:many-0', NOW)).toEqual({ rows: 8 });
  });

  it('of many callers admits exactly what fits, with a row for each', async () => {
    const rules = [{ ...USER_TODAY, max: { count: 1 } }, MERCHANT_DAY];
    const { limits } = sessionLimitsOver(database.db, rules);
    const callers = times('callersInSession');
    const calls = Array.from({ length: callers }, (_, index) => ({
      orderId: `race-${index}`,
      subjects: { user: `race-${index % (callers / 2)}`, merchant: 'race' },
    }));
    const ended = await Promise.all(
      calls.map((call) => untilDecided(() => limits.check(checkOf(call)))),
    );
    const told = ended.map(({ answer }) => answer.kind);
    expect(told.filter((kind) => kind === 'allowed')).toHaveLength(5);
    expect(told.filter((kind) => kind === 'refused')).toHaveLength(callers - 5);
    expect(await sumsOf('merchant:race')).toEqual({ used: 0, held: 5 });
    const rows = await database.db.collection('audit').countDocuments({
      subjectIds: 'merchant:race',
    });
    expect(rows).toBe(callers);
    for (const document of [
      'merchant:race',
      ...calls.map((_, i) => `user:race-${i % (callers / 2)}`),
    ])
      expect((await verifyChain(database.db, document, NOW)).broken).toBeUndefined();
  });
});
