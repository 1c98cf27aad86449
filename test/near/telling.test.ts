import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { patientCounters, PATIENCE_MS } from '../support/patient-counters.ts';
import { nearCollection } from '../../lib/near/mongo-near-store.ts';
import { mongoOneCommit } from '../../lib/audit/mongo-one-commit.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { untilDecided } from '../support/broken-way.ts';
import { lanesFor } from '../support/lanes.ts';
import { checkOf, orderOf } from '../support/limits-fixture.ts';
import { listed, MERCHANT_DAY as OF_MERCHANT, nearLimitsOver } from './fixture.ts';

const database = useDatabase({ withIndexes: true });

const CALLERS = 50;
/** A call that waits for its turn need not begin again: what it crossed then, nobody would report. */
const AT = new Date('2026-03-02T10:00:00Z');
const MERCHANT_DAY: ModelRule = { ...OF_MERCHANT, max: { amount: 5_000 } };
const USER_DAY: ModelRule = { ...MERCHANT_DAY, id: 'user-day', per: ['user'], max: { count: 10 } };
const EACH_ONCE = ['merchant-day 100', 'merchant-day 50', 'merchant-day 80', 'merchant-day 95'];

let orders = 0;
/** A check of a user who is like no other, with a merchant. */
function payment(merchant: string, more: Partial<CheckRequest> = {}): CheckRequest {
  orders += 1;
  const subjects = { user: `u-${orders}`, merchant };
  return checkOf({ orderId: `o-${orders}`, subjects, ...more });
}

describe('reports each part of a maximum once, whichever of 50 callers crosses it', () => {
  it.each([
    { merchant: 'plain', lane: 'on', audit: 'off', why: 'in the plain lane' },
    { merchant: 'general', lane: 'off', audit: 'off', why: 'in the general lane' },
    { merchant: 'chance', lane: 7, audit: 'best-effort', why: 'beside the audit' },
  ] as const)('$why', async ({ merchant, lane, audit }) => {
    const counters = patientCounters(database.db, {
      timeoutMs: PATIENCE_MS,
      lanes: lanesFor(lane),
    });
    const { limits, heard } = nearLimitsOver(database.db, [MERCHANT_DAY, USER_DAY], {
      counters,
      ...(audit === 'off' ? {} : { audit: auditOver(database.db, audit) }),
    });
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, () => limits.check(payment(merchant), AT)),
    );
    expect(answers.filter(({ kind }) => kind === 'allowed')).toHaveLength(CALLERS);
    expect(heard.events.toSorted()).toEqual(EACH_ONCE);
    expect(heard.lost).toEqual([]);
    const rows = (await listed(database.db, AT)).filter(({ document }) =>
      document.endsWith(merchant),
    );
    expect(rows).toMatchObject([
      { rule: 'merchant-day', percent: 100, max: { amountMinor: 5_000 }, currency: 'CNY' },
    ]);
  });

  it('in one commit of each call and its rows', async () => {
    const oneCommit = mongoOneCommit(database.db, 400, { timeoutMs: PATIENCE_MS });
    const audit = { ...auditOver(database.db, 'session'), oneCommit };
    const { limits, heard } = nearLimitsOver(database.db, [MERCHANT_DAY], {
      audit,
      inOneCommit: true,
    });
    const each = { amountMinor: 500 };
    const payments = Array.from({ length: 10 }, () => payment('session', each));
    await Promise.all(payments.map((one) => untilDecided(() => limits.check(one, AT))));
    expect(heard.events.toSorted()).toEqual(EACH_ONCE);
  });

  it('in calls of many, of which each order is told at its own place', async () => {
    const { limits, heard } = nearLimitsOver(database.db, [MERCHANT_DAY, USER_DAY]);
    const calls = Array.from({ length: 5 }, () =>
      Array.from({ length: 10 }, () => payment('many')),
    );
    await Promise.all(calls.map((requests) => limits.checkMany(requests, false, AT)));
    expect(heard.events.toSorted()).toEqual(EACH_ONCE);
    expect(heard.lost).toEqual([]);
  });

  it('in calls of many that hold all or none, and in captured ones', async () => {
    const { limits, heard } = nearLimitsOver(database.db, [MERCHANT_DAY]);
    const requests = Array.from({ length: 30 }, () => payment('atomic'));
    await limits.checkMany(requests, true, AT);
    expect(heard.events).toEqual(['merchant-day 50']);
    const captured = Array.from({ length: 20 }, () => payment('atomic', { capture: true }));
    await limits.checkMany(captured, false, AT);
    expect(heard.events.toSorted()).toEqual(EACH_ONCE);
  });
});

describe('what is told of a maximum', () => {
  it('is told once more neither when a hold is made again nor when an answer is repeated', async () => {
    const { limits, heard } = nearLimitsOver(database.db, [MERCHANT_DAY]);
    const first = payment('again', { amountMinor: 4_000 });
    await limits.check(first);
    await limits.check(first);
    await limits.rollback(orderOf(first.orderId, first.subjects));
    await limits.check(payment('again', { amountMinor: 4_000 }));
    expect(heard.events).toEqual(['merchant-day 50', 'merchant-day 80']);
  });

  it('comes from records, late confirms and larger ones too', async () => {
    const { limits, heard } = nearLimitsOver(database.db, [MERCHANT_DAY]);
    const { amountMinor, ...recorded } = payment('confirms', { amountMinor: 2_500 });
    const happenedAt = new Date(Date.now() - 1);
    await limits.recordMany([{ ...recorded, amountMinor, happenedAt }]);
    expect(heard.events.splice(0)).toEqual(['merchant-day 50']);
    const larger = payment('confirms');
    await limits.check(larger);
    await limits.confirm({ ...orderOf(larger.orderId, larger.subjects), amountMinor: 1_500 });
    expect(heard.events.splice(0)).toEqual(['merchant-day 80']);
    const late = payment('confirms', { amountMinor: 900, holdMs: 1_000 });
    await limits.check(late);
    expect(heard.events.splice(0)).toEqual(['merchant-day 95']);
    await setTimeout(3_100); // beside home a hold lasts two seconds longer
    await limits.check(payment('confirms', { amountMinor: 500 }));
    await limits.confirm(orderOf(late.orderId, late.subjects));
    expect(heard.events).toEqual(['merchant-day 100']);
  });

  it('is nothing where a rule on trial left the order out', async () => {
    const exact = { rollingMs: 3_600_000, stepMs: 'exact' } as const;
    const trial: ModelRule = { ...MERCHANT_DAY, id: 'trial', window: exact, mode: 'shadow' };
    const { limits, heard } = nearLimitsOver(database.db, [{ ...trial, max: { count: 4 } }]);
    const call = (second: number, count: number): Promise<unknown> =>
      limits.check(payment('trial', { count }), new Date(Date.UTC(2026, 2, 2, 10, 0, second)));
    await call(1, 2);
    await call(2, 3); // would be the fifth: what stands after it is what stood before
    expect(heard.events).toEqual(['trial 50']);
    const [row] = await nearCollection(database.db).find({ rule: 'trial' }).toArray();
    expect(row).toMatchObject({ mode: 'shadow', at: new Date('2026-03-02T10:00:01Z') });
  });

  it('of a rolling window lasts until what crossed has left it', async () => {
    const hour = { rollingMs: 3_600_000, stepMs: 600_000 };
    const rolling: ModelRule = { ...MERCHANT_DAY, id: 'hour', window: hour };
    const { limits, heard } = nearLimitsOver(database.db, [rolling]);
    const call = (minute: number, amountMinor: number): Promise<unknown> =>
      limits.check(
        payment('rolling', { amountMinor, capture: true }),
        new Date(Date.UTC(2026, 2, 2, 10, minute)),
      );
    await call(0, 2_500); // counts until 11:10
    await call(20, 1_500); // crosses 80 % until 11:30
    await call(65, 100); // all counts still
    expect(heard.events.splice(0)).toEqual(['hour 50', 'hour 80']);
    await call(75, 2_400); // the first has left, so half is told again; 80 % is told until 11:30
    expect(heard.events.splice(0)).toEqual(['hour 50']);
    await call(95, 1_500); // the second has left: from 2,500 to 4,000
    expect(heard.events).toEqual(['hour 80']);
  });
});
