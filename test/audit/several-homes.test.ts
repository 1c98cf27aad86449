import { describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { auditedLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { USER_TODAY, checkOf, limitsOver, orderOf, byOrder } from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { counted } from '../support/broken-orders.ts';

const database = useDatabase();

const RULES = [USER_TODAY];
const AMBIGUOUS = {
  code: 'ORDER_AMBIGUOUS',
  retryable: false,
  message: expect.stringMatching(
    /^several orders have the id ".*", in the documents "user:[^"]*-a" and "user:[^"]*-b"; nothing was changed\. /,
  ) as string,
};

const nameOf = (orderId: string) => ({ appId: 'default', orderId });
const userOf = (orderId: string, home: 'a' | 'b') => ({ user: `${orderId}-${home}` });

/** One order id, checked for two users: each home knows only its own order. */
async function checkTwice(limits: Limits, orderId: string, capture = false): Promise<void> {
  for (const home of ['a', 'b'] as const) {
    const request = checkOf({ orderId, subjects: userOf(orderId, home), capture });
    expect(await limits.check(request)).toMatchObject({ kind: 'allowed', repeated: false });
  }
}

/** The held and used amounts of each user. */
async function sumsOf(orderId: string): Promise<readonly unknown[]> {
  const limits = limitsOver(database.db, RULES);
  const sums = (['a', 'b'] as const).map((home) => counted(limits, userOf(orderId, home)));
  return (await Promise.all(sums)).flat().map(({ held, used }) => [held?.count, used?.count]);
}

describe('an order id that was allowed for two users', () => {
  it('is confirmed and rolled back for neither of them by the id alone, and both are named', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await checkTwice(limits, 'settled');
    await expect(limits.confirm(byOrder('settled'))).rejects.toMatchObject(AMBIGUOUS);
    await expect(limits.rollback(byOrder('settled'))).rejects.toMatchObject(AMBIGUOUS);
    expect(await sumsOf('settled')).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('fails alone among many', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await checkTwice(limits, 'many');
    await limits.check(checkOf({ orderId: 'single', subjects: { user: 'single' } }));
    const results = await limits.settleMany([
      { ...byOrder('many'), to: 'confirmed' },
      { ...byOrder('single'), to: 'confirmed' },
    ]);
    expect(results).toMatchObject([
      { kind: 'failed', error: AMBIGUOUS },
      { kind: 'answered', answer: { kind: 'confirmed', repeated: false } },
    ]);
  });

  it('is settled, refunded and remembered for each where the user is named', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await checkTwice(limits, 'named');
    const of = (home: 'a' | 'b') => orderOf('named', userOf('named', home));
    expect(await limits.confirm(of('a'))).toMatchObject({ repeated: false });
    expect(await limits.rollback(of('b'))).toEqual({ repeated: false });
    const refunded = await limits.refund({ ...of('a'), refundId: 'r-1', amountMinor: 10 });
    expect(refunded).toMatchObject({ repeated: false, remainingMinor: 90 });
    for (const home of ['a', 'b'])
      await storedCounters(database.db).deleteOne({ _id: `user:named-${home}` });
    expect(await limits.confirm(of('a'))).toMatchObject({ repeated: true, amountMinor: 100 });
    expect(await limits.rollback(of('b'))).toEqual({ repeated: true });
  });

  it('is refunded for neither by the id alone', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await checkTwice(limits, 'paid', true);
    const refund = { ...byOrder('paid'), refundId: 'r-1', amountMinor: 10 };
    await expect(limits.refund(refund)).rejects.toMatchObject(AMBIGUOUS);
    expect(await sumsOf('paid')).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('has no one status', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await checkTwice(limits, 'asked');
    await expect(limits.status(nameOf('asked'))).rejects.toMatchObject(AMBIGUOUS);
  });

  it('names two of them, and how many more there are', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await checkTwice(limits, 'four');
    for (const home of ['c', 'd'])
      await limits.check(checkOf({ orderId: 'four', subjects: { user: `four-${home}` } }));
    await expect(limits.confirm(byOrder('four'))).rejects.toMatchObject({
      message:
        'several orders have the id "four", in the documents "user:four-a", "user:four-b" and 2 more; nothing was changed. Send the subjects of yours, or its reservation',
    });
  });
});

it('an order id that was refused for one user and allowed for another names the one order that there is', async () => {
  const { limits } = auditedLimitsOver(database.db, [{ ...USER_TODAY, max: { amount: 100 } }]);
  const refused = checkOf({ orderId: 'one', subjects: { user: 'one-a' }, amountMinor: 101 });
  expect(await limits.check(refused)).toMatchObject({ kind: 'refused' });
  await limits.check(checkOf({ orderId: 'one', subjects: { user: 'one-b' } }));
  expect(await limits.status(nameOf('one'))).toMatchObject({
    state: 'held',
    subjects: { user: 'one-b' },
  });
  expect(await limits.confirm(byOrder('one'))).toMatchObject({ repeated: false });
});
