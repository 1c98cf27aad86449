import type { JsonObject } from './json.ts';

/** One request of each call, and its answer: those of docs/calls.md and docs/many-orders.md. */

/** The examples of one call. */
export type Example = { readonly request?: JsonObject; readonly answer: JsonObject };

const check = {
  orderId: 'order-1',
  type: 'PAYMENT',
  subjects: { user: 'u-1', merchant: 'm-1', card: 'c-1' },
  amount: 120_000,
  currency: 'CNY',
};

const day = {
  kind: 'calendar',
  unit: 'day',
  timeZone: 'Asia/Shanghai',
  start: '2026-11-20T16:00:00.000Z',
  end: '2026-11-21T16:00:00.000Z',
};

const none = { refusedBy: [], shadowRefusedBy: [] };

const userDay = { rule: 'user-day', mode: 'enforce', window: day };

const checkAnswer = {
  decision: 'allowed',
  ...none,
  repeated: false,
  state: 'held',
  reservation: 'WzQsIjNNbF9BdHFx',
  holdExpiresAt: '2026-11-21T10:25:57.782Z',
  limitReached: false,
  limitReachedBy: [],
  rules: [
    {
      ...userDay,
      title: { en: 'Daily limit', zh: '单日累计限额' },
      subjects: { user: 'u-1' },
      max: { amount: 5_000_000, count: 100 },
      used: { amount: 0, count: 0 },
      held: { amount: 120_000, count: 1 },
      remaining: { amount: 4_880_000, count: 99 },
      outcome: 'within',
    },
  ],
  headroom: {
    amount: 2_000_000,
    amountBy: ['single'],
    earliestAt: '2026-11-21T10:10:57.782Z',
    earliestBy: [],
  },
  now: '2026-11-21T10:10:57.782Z',
};

const refused = {
  decision: 'refused',
  reason: 'rule',
  ...none,
  refusedBy: ['user-day'],
  repeated: false,
  limitReached: false,
  limitReachedBy: [],
  rules: [
    {
      ...userDay,
      max: { amount: 5_000_000, count: 100 },
      used: { amount: 0, count: 0 },
      held: { amount: 4_000_000, count: 2 },
      remaining: { amount: 1_000_000, count: 98 },
      outcome: 'exceeded',
      retryAt: '2026-11-21T16:00:00.000Z',
    },
  ],
  headroom: {
    amount: 1_000_000,
    amountBy: ['user-day'],
    earliestAt: '2026-11-21T16:00:00.000Z',
    earliestBy: ['user-day'],
  },
  now: '2026-11-21T10:10:57.901Z',
};

const confirmed = { state: 'confirmed', repeated: false, late: false, amount: 1_900_000 };
const rolledBack = { state: 'rolledBack', repeated: false };

const payment = { type: 'PAYMENT', subjects: { user: 'u-9' }, amount: 2_000_000, currency: 'CNY' };
const happened = { ...payment, at: '2026-11-20T09:30:00.000Z', amount: 120_000 };

const problem = {
  type: 'urn:headroom:problem:not-found',
  title: 'The order is not known',
  status: 404,
  detail: 'order "m-3" is not known for these subjects: no check was allowed under it',
  code: 'NOT_FOUND',
  requestId: 'b3a0c9c8-7f55-4a6e-9f0e-6f5d5c0f9d11',
};

const settled = { subjects: { user: 'u-9' } };

/** By call. */
export const EXAMPLES = {
  check: { request: check, answer: checkAnswer },
  confirm: {
    request: { orderId: 'o-1', subjects: { user: 'u-2' }, amount: 1_900_000 },
    answer: confirmed,
  },
  rollback: {
    request: { orderId: 'o-2', subjects: { user: 'u-2' }, reason: 'the bank said no' },
    answer: rolledBack,
  },
  refund: {
    request: {
      orderId: 'p-1',
      refundId: 'p-1-back',
      amount: 200_000,
      reason: 'one of two came back',
    },
    answer: {
      state: 'partlyRefunded',
      repeated: false,
      amount: 200_000,
      refunded: 200_000,
      remaining: 300_000,
      windows: { open: 6, over: 0 },
    },
  },
  status: {
    answer: {
      orderId: 'p-1',
      state: 'partlyRefunded',
      amount: 500_000,
      refunded: 200_000,
      currency: 'CNY',
      subjects: { user: 'u-3' },
      now: '2026-11-21T10:12:03.114Z',
      history: [
        {
          at: '2026-11-21T10:10:57.782Z',
          operation: 'check',
          outcome: 'confirmed',
          amount: 500_000,
          count: 1,
          currency: 'CNY',
          requestId: '8d0c9833-3e1a-4a5b-9b0f-2c6a1f1f7a10',
        },
        {
          at: '2026-11-21T10:11:40.035Z',
          operation: 'refund',
          outcome: 'refunded',
          refundId: 'p-1-back',
          amount: 200_000,
          count: 0,
          reason: 'one of two came back',
          requestId: 'b3a0c9c8-7f55-4a6e-9f0e-6f5d5c0f9d11',
        },
      ],
    },
  },
  usage: {
    answer: {
      subjects: { user: 'u-1' },
      frozen: [],
      rules: [
        {
          ...userDay,
          title: { en: 'Daily limit', zh: '单日累计限额' },
          subjects: { user: 'u-1' },
          currency: 'CNY',
          max: { amount: 5_000_000, count: 100 },
          used: { amount: 0, count: 0 },
          held: { amount: 120_000, count: 1 },
          remaining: { amount: 4_880_000, count: 99 },
          outcome: 'within',
          share: 0.024,
          resetsAt: '2026-11-21T16:00:00.000Z',
        },
      ],
      now: '2026-11-21T10:10:57.782Z',
    },
  },
  checks: {
    request: {
      orders: [
        { ...payment, orderId: 'm-1' },
        { ...payment, orderId: 'm-3' },
      ],
    },
    answer: {
      allAllowed: false,
      results: [
        { ...checkAnswer, orderId: 'm-1', rules: [] },
        { ...refused, orderId: 'm-3' },
      ],
    },
  },
  settlements: {
    request: {
      settlements: [
        { ...settled, orderId: 'm-1', status: 'SUCCESS', amount: 1_900_000 },
        { ...settled, orderId: 'm-2', status: 'FAIL', reason: 'the bank said no' },
        { ...settled, orderId: 'm-3', status: 'SUCCESS' },
      ],
    },
    answer: {
      results: [
        { ...confirmed, orderId: 'm-1' },
        { ...rolledBack, orderId: 'm-2' },
        { orderId: 'm-3', problem },
      ],
    },
  },
  record: {
    request: {
      orders: [
        { ...happened, orderId: 'r-1' },
        { ...happened, orderId: 'm-3' },
      ],
    },
    answer: {
      results: [
        {
          orderId: 'r-1',
          state: 'confirmed',
          repeated: false,
          amount: 120_000,
          counted: ['user-month'],
          over: ['user-day'],
          exceeded: [],
        },
        { orderId: 'm-3', problem },
      ],
    },
  },
} as const satisfies Readonly<Record<string, Example>>;
