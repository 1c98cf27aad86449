import { beforeAll, describe, expect, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { checkAnswerJson } from '../../lib/http/order-answer.ts';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import { AUDIT } from '../../lib/audit/mongo-audit-store.ts';
import { auditOver, AUDITED } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import {
  checkOf,
  limitsOver,
  orderOf,
  byOrder,
  USER_DAY,
  refundOf as refund,
  sentDuring,
} from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const RULES = [{ ...USER_DAY, id: 'life', window: 'lifetime' as const, max: { amount: 9_000 } }];

const database = useDatabase({ monitorCommands: true });
beforeAll(() => ensureIndexes(database.db));

const refundOf = (orderId: string, amountMinor?: number) =>
  refund(orderId, `of-${amountMinor ?? 'all'}`, amountMinor);

describe.each(AUDITED)('a payment that was refunded, AUDIT=$mode', ({ mode, over }) => {
  it('is told as it is now by each repeat of its confirm, and by status', async () => {
    const { limits } = over(database.db, RULES);
    const orderId = `paid-${mode}`;
    const subjects = { user: orderId };
    await limits.check(checkOf({ orderId, subjects }));
    const confirm = { ...orderOf(orderId, subjects), amountMinor: 500 };
    const first = await limits.confirm(confirm);
    expect(first).toEqual({ state: 'confirmed', repeated: false, late: false, amount: 500 });
    const told = { repeated: true, late: false, amount: 500 };
    expect(await limits.confirm(confirm)).toEqual({
      state: 'confirmed',
      ...told,
    });

    await limits.refund(refundOf(orderId, 200));
    const partly = { state: 'partlyRefunded', ...told, refunded: 200, remaining: 300 };
    expect(await limits.confirm(confirm)).toEqual(partly);
    const alone = { ...byOrder(orderId), amountMinor: 500 };
    expect(await limits.confirm(alone)).toEqual(partly);
    expect(await limits.status(confirm)).toMatchObject({
      state: 'partlyRefunded',
      amountMinor: 500,
      refundedMinor: 200,
    });

    await limits.refund(refundOf(orderId));
    const whole = { state: 'refunded', ...told, refunded: 500, remaining: 0 };
    expect(await limits.confirm(confirm)).toEqual(whole);
    expect(await limits.status(confirm)).toMatchObject({ state: 'refunded', refundedMinor: 500 });
    const [result] = await limits.settleMany([{ ...confirm, to: 'confirmed' }]);
    expect(result).toMatchObject({ answer: { refunded: 500 } });
  });

  it('is told as refunded even if its amount is 0: by repeats of its check and confirm, and by status', async () => {
    const { limits } = over(database.db, RULES);
    const orderId = `nothing-${mode}`;
    const subjects = { user: orderId };
    for (const capture of [true, false]) {
      const id = `${orderId}-${String(capture)}`;
      const check = checkOf({ orderId: id, subjects, amountMinor: 0, capture });
      await limits.check(check);
      const confirm = orderOf(id, subjects);
      await limits.confirm(confirm);
      expect(await limits.status(confirm)).toMatchObject({ state: 'confirmed' });
      await limits.refund(refundOf(id));
      const refunds = { refunded: 0, remaining: 0 };
      expect(await limits.check(check)).toMatchObject({ repeated: true, ...refunds });
      const told = await limits.confirm(confirm);
      expect(told).toMatchObject({ state: 'refunded', refunded: 0, remaining: 0 });
      expect(await limits.status(confirm)).toMatchObject({ state: 'refunded', refundedMinor: 0 });
    }
  });

  it('is told so by a repeat of its check, too, be it counted at once or since', async () => {
    const { limits } = over(database.db, RULES);
    const orderId = `checked-${mode}`;
    const request = checkOf({ orderId, subjects: { user: orderId }, capture: true });
    await limits.check(request);
    expect(checkAnswerJson(await limits.check(request))).toMatchObject({ state: 'confirmed' });
    await limits.refund(refundOf(orderId, 99));
    expect(checkAnswerJson(await limits.check(request))).toMatchObject({
      decision: 'allowed',
      repeated: true,
      state: 'partlyRefunded',
      refunded: 99,
      remaining: 1,
    });
  });

  it('is told so to each of 64 repeats in a call, which read all rows at once', async () => {
    const { limits } = over(database.db, RULES);
    const orderIdOf = (index: number) => `many-${mode}-${index}`;
    const checks = Array.from({ length: 64 }, (_, index) =>
      checkOf({ orderId: orderIdOf(index), subjects: { user: orderIdOf(index) }, capture: true }),
    );
    await limits.checkMany(checks, false);
    await limits.refund(refundOf(orderIdOf(7), 40));
    const confirms = checks.map(
      ({ orderId, subjects }) => ({ ...orderOf(orderId, subjects), to: 'confirmed' }) as const,
    );
    const calls = [() => limits.checkMany(checks, false), () => limits.settleMany(confirms)];
    for (const call of calls) {
      let told: readonly unknown[] = [];
      const sent = await sentDuring(database.client, async () => {
        told = await call();
      });
      expect(sent.filter(({ command }) => command.find === AUDIT).length).toBe(1);
      expect(told[7]).toMatchObject({ answer: { repeated: true, refunded: 40, remaining: 60 } });
      expect(told[8]).toMatchObject({ answer: { repeated: true, state: 'confirmed' } });
      expect(told[8]).not.toHaveProperty('answer.refunded');
    }
  });

  it('is told as it is also where its document has gone', async () => {
    const { limits } = over(database.db, RULES);
    const orderId = `gone-${mode}`;
    const subjects = { user: orderId };
    await limits.check(checkOf({ orderId, subjects, capture: true }));
    await limits.refund(refundOf(orderId, 40));
    await storedCounters(database.db).deleteOne({ _id: `user:${orderId}` });
    expect(await limits.confirm(orderOf(orderId, subjects))).toMatchObject({
      repeated: true,
      refunded: 40,
      remaining: 60,
    });
  });

  it('of another user under the same id says nothing', async () => {
    const { limits } = over(database.db, RULES);
    const orderId = `twice-${mode}`;
    const [one, other] = [{ user: `${orderId}-1` }, { user: `${orderId}-2` }];
    for (const subjects of [one, other])
      await limits.check(checkOf({ orderId, subjects, capture: true }));
    const whereabouts = { kind: 'subjects', subjects: one } as const;
    await limits.refund({ ...refundOf(orderId), whereabouts });
    expect(await limits.confirm(orderOf(orderId, one))).toHaveProperty('refunded');
    expect(await limits.confirm(orderOf(orderId, other))).not.toHaveProperty('refunded');
  });
});

it('what was refunded is null if the audit cannot be read; the payment counts anyway', async () => {
  const audit = auditOver(database.db, 'best-effort');
  const effectsOf = (): Promise<never> => Promise.reject(new UndecidedError('the audit is away'));
  const limits = limitsOver(database.db, RULES, {
    audit: { ...audit, store: { ...audit.store, effectsOf } },
  });
  const subjects = { user: 'unread' };
  await limits.check(checkOf({ orderId: 'unread', subjects }));
  const confirm = orderOf('unread', subjects);
  expect(await limits.confirm(confirm)).not.toHaveProperty('refunded');
  const told = await limits.confirm(confirm);
  expect(told).toMatchObject({ state: 'confirmed', repeated: true, refunded: null });
});
