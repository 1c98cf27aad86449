import { beforeAll, describe, expect, it } from 'vitest';
import { storedCounters } from '../support/stored-buckets.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { callHistory } from '../support/history-call.ts';
import { callOverHttp, handlersOn } from '../support/service-on-database.ts';
import { openHoldsOf } from '../support/held.ts';

const day = { unit: 'day', timeZone: 'UTC' } as const;
const RULES = [
  { id: 'user-day', per: ['user'], currency: 'CNY', window: day, max: { amount: 500_000 } },
  { id: 'merchant-day', per: ['merchant'], currency: 'CNY', window: day, max: { amount: 500_000 } },
  { id: 'user-count', per: ['user'], window: day, max: { count: 300 } },
];

const database = useDatabase();
let handlers: Handlers;
beforeAll(async () => {
  await makeIndexes(database.db);
  handlers = await handlersOn(database, RULES, {
    ...{ AUDIT: 'best-effort', LOCAL_CLOCK: 'on' },
  });
});

const at = (time: string) => ({ 'x-headroom-now': `2026-04-02T${time}Z` });
const check = async (orderId: string, subjects: object, time: string, more: object = {}) => {
  const asked = { orderId, subjects, currency: 'CNY', amount: 1, hold: 'PT1M', ...more };
  const { body } = await callOverHttp(handlers.check, asked, at(time));
  expect(body).toMatchObject({ decision: 'allowed' });
};
const confirm = (orderId: string, subjects: object, time: string) =>
  callOverHttp(handlers.confirm, { orderId, subjects }, at(time));
const sumsOf = async (query: string): Promise<unknown> => {
  const { body } = await callHistory(handlers.history, '/v1/usage/history', `${query}&last=P1D`, {
    ...at('09:00:00'),
  });
  return (body.windows as readonly { readonly sums: unknown }[])[0]?.sums;
};
const usedBy = async (merchant: string): Promise<unknown> => {
  const { body } = await callOverHttp(handlers.usage, { subjects: { merchant } }, at('09:00:00'));
  return (body.rules as readonly { readonly used: unknown }[])[0]?.used;
};

const isHeld = async (orderId: string, merchant: string): Promise<boolean> => {
  const found = await storedCounters(database.db).findOne({ _id: `merchant:${merchant}` });
  return openHoldsOf(found).some(({ id }) => id === `default:${orderId}`);
};

describe('a payment that is confirmed after its hold expired', () => {
  const counted = [{ currency: 'CNY', amount: 100, count: 1, refunded: 0 }];

  it('is in the history of each rule that still could count it', async () => {
    const both = { user: 'u-1', merchant: 'm-1' };
    await check('late', both, '04:00:00', { amount: 100 });
    expect(await confirm('late', both, '05:00:00')).toMatchObject({ body: { late: true } });
    expect(await sumsOf('user=u-1&rule=user-day')).toEqual(counted);
    expect(await sumsOf('merchant=m-1&rule=merchant-day')).toEqual(counted);
  });

  const uncounted = async (orderId: string, both: { user: string; merchant: string }) => {
    await check(orderId, both, '04:00:00', { amount: 100 });
    // More shares expire than the merchant's document keeps, and this one ended first.
    const orders = Array.from({ length: 150 }, (_, n) => ({
      ...{ orderId: `${orderId} ${n}`, subjects: { ...both, user: `${both.user}-${n}` } },
      ...{ currency: 'CNY', amount: 1, hold: 'PT1M' },
    }));
    for (const some of [orders.slice(0, 100), orders.slice(100)])
      await callOverHttp(handlers.checks, { orders: some }, at('04:00:01'));
    // One check in a few, by chance, shows everything that a document holds, and tidies it.
    for (let n = 150; await isHeld(orderId, both.merchant); n++)
      await check(`${orderId} ${n}`, { ...both, user: `${both.user}-${n}` }, '04:10:00');
  };

  it('is in none of a rule that could not count it any more', async () => {
    const both = { user: 'u-2', merchant: 'm-2' };
    await uncounted('uncounted', both);
    expect(await confirm('uncounted', both, '05:00:00')).toMatchObject({
      body: { late: true, uncounted: ['merchant:m-2'] },
    });
    expect(await usedBy('m-2')).toEqual({ amount: 0, count: 0 });
    expect(await sumsOf('merchant=m-2&rule=merchant-day')).toEqual([]);
    expect(await sumsOf('user=u-2&rule=user-day')).toEqual(counted);
    expect(await sumsOf('merchant=m-2')).toEqual(counted); // it was paid anyway
  });

  it('is listed with its refunds, for every subject that took part', async () => {
    await uncounted('refunded', { user: 'u-3', merchant: 'm-3' });
    await confirm('refunded', { user: 'u-3' }, '05:00:00');
    const refund = { orderId: 'refunded', refundId: 'r-1', amount: 30 };
    await callOverHttp(handlers.refund, refund, at('06:00:00'));
    const left = [{ currency: 'CNY', amount: 70, count: 1, refunded: 30 }];
    expect(await sumsOf('user=u-3')).toEqual(left);
    expect(await sumsOf('merchant=m-3')).toEqual(left);
    expect(await usedBy('m-3')).toEqual({ amount: 0, count: 0 });
  });
});

it('a payment that happened in a moment counts where its counter has it', async () => {
  const order = { orderId: 'soon', subjects: { user: 'u-9' }, currency: 'CNY', amount: 7 };
  const record = { orders: [{ ...order, at: '2026-04-02T00:00:00.200Z' }] };
  const { body } = await callOverHttp(handlers.record, record, {
    'x-headroom-now': '2026-04-01T23:59:59.700Z',
  });
  expect(body).toMatchObject({ results: [{ state: 'confirmed' }] });
  const query = 'user=u-9&rule=user-day&last=P2D';
  const { body: told } = await callHistory(handlers.history, '/v1/usage/history', query, {
    ...at('09:00:00'),
  });
  const counted = { currency: 'CNY', amount: 7, count: 1, refunded: 0 };
  expect(told.windows).toMatchObject([{ sums: [counted] }, { sums: [] }]);
});

it('sums that no number keeps exactly are the nearest', async () => {
  const most = 1_000_000_000_000_000;
  for (let n = 1; n <= 12; n++) {
    const more = { amount: most, currency: 'VND', capture: true, hold: undefined };
    await check(`huge-${n}`, { user: `h-${n}`, shop: 's-1' }, '06:00:00', more);
  }
  const sum = { currency: 'VND', amount: 12 * most, count: 12 };
  expect(await sumsOf('shop=s-1')).toEqual([{ ...sum, refunded: 0 }]);
  const query = 'kind=shop&date=2026-04-02';
  const { body } = await callHistory(handlers.history, '/v1/summary', query, at('09:00:00'));
  expect(body.sums).toMatchObject([{ confirmed: { amount: 12 * most, count: 12 } }]);
});
