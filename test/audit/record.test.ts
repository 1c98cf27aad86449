import { describe, expect, it } from 'vitest';
import type { RecordRequest, Subjects } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditedLimitsOver, AUDITED } from '../support/audit-fixture.ts';
import { counted } from '../support/broken-orders.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  commandsDuring,
  limitsOver,
  recordOf,
  recordedBy,
  refundOf,
  orderOf,
} from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { heldIn } from '../support/held.ts';

const database = useDatabase({ monitorCommands: true, withIndexes: true });

const AT = new Date('2026-03-02T10:00:00.000Z');
const EARLIER = new Date('2026-03-02T09:00:00.000Z');

const DAY: ModelRule = { ...USER_DAY, max: { amount: 1_000, count: 500 } };
const MERCHANT_DAY: ModelRule = { ...DAY, id: 'merchant-day', per: ['merchant'] };
/** Every minute is a step of its own. */
const HOURS: ModelRule = {
  ...DAY,
  id: 'hours',
  window: { rollingMs: 3 * 3_600_000, stepMs: 180_000 },
};

/** A payment of 3.00 CNY, an hour ago. */
const paymentOf = (orderId: string, subjects: Subjects, change: Partial<RecordRequest> = {}) =>
  recordOf({ orderId, subjects, amountMinor: 300, happenedAt: EARLIER, ...change });

const toldOf = (limits: Limits, requests: readonly RecordRequest[]) =>
  recordedBy(limits, requests, AT);

function used(limits: Limits, subjects: Subjects): Promise<unknown> {
  return counted(limits, subjects, AT).then((rules) => rules.map((rule) => rule.used));
}

it('all payments of a call are counted by rules that are read once, those that rows know too', async () => {
  let reads = 0;
  const rules = (): Promise<readonly Rule[]> => {
    reads += 1;
    return Promise.resolve([libRule({ ...DAY, id: `day-${reads}` })]);
  };
  const { limits } = auditedLimitsOver(database.db, [], { rules });
  const orders = ['once-1', 'once-2', 'once-3'].map((id) => paymentOf(id, { user: 'once' }));
  await toldOf(limits, orders.slice(0, 2));
  reads = 0;
  const results = await limits.recordMany(orders, AT);
  expect(reads).toBe(1);
  expect(results).toMatchObject([
    { answer: { repeated: true, counted: ['day-1'] } },
    { answer: { repeated: true, counted: ['day-1'] } },
    { answer: { repeated: false, counted: ['day-1'] } },
  ]);
});

describe.each(AUDITED)('a payment that is recorded, $mode', ({ mode, over }) => {
  it('has a row that says when it happened and where it counts', async () => {
    const { limits, rowsOf } = over(database.db, [DAY, MERCHANT_DAY]);
    const [orderId, name] = [`row-${mode}`, `row-${mode}`];
    const subjects = { user: name, merchant: name };
    expect(await toldOf(limits, [paymentOf(orderId, subjects)])).toEqual(['new']);
    expect(await toldOf(limits, [paymentOf(orderId, subjects)])).toEqual(['again']);
    expect(await rowsOf(orderId)).toMatchObject([
      {
        ...{ operation: 'record', outcome: 'confirmed', effective: true, subjects },
        ...{ amountMinor: 300, currency: 'CNY', happenedAt: EARLIER, at: AT },
        shares: [
          { document: `user:${name}`, buckets: [{}] },
          { document: `merchant:${name}`, buckets: [{}] },
        ],
      },
    ]);
    expect(await limits.status({ appId: 'default', orderId }, AT)).toMatchObject({
      state: 'confirmed',
      amountMinor: 300,
      subjects,
    });
  });

  it('is refunded in the windows in which it counts', async () => {
    const { limits } = over(database.db, [DAY, MERCHANT_DAY]);
    const [orderId, name] = [`refunded-${mode}`, `refunded-${mode}`];
    const subjects = { user: name, merchant: name };
    await toldOf(limits, [paymentOf(orderId, subjects)]);
    const answer = await limits.refund(refundOf(orderId, 'r-1', 100), AT);
    expect(answer).toMatchObject({ remaining: 200, windows: { open: 2, over: 0 } });
    const left = { amountMinor: 200, count: 1 };
    expect(await used(limits, subjects)).toEqual([left, left]);
  });

  it('is not recorded again once its document has forgotten it', async () => {
    const { limits } = over(database.db, [DAY]);
    const name = `forgotten-${mode}`;
    const request = paymentOf(`first-${mode}`, { user: name });
    expect(await toldOf(limits, [request])).toEqual(['new']);
    const collection = storedCounters(database.db);
    await collection.updateOne({ _id: `user:${name}` }, { $set: { settled: [] } });
    expect(await toldOf(limits, [request])).toEqual(['again']);
    expect(await toldOf(limits, [{ ...request, amountMinor: 301 }])).toEqual(['ORDER_REUSED']);
    expect(await used(limits, { user: name })).toEqual([{ amountMinor: 300, count: 1 }]);
  });

  it('is known again though its row is lost and only that of a confirm is left', async () => {
    const { limits } = over(database.db, [DAY]);
    const name = `confirmed-${mode}`;
    const subjects = { user: name };
    const request = paymentOf(name, subjects);
    expect(await toldOf(limits, [request])).toEqual(['new']);
    await database.db.collection('audit').deleteOne({ orderId: name });
    const confirm = orderOf(name, subjects);
    expect(await limits.confirm(confirm, AT)).toMatchObject({ repeated: true });
    expect(await toldOf(limits, [request])).toEqual(['again']);
    expect(await toldOf(limits, [{ ...request, amountMinor: 301 }])).toEqual(['ORDER_REUSED']);
  });

  it('that was checked, expired and forgotten is recorded under another id, as its confirm says', async () => {
    const { limits } = over(database.db, [DAY]);
    const name = `late-${mode}`;
    const subjects = { user: name };
    const check = checkOf({ orderId: name, subjects, amountMinor: 300, holdMs: 1_000 });
    const before = new Date(EARLIER.getTime() - 1_000);
    expect(await limits.check(check, before)).toMatchObject({ kind: 'allowed' });
    const collection = storedCounters(database.db);
    await collection.updateOne(
      { _id: `user:${name}` },
      { $set: { ...heldIn([]), settled: [], expired: [], b: {}, remembered: 101 } },
    );
    const confirm = orderOf(name, subjects);
    await expect(limits.confirm(confirm, AT)).rejects.toThrow(
      `Headroom no longer remembers how order "${name}" ended. Nothing was changed. If the order was paid and no confirm ever got an answer, record it under another orderId`,
    );
    expect(await toldOf(limits, [paymentOf(name, subjects)])).toEqual(['ORDER_REUSED']);
    const other = paymentOf(`${name}-paid`, subjects);
    expect(await toldOf(limits, [other])).toEqual(['new']);
    expect(await toldOf(limits, [other])).toEqual(['again']);
    expect(await used(limits, subjects)).toEqual([{ amountMinor: 300, count: 1 }]);
  });

  it('is recorded though its check was refused', async () => {
    const { limits } = over(database.db, [{ ...DAY, max: { amount: 10 } }]);
    const name = `refused-${mode}`;
    const check = checkOf({ orderId: name, subjects: { user: name }, amountMinor: 300 });
    expect(await limits.check(check, AT)).toMatchObject({ kind: 'refused' });
    expect(await toldOf(limits, [paymentOf(name, { user: name })])).toEqual(['new']);
  });
});

describe('many records', () => {
  it('ask the audit once, however many they are', async () => {
    const { limits } = auditedLimitsOver(database.db, [DAY]);
    const orders = Array.from({ length: 20 }, (_, index) =>
      paymentOf(`asked-${index}`, { user: `asked-${index % 2}` }),
    );
    await toldOf(limits, orders);
    const names = await commandsDuring(database.client, async () => {
      expect(new Set(await toldOf(limits, orders))).toEqual(new Set(['again']));
    });
    expect(names).toEqual(['find']);
  });

  it('are each found in the audit, however many rows one of them has', async () => {
    const { limits } = auditedLimitsOver(database.db, [DAY]);
    const busy = paymentOf('busy', { user: 'busy' }, { amountMinor: 2_000 });
    const quiet = paymentOf('quiet', { user: 'quiet' });
    await toldOf(limits, [busy, quiet]);
    const rows = auditCollection(database.db);
    const row = await rows.findOne({ orderId: 'busy' });
    if (row === null) throw new Error('a record has a row');
    const later = Array.from({ length: 1_100 }, (_, index) => ({
      ...{ ...row, _id: `busy-${index}`, operation: 'refund' as const, amountMinor: 1 },
      ...{ outcome: 'refunded' as const, at: new Date(AT.getTime() + 1_000 + index) },
    }));
    await rows.insertMany(later);
    const collection = storedCounters(database.db);
    await collection.updateOne({ _id: 'user:quiet' }, { $set: { settled: [] } });
    expect(await toldOf(limits, [quiet, busy])).toEqual(['again', 'again']);
  });

  it('are all remembered, though their document remembers fewer', async () => {
    const limits = limitsOver(database.db, [DAY, HOURS]);
    const subjects = { user: 'many' };
    const orders = Array.from({ length: 100 }, (_, index) =>
      paymentOf(`many-${index}`, subjects, {
        amountMinor: 1,
        happenedAt: new Date(EARLIER.getTime() - index * 60_000),
      }),
    );
    expect(new Set(await toldOf(limits, orders))).toEqual(new Set(['new']));
    expect(new Set(await toldOf(limits, orders))).toEqual(new Set(['again']));
    const sums = { amountMinor: 100, count: 100 };
    expect(await used(limits, subjects)).toEqual([sums, sums]);
  });

  it('count once however many callers send them at the same time', async () => {
    const over = (): Limits => limitsOver(database.db, [DAY, MERCHANT_DAY]);
    const orders = ['race-1', 'race-2', 'race-3'].map((orderId) =>
      paymentOf(orderId, { user: orderId, merchant: 'race' }),
    );
    const told = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        toldOf(over(), index % 2 === 0 ? orders : orders.toReversed()),
      ),
    );
    expect(told.flat().filter((word) => word === 'new')).toHaveLength(3);
    expect(told.flat().filter((word) => word === 'again')).toHaveLength(9);
    const sums = [
      { amountMinor: 300, count: 1 },
      { amountMinor: 900, count: 3 },
    ];
    expect(await used(over(), { user: 'race-1', merchant: 'race' })).toEqual(sums);
  });

  it('refuse what has not happened yet, but for two seconds, and count the others', async () => {
    const limits = limitsOver(database.db, [DAY]);
    const ahead = (orderId: string, ms: number) =>
      paymentOf(orderId, { user: 'f' }, { happenedAt: new Date(AT.getTime() + ms) });
    const orders = [
      paymentOf('f-1', { user: 'f' }),
      ahead('f-2', 2_001),
      ahead('f-3', 2_000),
      ahead('f-4', 60_000),
    ];
    const [past, soon, tolerated, future] = await limits.recordMany(orders, AT);
    for (const one of [past, tolerated]) expect(one).toMatchObject({ kind: 'answered' });
    for (const [one, value] of [
      [soon, '"2026-03-02T10:00:02.001Z"'],
      [future, '"2026-03-02T10:01:00.000Z"'],
    ] as const)
      expect(one).toMatchObject({
        kind: 'failed',
        error: {
          mistakes: [
            {
              ...{ path: 'at', value },
              expected:
                'an instant that is not after now, 2026-03-02T10:00:00.000Z: check a future payment instead',
            },
          ],
        },
      });
    expect(await used(limits, { user: 'f' })).toEqual([{ amountMinor: 600, count: 2 }]);
    // Once it has happened it is counted.
    const at = new Date(AT.getTime() + 60_000);
    expect(await recordedBy(limits, orders, at)).toEqual(['again', 'new', 'again', 'new']);
  });

  it('refuse one that a counter could not sum exactly, and count the others', async () => {
    const limits = limitsOver(database.db, [DAY, MERCHANT_DAY]);
    const most = { amountMinor: 1_000_000_000_000_000 };
    const orders = Array.from({ length: 10 }, (_, index) =>
      paymentOf(`big-${index}`, { user: `big-${index}`, merchant: 'big' }, most),
    );
    const told = await toldOf(limits, orders);
    expect(told).toEqual([...Array.from({ length: 9 }, () => 'new'), 'COUNTER_FULL']);
    expect(await used(limits, { user: 'big-9' })).toEqual([{ amountMinor: 0, count: 0 }]);
  });

  it('leave nothing behind where the commit breaks off', async () => {
    const counters = patientCounters(database.db);
    let calls = 0;
    const breaking = limitsOver(database.db, [DAY, MERCHANT_DAY], {
      counters: {
        ...counters,
        together: (work) =>
          counters.together((inner) =>
            work({
              ...inner,
              settleShares: () => {
                calls += 1;
                throw new Error('the process ends here');
              },
            }),
          ),
      },
    });
    const request = paymentOf('broken', { user: 'broken', merchant: 'broken' });
    await expect(toldOf(breaking, [request])).rejects.toThrow('the process ends here');
    expect(calls).toBe(1);
    const limits = limitsOver(database.db, [DAY, MERCHANT_DAY]);
    const nothing = { amountMinor: 0, count: 0 };
    expect(await used(limits, { user: 'broken', merchant: 'broken' })).toEqual([nothing, nothing]);
    expect(await toldOf(limits, [request])).toEqual(['new']);
  });
});
