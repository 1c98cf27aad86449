import { beforeAll, describe, expect, it } from 'vitest';
import { makeIndexes, useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import {
  callDirectly,
  callOverHttp,
  getOverHttp,
  handlersOn,
} from '../support/service-on-database.ts';

const RULE = { id: 'life', per: ['user'], currency: 'CNY', window: 'lifetime', max: { count: 99 } };
const ORDER = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 500, currency: 'CNY' };

const database = useDatabase();
let handlers: Handlers;
beforeAll(async () => {
  await makeIndexes(database.db);
  handlers = await handlersOn(database, [RULE], { AUDIT: 'session' });
});

const refund = (body: object, send = callOverHttp) => send(handlers.refund, body);

describe('the function refund', () => {
  it('gives back, repeats, and says what is left', async () => {
    await callOverHttp(handlers.check, { ...ORDER, capture: true });
    const first = { orderId: 'o-1', refundId: 'r-1', amount: 200, reason: 'one came back' };
    const windows = { open: 1, over: 0 };
    const sums = { amount: 200, refunded: 200, remaining: 300, windows };
    expect(await refund(first)).toEqual({
      status: 200,
      body: { state: 'partlyRefunded', repeated: false, ...sums },
    });
    expect(await refund(first, callDirectly)).toEqual({
      status: 200,
      body: { state: 'partlyRefunded', repeated: true, ...sums },
    });
    expect(await refund({ ...first, amount: 201 })).toMatchObject({
      status: 409,
      body: { code: 'REFUND_REUSED' },
    });
    expect(await refund({ ...first, refundId: 'r-2', amount: 301 })).toMatchObject({
      status: 422,
      body: { code: 'REFUND_TOO_LARGE', remaining: 300 },
    });
    const { subjects } = ORDER;
    expect(await refund({ orderId: 'o-1', refundId: 'r-2', subjects })).toEqual({
      status: 200,
      body: {
        state: 'refunded',
        repeated: false,
        amount: 300,
        refunded: 500,
        remaining: 0,
        windows,
      },
    });
    const { body } = await getOverHttp(handlers.status, { orderId: 'o-1' });
    expect(body).toMatchObject({ state: 'refunded', amount: 500, refunded: 500 });
    expect(body.history).toMatchObject([
      { operation: 'check', outcome: 'confirmed' },
      { operation: 'refund', outcome: 'refunded', refundId: 'r-1', amount: 200, count: 0 },
      { operation: 'refund', outcome: 'REFUND_REUSED', refundId: 'r-1', amount: 201 },
      { operation: 'refund', outcome: 'REFUND_TOO_LARGE', refundId: 'r-2', amount: 301 },
      { operation: 'refund', outcome: 'refunded', refundId: 'r-2', amount: 300, count: 1 },
    ]);
  });

  it.each([
    { order: 'never', status: 404, code: 'NOT_FOUND' },
    { order: 'held', status: 409, code: 'NOT_CONFIRMED' },
    { order: 'rolled-back', status: 409, code: 'ALREADY_ROLLED_BACK' },
  ])('says of an order that is $order: $code', async ({ order, status, code }) => {
    const orderId = order;
    if (order !== 'never') await callOverHttp(handlers.check, { ...ORDER, orderId });
    if (order === 'rolled-back') await callOverHttp(handlers.rollback, { orderId });
    expect(await refund({ orderId, refundId: 'r-1' })).toMatchObject({ status, body: { code } });
  });

  // prettier-ignore
  it.each([
    { body: { orderId: 'o-1' }, path: 'refundId', why: 'a repeat would be a second refund' },
    { body: { orderId: 'o-1', refundId: 'r', amount: 0 }, path: 'amount', why: 'it is nothing' },
    { body: { orderId: 'o-1', refundId: 'r', amount: 1.5 }, path: 'amount', why: 'it is no unit' },
    { body: { orderId: 'o-1', refundId: '' }, path: 'refundId', why: 'it names nothing' },
    { body: { refundId: 'r-1' }, path: 'orderId', why: 'nobody knows of what' },
    { body: { orderId: 'o-1', refundId: 'r', currency: 'CNY' }, path: 'currency', why: 'an order has one currency' },
    { body: { orderId: 'o-1', refundId: 'r', subjects: { user: 'u' }, reservation: 'AA' }, path: 'subjects', why: 'one place is enough' },
  ])('does not understand $body: $why', async ({ body, path }) => {
    expect(await refund(body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', errors: [{ path }] },
    });
  });

  it('says where no audit is kept that it cannot know', async () => {
    const { refund: without } = await handlersOn(database, [RULE]);
    expect(await callOverHttp(without, { orderId: 'o-1', refundId: 'r-1' })).toMatchObject({
      status: 404,
      body: { code: 'AUDIT_OFF' },
    });
  });
});
