import { describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import { AUDIT_ROWS_AT_ONCE_MAX, AUDIT_ROWS_MAX } from '../../lib/shared/bounds.ts';
import { auditedLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_TODAY,
  byOrder,
  checkOf,
  limitsOver,
  orderOf,
  recordOf,
  recordedBy,
  refundOf,
} from '../support/limits-fixture.ts';
import { heldIn } from '../support/held.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { counted } from '../support/broken-orders.ts';

const database = useDatabase({ withIndexes: true });

const RULES = [USER_TODAY];
const AT = new Date('2026-03-02T10:00:00.000Z');
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
      { kind: 'answered', answer: { state: 'confirmed', repeated: false } },
    ]);
  });

  it('is settled, refunded and remembered for each where the user is named', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await checkTwice(limits, 'named');
    const of = (home: 'a' | 'b') => orderOf('named', userOf('named', home));
    expect(await limits.confirm(of('a'))).toMatchObject({ repeated: false });
    expect(await limits.rollback(of('b'))).toMatchObject({ repeated: false });
    const refunded = await limits.refund({ ...of('a'), refundId: 'r-1', amountMinor: 10 });
    expect(refunded).toMatchObject({ repeated: false, remaining: 90 });
    for (const home of ['a', 'b'])
      await storedCounters(database.db).deleteOne({ _id: `user:named-${home}` });
    expect(await limits.confirm(of('a'))).toMatchObject({ repeated: true, amount: 100 });
    expect(await limits.rollback(of('b'))).toEqual({ state: 'rolledBack', repeated: true });
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

describe('an order id that many users have, as where each numbers its own orders', () => {
  /** Newer payments under the id: each of another user, or all of one. */
  async function crowd(orderId: string, rows: number, userOf = (row: number) => `other-${row}`) {
    const collection = auditCollection(database.db);
    const first = await collection.findOne({ orderId });
    if (first === null) throw new Error('the order has a row');
    const others = Array.from({ length: rows }, (_, row) => {
      const user = userOf(row);
      const documents = [`user:${user}`];
      const at = new Date(first.at.getTime() + 1_000 + row);
      const named = { documents, subjectIds: documents, subjects: { user } };
      return { ...first, ...named, _id: `${orderId}-${row}`, nonce: `n-${row}`, at };
    });
    await collection.insertMany(others);
  }
  const forget = (user: string) =>
    storedCounters(database.db).updateOne(
      { _id: `user:${user}` },
      { $set: { ...heldIn([]), settled: [], expired: [], remembered: 101 } },
    );

  it('is refunded, and told by its repeats, for the user that is named', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    const order = checkOf({ orderId: 'no-1', subjects: { user: 'numbered' }, capture: true });
    await limits.check(order);
    await crowd('no-1', AUDIT_ROWS_MAX);
    const named = orderOf('no-1', { user: 'numbered' });
    const refund = { ...refundOf('no-1', 'r-1', 40), whereabouts: named.whereabouts };
    expect(await limits.refund(refund)).toMatchObject({ repeated: false, remaining: 60 });
    const refunds = { refunded: 40, remaining: 60 };
    expect(await limits.check(order)).toMatchObject({ repeated: true, ...refunds });
    expect(await limits.confirm(named)).toMatchObject({ repeated: true, ...refunds });
    await forget('numbered');
    expect(await limits.confirm(named)).toMatchObject({ repeated: true, ...refunds });
  });

  it('is recorded once, whatever else was recorded under it', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    const mine = ['no-2', 'no-3'].map((orderId) =>
      recordOf({ orderId, subjects: { user: 'importer' }, happenedAt: AT }),
    );
    expect(await recordedBy(limits, mine, AT)).toEqual(['new', 'new']);
    await crowd('no-2', AUDIT_ROWS_AT_ONCE_MAX);
    await forget('importer');
    expect(await recordedBy(limits, mine, AT)).toEqual(['again', 'again']);
    expect(await counted(limits, { user: 'importer' }, AT)).toMatchObject([{ used: { count: 2 } }]);
  });

  it('is ambiguous for a call by the id alone, though its newest rows are of one user', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await limits.check(checkOf({ orderId: 'no-4', subjects: { user: 'older' }, capture: true }));
    await crowd('no-4', AUDIT_ROWS_MAX, () => 'newer');
    const error = { code: 'ORDER_AMBIGUOUS' };
    await expect(limits.confirm(byOrder('no-4'))).rejects.toMatchObject(error);
    await expect(limits.refund(refundOf('no-4', 'r-1'))).rejects.toMatchObject(error);
    await expect(limits.status(nameOf('no-4'))).rejects.toMatchObject(error);
  });
});
