import type { Example } from './examples.ts';

/** One request of each call of back-tests, and its answer. */

/** The id of the examples' back-test. */
export const BACKTEST_ID = 'b7d1f0c2a94e4c55a0e3d6f81b2c7a90';

const by = { kind: 'application', id: 'desk', person: 'jane@example.com' };
const rule = {
  id: 'user-day',
  title: 'Per user and day',
  per: ['user'],
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 150_000 },
  currency: 'CNY',
};

const waiting = {
  id: BACKTEST_ID,
  state: 'waiting',
  from: '2026-10-01T00:00:00.000Z',
  to: '2026-11-01T00:00:00.000Z',
  freed: 'unpaid',
  revision: 12,
  at: '2026-11-21T10:12:09.402Z',
  by,
  progress: { rows: 0, percent: 0 },
  startedAt: null,
  endedAt: null,
  goneAt: '2026-12-21T10:12:09.402Z',
} as const;

const done = {
  ...waiting,
  state: 'done',
  progress: { rows: 9_204, percent: 100 },
  startedAt: '2026-11-21T10:12:10.100Z',
  endedAt: '2026-11-21T10:12:14.900Z',
} as const;

const none = { checks: 0, amount: 0 };
const refused = (checks: number, amount: number) => ({
  checks,
  amount,
  orders: checks,
  payments: checks,
  subjects: Math.min(checks, 3),
});

const draft = (newly: number) => ({
  draft: {
    allowed: { checks: 5_800 - newly, amount: 41_000_000 },
    refused: refused(4 + newly, 900_000),
  },
  notNeeded: 0,
  newlyRefused: refused(newly, 480_000),
  newlyAllowed: refused(0, 0),
  less: none,
  more: none,
  outcomes: {
    paid: { checks: newly, amount: 480_000 },
    paidLate: none,
    givenBack: none,
    expired: none,
    refunded: none,
    held: none,
  },
  byRule: [{ rule: 'user-day', ...refused(4 + newly, 900_000), alone: 4 + newly }],
  byDay: [
    {
      from: '2026-10-01T00:00:00.000Z',
      recorded: { allowed: 5_800, refused: 4 },
      draft: { allowed: 5_800 - newly, refused: 4 + newly },
    },
  ],
  byHour: [
    {
      day: 0,
      hour: 9,
      recorded: { allowed: 5_800, refused: 4 },
      draft: { allowed: 5_800 - newly, refused: 4 + newly },
    },
  ],
});

const concerned = {
  most: [{ subject: 'user:u-1', checks: 2 }],
  once: 1,
  twice: 1,
  threeToFive: 0,
  more: 0,
};

const result = {
  rows: 9_204,
  warmUpFrom: '2026-09-23T16:00:00.000Z',
  control: {
    checks: 5_804,
    direct: { differences: 0, share: 0 },
    knockOn: { differences: 0, share: 0 },
  },
  currencies: [
    {
      currency: 'CNY',
      recorded: { allowed: { checks: 5_800, amount: 41_480_000 }, refused: refused(4, 420_000) },
      direct: draft(3),
      knockOn: draft(3),
    },
  ],
  subjects: { direct: concerned, knockOn: concerned },
  missing: {
    lostRows: 0,
    withoutCheck: 0,
    undecided: 0,
    withoutAttributes: 0,
    rulesWithAttributes: [],
    withoutOrder: 0,
    withoutSettings: 0,
    withoutRules: 0,
    withoutLeast: 0,
    approved: 0,
    countedFrom: null,
    rulesCountedFrom: [],
    rulesOfOthers: [],
  },
};

/** By call. */
export const BACKTESTS_EXAMPLES = {
  startBacktest: {
    request: { put: rule, from: waiting.from, to: waiting.to },
    answer: { ...waiting, draft: { put: rule }, result: null, problem: null },
  },
  listBacktests: { answer: { backtests: [done] } },
  findBacktest: { answer: { ...done, draft: { put: rule }, result, problem: null } },
  backtestOrders: {
    answer: {
      orders: [
        {
          app: 'shop',
          orderId: 'p-1',
          at: '2026-10-14T06:10:57.782Z',
          subjects: { user: 'u-1' },
          currency: 'CNY',
          amount: 160_000,
          rules: ['user-day'],
          sentence: 'Per user and day allows at most 1500.00 CNY a day; 1600.00 CNY were asked for',
        },
      ],
      next: null,
    },
  },
  stopBacktest: {
    answer: {
      ...waiting,
      state: 'stopped',
      endedAt: '2026-11-21T10:12:11.000Z',
      draft: { put: rule },
      result: null,
      problem: null,
    },
  },
} as const satisfies Readonly<Record<string, Example>>;
