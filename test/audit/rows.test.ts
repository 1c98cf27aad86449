import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { bucketName } from '../../lib/counter/name.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditedLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { DRIVER_WAITS_MS, timed } from '../support/elapsed.ts';
import { USER_DAY, checkOf, orderOf } from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { OWN_WRITES } from '../../lib/mongo/client.ts';
import { openHoldsOf } from '../support/held.ts';

const database = useDatabase();

const ROLLING: ModelRule = {
  ...USER_DAY,
  id: 'user-24h',
  window: { rollingMs: 86_400_000, stepMs: 1_800_000 },
};
const MERCHANT_DAY: ModelRule = { ...USER_DAY, id: 'merchant-day', per: ['merchant'] };
const FULL_SHADOW: ModelRule = {
  ...USER_DAY,
  id: 'trial',
  window: { rollingMs: 3_000, stepMs: 'exact' },
  max: { count: 1 },
  mode: 'shadow',
};

const AT = new Date('2026-03-02T10:07:00.000Z');
const LATER = new Date('2026-03-02T10:08:00.000Z');
const EXPIRED = new Date('2026-03-02T10:22:00.000Z');
const DAY = {
  start: new Date('2026-03-01T16:00:00.000Z'),
  until: new Date('2026-03-02T16:00:00.000Z'),
};

describe('the audit', () => {
  it('tells of a payment from its check to its confirm', async () => {
    const { limits, rowsOf } = auditedLimitsOver(database.db, [USER_DAY]);
    const subjects = { user: 'paid', card: 'c-1' };
    const request = checkOf({ orderId: 'paid', subjects, type: 'PAYMENT', count: 2 });
    const allowed = await limits.check(request, AT, 'request-1');
    if (allowed.kind !== 'allowed') throw new Error('it fits');
    const { reservation = '' } = allowed;
    const confirm = {
      appId: 'default',
      orderId: 'paid',
      amountMinor: 90,
      whereabouts: { kind: 'reservation', token: reservation } as const,
    };
    await limits.confirm(confirm, LATER, 'request-2');
    const [checked, confirmed, ...others] = await rowsOf('paid');
    expect(checked).toMatchObject({
      appId: 'default',
      orderId: 'paid',
      operation: 'check',
      outcome: 'held',
      subjects,
      type: 'PAYMENT',
      amountMinor: 100,
      count: 2,
      currency: 'CNY',
      at: AT,
      requestId: 'request-1',
      reservation,
      violations: [],
      effective: true,
      holdExpiresAt: EXPIRED,
      shares: [{ document: 'user:paid', buckets: [{ ...DAY }] }],
    });
    expect(confirmed).toMatchObject({
      appId: 'default',
      orderId: 'paid',
      operation: 'confirm',
      outcome: 'confirmed',
      subjects,
      amountMinor: 90,
      count: 2,
      at: LATER,
      requestId: 'request-2',
      late: false,
      shares: [{ document: 'user:paid', buckets: [{ until: DAY.until }] }],
    });
    expect(others).toEqual([]);
  });

  it('names the rules that refused, each time', async () => {
    const { limits, rowsOf } = auditedLimitsOver(database.db, [{ ...USER_DAY, max: { count: 0 } }]);
    const request = checkOf({ orderId: 'refused', subjects: { user: 'refused' } });
    await limits.check(request, AT);
    await limits.check(request, LATER);
    expect(await rowsOf('refused')).toMatchObject([
      { outcome: 'refused', violations: ['user-day'], amountMinor: 100, at: AT, shares: [] },
      { outcome: 'refused', violations: ['user-day'], amountMinor: 100, at: LATER, shares: [] },
    ]);
  });

  it('keeps how each rule stood that refused: the rule may be another one later', async () => {
    const rules = [{ ...USER_DAY, max: { amount: 150, count: 9 } }];
    const { limits, rowsOf } = auditedLimitsOver(database.db, rules);
    const subjects = { user: 'why' };
    await limits.check(checkOf({ orderId: 'why-0', subjects }), AT);
    await limits.check(checkOf({ orderId: 'why', subjects }), LATER);
    const [row] = await rowsOf('why');
    expect(row).toHaveProperty('refusals', [
      {
        rule: 'user-day',
        outcome: 'exceeded',
        currency: 'CNY',
        window: expect.objectContaining({ kind: 'calendar', unit: 'day' }) as object,
        period: { start: DAY.start, end: DAY.until },
        max: { amountMinor: 150, count: 9 },
        used: { amountMinor: 0, count: 0 },
        held: { amountMinor: 100, count: 1 },
      },
    ]);
    expect((await rowsOf('why-0'))[0]).not.toHaveProperty('refusals');
  });

  it('tells of a rollback with its reason, and of what came too late after it', async () => {
    const { limits, rowsOf } = auditedLimitsOver(database.db, [USER_DAY]);
    const subjects = { user: 'failed' };
    await limits.check(checkOf({ orderId: 'failed', subjects }), AT);
    await limits.rollback({ ...orderOf('failed', subjects), reason: 'no money' }, LATER);
    await expect(limits.confirm(orderOf('failed', subjects), LATER)).rejects.toThrow();
    const unknown = limits.confirm(orderOf('unknown', subjects), LATER);
    await expect(unknown).rejects.toThrow();
    expect(await rowsOf('failed')).toMatchObject([
      { operation: 'check', outcome: 'held' },
      { operation: 'rollback', outcome: 'rolledBack', reason: 'no money', amountMinor: 100 },
      { operation: 'confirm', outcome: 'ALREADY_ROLLED_BACK', effective: false, at: LATER },
    ]);
    expect(await rowsOf('unknown')).toMatchObject([{ outcome: 'NOT_FOUND', subjects }]);
  });

  it('tells of a payment that is counted at once, and of one that came late', async () => {
    const { limits, rowsOf } = auditedLimitsOver(database.db, [USER_DAY, MERCHANT_DAY]);
    const subjects = { user: 'capture', merchant: 'capture' };
    await limits.check(checkOf({ orderId: 'captured', subjects, capture: true }), AT);
    await limits.check(checkOf({ orderId: 'late', subjects }), AT);
    await limits.confirm(orderOf('late', subjects), EXPIRED);
    const shares = [{ document: 'user:capture' }, { document: 'merchant:capture' }];
    expect(await rowsOf('captured')).toMatchObject([
      { operation: 'check', outcome: 'confirmed', amountMinor: 100, shares },
    ]);
    expect(await rowsOf('late')).toMatchObject([
      { outcome: 'held' },
      { outcome: 'confirmed', late: true, at: EXPIRED, shares },
    ]);
  });

  it('has one row for an effect, however often it is told', async () => {
    const { limits, rowsOf, lost } = auditedLimitsOver(database.db, [USER_DAY]);
    const subjects = { user: 'repeated' };
    const request = checkOf({ orderId: 'repeated', subjects });
    for (let times = 0; times < 3; times++) await limits.check(request);
    for (let times = 0; times < 3; times++) await limits.confirm(orderOf('repeated', subjects));
    await limits.check(request);
    const told = (await rowsOf('repeated')).map(({ outcome }) => outcome);
    expect({ told, lost }).toEqual({ told: ['held', 'confirmed'], lost: [] });
  });

  it.each([
    { outcome: 'held', capture: false },
    { outcome: 'confirmed', capture: true },
  ])(
    'has the row of the call that did it, though its repeat has written one before: $outcome',
    async ({ outcome, capture }) => {
      const orderId = `overtaken, ${outcome}`;
      const subjects = { user: orderId };
      const request = checkOf({ orderId, subjects, capture });
      const { limits: other, rowsOf } = auditedLimitsOver(database.db, [USER_DAY]);
      const inner = patientCounters(database.db);
      const counters: CounterStore = {
        ...inner,
        async hold(...asked) {
          const view = await inner.hold(...asked);
          await other.check(request, LATER);
          return view;
        },
      };
      const { limits, lost } = auditedLimitsOver(database.db, [USER_DAY], { counters });
      expect(await limits.check(request, AT)).toMatchObject({ repeated: false });
      const rows = await rowsOf(orderId);
      expect(rows).toMatchObject([{ outcome, at: AT, shares: [{ document: `user:${orderId}` }] }]);
      expect(rows[0]).not.toHaveProperty('repeated');
      await other.check(request, LATER);
      expect(await rowsOf(orderId)).toEqual(rows);
      expect(lost).toEqual([]);
    },
  );

  it('has a row for each order of many', async () => {
    const { limits, rowsOf } = auditedLimitsOver(database.db, [{ ...USER_DAY, max: { count: 2 } }]);
    const subjects = { user: 'many' };
    const orders = ['m-0', 'm-1', 'm-2'];
    const requests = orders.map((orderId) => checkOf({ orderId, subjects }));
    await limits.checkMany(requests, false, AT, 'batch');
    const { whereabouts } = orderOf('', subjects);
    const settlements = [
      { appId: 'default', orderId: 'm-0', whereabouts, to: 'confirmed', amountMinor: 60 },
      { appId: 'default', orderId: 'm-1', whereabouts, to: 'rolledBack' },
      { appId: 'default', orderId: 'm-2', whereabouts, to: 'confirmed' },
    ] as const;
    await limits.settleMany(settlements, LATER);
    const shares = [{ document: 'user:many', buckets: [{ ...DAY }] }];
    const [first, second, third] = await Promise.all(orders.map(rowsOf));
    expect(first).toMatchObject([
      { outcome: 'held', shares, requestId: 'batch' },
      {
        ...{ outcome: 'confirmed', amountMinor: 60 },
        shares: [{ document: 'user:many', buckets: [{ until: DAY.until }] }],
      },
    ]);
    expect(second).toMatchObject([
      { outcome: 'held' },
      { outcome: 'rolledBack', amountMinor: 100 },
    ]);
    expect(third).toMatchObject([
      { outcome: 'refused', violations: ['user-day'] },
      { outcome: 'NOT_FOUND' },
    ]);
  });

  it.each([
    { many: false, why: 'the order comes alone' },
    { many: true, why: 'the order is one of many' },
  ])('names the buckets that documents hold, where $why', async ({ many }) => {
    const rules = [USER_DAY, ROLLING, FULL_SHADOW, MERCHANT_DAY];
    const { limits, rowsOf } = auditedLimitsOver(database.db, rules);
    const subjects = { user: `buckets-${many}`, merchant: `buckets-${many}` };
    const orders = [0, 1].map((index) => `buckets-${many}-${index}`);
    const requests = orders.map((orderId) => checkOf({ orderId, subjects }));
    if (many) await limits.checkMany(requests, false, AT);
    else for (const request of requests) await limits.check(request, AT);
    const counters = storedCounters(database.db);
    for (const orderId of orders) {
      const [row] = await rowsOf(orderId);
      const documents = row?.shares.map(({ document }) => document);
      expect(documents).toEqual([`user:buckets-${many}`, `merchant:buckets-${many}`]);
      for (const { document, buckets } of row?.shares ?? []) {
        const stored = await counters.findOne({ _id: document });
        const hold = openHoldsOf(stored).find(({ id }) => id === `default:${orderId}`);
        expect(buckets.map(bucketName).join(',')).toBe(hold?.b);
      }
    }
  });

  it('is kept for its days, and found by subject and time', async () => {
    const { limits } = auditedLimitsOver(database.db, [USER_DAY]);
    const subjects = { user: 'kept:1', card: 'c-1' };
    await limits.check(checkOf({ orderId: 'kept', subjects }), AT);
    const stored = await database.db.collection('audit').findOne({ subjectIds: 'user:kept\\:1' });
    expect(stored).toMatchObject({
      orderId: 'kept',
      at: AT,
      subjectIds: ['user:kept\\:1', 'card:c-1'],
      expireAt: new Date('2027-04-06T10:07:00.000Z'),
    });
  });
});

describe('an audit that cannot be written', () => {
  const nowhere = new MongoClient('mongodb://127.0.0.1:1/', OWN_WRITES);
  afterAll(() => nowhere.close());

  it('changes no answer, costs a bounded wait, and is told', async () => {
    const away = nowhere.db('away');
    const { limits, lost } = auditedLimitsOver(database.db, [USER_DAY], { auditDb: away });
    const subjects = { user: 'away' };
    const { result: answer, ms } = await timed(() =>
      limits.check(checkOf({ orderId: 'away', subjects })),
    );
    expect(answer).toMatchObject({ kind: 'allowed', repeated: false });
    expect(ms).toBeLessThan(DRIVER_WAITS_MS);
    expect(lost).toMatchObject([{ orderId: 'away', outcome: 'held' }]);
  });

  it('is made good by a repeat', async () => {
    const subjects = { user: 'repaired' };
    const request = checkOf({ orderId: 'repaired', subjects });
    await auditedLimitsOver(database.db, [USER_DAY], { auditDb: nowhere.db('away') }).limits.check(
      request,
    );
    const { limits, rowsOf } = auditedLimitsOver(database.db, [USER_DAY]);
    expect(await rowsOf('repaired')).toEqual([]);
    await limits.check(request);
    expect(await rowsOf('repaired')).toMatchObject([{ outcome: 'held' }]);
  });
});
