import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow } from '../../lib/audit/audit.ts';
import { transactionsJson } from '../../lib/audit/history/history-handler.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { callHistory } from '../support/history-call.ts';
import {
  callDirectly,
  callOverHttp,
  getOverHttp,
  handlersOn,
} from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const database = useDatabase();
let handlers: Handlers;

const IN_YEN = { ...USER_DAY, id: 'user-day-yen', currency: 'JPY' };

type Row = Readonly<Record<string, unknown>>;
type Page = { readonly transactions: readonly Row[]; readonly next: string | null };

async function list(query: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
  const answer = await callHistory(handlers.history, '/v1/transactions', query, headers);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as Page; // as documented
}

/** A check at a second of 2 March 2026, 10:00 in Greenwich. */
const check = (orderId: string, second: number, more: object = {}) =>
  callOverHttp(
    handlers.check,
    { orderId, subjects: { user: 'u-1' }, amount: 100, currency: 'CNY', ...more },
    at(second),
  );
const at = (second: number) => ({
  'x-headroom-now': `2026-03-02T10:00:${String(second).padStart(2, '0')}.000Z`,
});

beforeAll(async () => {
  await makeIndexes(database.db);
  handlers = await handlersOn(database, [USER_DAY, IN_YEN], {
    AUDIT: 'best-effort',
    LOCAL_CLOCK: 'on',
  });
  await check('o-1', 1);
  await check('o-2', 2, { amount: 501 });
  await check('o-3', 3, { subjects: { user: 'u-1', merchant: 'm-1' }, type: 'PAYMENT' });
  await callOverHttp(handlers.confirm, { orderId: 'o-1', subjects: { user: 'u-1' } }, at(4));
  await check('o-4', 5, { amount: 301 });
  await check('o-5', 6, { capture: true });
  await check('o-6', 7, { currency: 'RMB' });
  await check('of another', 7, { subjects: { user: 'u-2' } });
});

const outcomes = ({ transactions }: Page) =>
  transactions.map(({ orderId, operation, outcome }) =>
    [orderId, operation, outcome].map(String).join(' '),
  );

const ALL = [
  'o-6 check refused',
  'o-5 check confirmed',
  'o-4 check refused',
  'o-1 confirm confirmed',
  'o-3 check held',
  'o-2 check refused',
  'o-1 check held',
];

describe('without a subject', () => {
  it('the refused checks of everybody are told, and those of a rule', async () => {
    await check('o-7', 9, { subjects: { user: 'u-5' }, amount: 502 });
    expect(outcomes(await list('decision=refused&limit=2'))).toEqual([
      'o-7 check refused',
      'o-6 check refused',
    ]);
    expect(outcomes(await list('rule=user-day&limit=2'))).toEqual([
      'o-7 check refused',
      'o-4 check refused',
    ]);
  });

  it('those that no rule refused are told by their reason', async () => {
    const freeze = { operation: 'freeze', kind: 'user', id: 'u-60', reason: 'stolen' };
    expect(await callDirectly(handlers.subjects, freeze)).toMatchObject({ status: 200 });
    await check('o-8', 9, { subjects: { user: 'u-60' }, amount: 1 });
    expect(outcomes(await list('reason=no-rule'))).toEqual(['o-6 check refused']);
    expect(outcomes(await list('reason=frozen'))).toEqual(['o-8 check refused']);
    expect(outcomes(await list('reason=frozen&user=u-1'))).toEqual([]);
  });

  it('nothing else is', async () => {
    const answer = await callHistory(handlers.history, '/v1/transactions', 'decision=allowed');
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'subjects' }] } });
  });
});

describe('GET /v1/transactions', () => {
  it.each([
    { query: 'user=u-1', rows: [0, 1, 2, 3, 4, 5, 6], why: 'newest first' },
    { query: 'user=u-1&decision=refused', rows: [0, 2, 5], why: 'only checks that were refused' },
    { query: 'user=u-1&decision=allowed', rows: [1, 4, 6], why: 'captured at once among them' },
    { query: 'user=u-1&since=2026-03-02T10:00:05Z', rows: [0, 1, 2], why: 'since is included' },
    { query: 'user=u-1&until=2026-03-02T10:00:02Z', rows: [6], why: 'until is not' },
    { query: 'user=u-1&limit=2', rows: [0, 1], why: 'a page of two' },
    { query: 'merchant=m-1&user=u-1', rows: [4], why: 'those that concern both' },
    { query: 'user=u-1&rule=user-day', rows: [2, 5], why: 'only checks that a rule refused' },
    { query: 'user=u-1&reason=no-rule', rows: [0], why: 'only checks that no rule applied to' },
    { query: 'user=never', rows: [], why: 'nothing happened to it' },
  ])('$query: $why', async ({ query, rows }) => {
    expect(outcomes(await list(query))).toEqual(rows.map((index) => ALL[index]));
  });

  it('carries each rule that refused as it stood, with its sentence in the language preferred', async () => {
    const { transactions } = await list('user=u-1&decision=refused&limit=2');
    const [noRule, row] = transactions;
    expect(noRule).toMatchObject({ orderId: 'o-6', reason: 'no-rule', currency: 'RMB' });
    // status.test.ts shows such a row in full.
    const status = await getOverHttp(handlers.status, { orderId: 'o-4' });
    const [told] = status.body.history as readonly object[]; // as documented
    expect(told).toMatchObject({ violations: ['user-day'], refusals: [{ rule: 'user-day' }] });
    const order = { orderId: 'o-4', app: 'default', subjects: { user: 'u-1' } };
    expect(row).toEqual({ ...order, ...told });
    const query = 'user=u-1&decision=refused&limit=2';
    const chinese = await callHistory(handlers.history, '/v1/transactions', query, {
      'Accept-Language': 'zh-CN',
    });
    expect(chinese.headers).toMatchObject({ 'content-language': 'zh' });
    expect(chinese.body).toMatchObject({
      transactions: [
        {},
        { refusals: [{ sentence: expect.stringMatching(/^user-day：本次/) as string }] },
      ],
    });
    const direct = await callDirectly(handlers.history, {
      ...{ operation: 'transactions', subjects: { user: 'u-1' } },
      ...{ decision: 'refused', limit: 2, language: 'zh' },
    });
    expect(direct.body).toEqual(chinese.body);
  });

  it.each([
    { query: 'user=u-1&decison=refused', kind: 'decison', nearest: 'decision' },
    { query: 'usr=u-1', kind: 'usr', nearest: 'user' },
  ])('finds nothing of "$query", and says that no rule knows $kind', async (row) => {
    const page = await list(row.query);
    expect(page).toMatchObject({ transactions: [], unknownKinds: [{ kind: row.kind }] });
    const [only] = (page as unknown as { unknownKinds: { nearest: string[] }[] }).unknownKinds;
    expect(only?.nearest[0]).toBe(row.nearest);
  });

  it('says nothing of a kind that orders name and no rule knows, nor of one that rules know', async () => {
    expect(await list('merchant=m-1')).not.toHaveProperty('unknownKinds');
    expect(await list('user=nobody')).not.toHaveProperty('unknownKinds');
  });

  it('goes on page by page, rows of one instant too, and misses none', async () => {
    const orders = Array.from({ length: 7 }, (_, index) => `same-${index}`);
    const subjects = { user: 'u-3' };
    await callOverHttp(
      handlers.checks,
      { orders: orders.map((orderId) => ({ orderId, subjects, amount: 1, currency: 'CNY' })) },
      at(9),
    );
    const seen: unknown[] = [];
    let before = '';
    for (let pages = 1; ; pages++) {
      const { transactions, next } = await list(`user=u-3&limit=3${before}`);
      seen.push(...transactions.map(({ orderId }) => orderId));
      if (next === null) {
        expect(pages).toBe(3);
        break;
      }
      before = `&before=${next}`;
    }
    expect(seen.toSorted()).toEqual(orders);
  });

  it('tells what other applications did, and which', async () => {
    const rows = database.db.collection<{ _id: string; appId: string }>('audit');
    const one = await rows.findOne({ orderId: 'of another' });
    await rows.insertOne({
      ...one,
      _id: 'other',
      appId: 'shop',
      subjectIds: ['user:u-4'],
    } as never);
    expect((await list('user=u-4')).transactions).toMatchObject([{ app: 'shop' }]);
  });

  it.each([
    { query: '', path: 'subjects', why: 'nobody is named' },
    { query: 'user=a&user=b', path: 'subjects.user', why: 'one of each kind' },
    { query: 'user=a&decision=no', path: 'decision', why: 'no decision is called so' },
    { query: 'user=a&since=today', path: 'since', why: 'it is no instant' },
    { query: 'user=a&limit=0', path: 'limit', why: 'less than a row' },
    { query: 'user=a&limit=101', path: 'limit', why: 'more than a page' },
    { query: 'user=a&limit=1.5', path: 'limit', why: 'no whole number' },
    { query: 'user=a&before=x', path: 'before', why: 'no page said so' },
    { query: 'user=a&before=W10', path: 'before', why: 'nor so' },
    { query: 'user=a&Colour=red', path: 'subjects.Colour', why: 'no kind has capitals' },
    {
      query: 'user=a&since=2026-03-02T00:00:00Z&until=2026-03-02T00:00:00Z',
      path: 'until',
      why: 'nothing lies between',
    },
  ])('of "$query" says $path, for $why', async ({ query, path }) => {
    const { status, body } = await callHistory(handlers.history, '/v1/transactions', query);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('says in one sentence that no audit is kept', async () => {
    const { history } = await handlersOn(database, [USER_DAY]);
    expect(await callHistory(history, '/v1/transactions', 'user=u-1')).toMatchObject({
      status: 404,
      body: {
        code: 'AUDIT_OFF',
        detail: expect.stringMatching(/^what happened to a subject needs/) as string,
      },
    });
  });

  it('says what a language is, of a direct invocation', async () => {
    const asked = { operation: 'transactions', subjects: { user: 'u-1' }, language: 5 };
    const errors = [{ path: 'language', expected: 'a text as Accept-Language has it, such as zh' }];
    expect(await callDirectly(handlers.history, asked)).toMatchObject({ body: { errors } });
  });

  it('names its operations where a direct invocation says none', async () => {
    expect(await callDirectly(handlers.history, { operation: 'all' })).toMatchObject({
      body: {
        errors: [{ path: 'operation', expected: 'one of transactions, usageHistory, summary' }],
      },
    });
  });
});

describe('what came of an order has the currency and the subjects of its check, whatever stands on the page', () => {
  const subjects = { user: 'u-8', merchant: 'm-8' };
  const named = (orderId: string, more: object = {}) => ({
    orderId,
    subjects: { user: 'u-8' },
    ...more,
  });
  beforeAll(async () => {
    await check('kept', 20, { subjects });
    await check('given', 20, { subjects, amount: 70 });
    await callOverHttp(handlers.confirm, named('kept'), at(21));
    await callOverHttp(handlers.rollback, named('given'), at(22));
    await callOverHttp(handlers.refund, { orderId: 'kept', refundId: 'r', amount: 30 }, at(23));
    await callOverHttp(handlers.confirm, named('given'), at(24));
    await callOverHttp(handlers.refund, { orderId: 'kept', refundId: 's', amount: 900 }, at(25));
    await callOverHttp(handlers.confirm, named('never'), at(26));
    // Two payments of one id: each user's own.
    await check('twice', 30, { subjects: { user: 'u-6' } });
    await check('twice', 31, { subjects: { user: 'u-7' }, currency: 'JPY' });
    await callOverHttp(handlers.confirm, { orderId: 'twice', subjects: { user: 'u-6' } }, at(32));
    await callOverHttp(handlers.confirm, { orderId: 'twice', subjects: { user: 'u-7' } }, at(33));
  });

  it.each([
    {
      of: 'user=u-8',
      ms: 21_000,
      row: ['confirm', 'confirmed', 100],
      why: 'it named the user alone',
    },
    { of: 'user=u-8', ms: 22_000, row: ['rollback', 'rolledBack', 70], why: 'so did this' },
    {
      of: 'user=u-8',
      ms: 23_000,
      row: ['refund', 'refunded', 30],
      why: 'it named the order alone',
    },
    {
      of: 'user=u-8',
      ms: 24_000,
      row: ['confirm', 'ALREADY_ROLLED_BACK', undefined],
      why: 'home knew the order',
    },
    {
      of: 'user=u-8',
      ms: 25_000,
      row: ['refund', 'REFUND_TOO_LARGE', 900],
      why: 'the audit knew the order',
    },
    {
      of: 'user=u-6',
      ms: 32_000,
      row: ['confirm', 'confirmed', 100],
      subjects: { user: 'u-6' },
      why: 'another one has its id',
    },
    {
      of: 'user=u-7',
      ms: 33_000,
      row: ['confirm', 'confirmed', 100],
      subjects: { user: 'u-7' },
      currency: 'JPY',
      why: 'so has this',
    },
  ])(
    '$row, because $why',
    async ({ of, ms, row: [operation, outcome, amount], currency = 'CNY', ...own }) => {
      const from = Date.parse('2026-03-02T10:00:00.000Z') + ms;
      const [since, until] = [from, from + 1].map((each) => new Date(each).toISOString());
      const { transactions } = await list(`${of}&since=${since}&until=${until}`);
      const told = { operation, outcome, currency, subjects: own.subjects ?? subjects };
      expect(transactions).toMatchObject([
        { ...told, ...(amount === undefined ? {} : { amount }) },
      ]);
    },
  );

  it('and those that the call named where no row says more', async () => {
    const { transactions } = await list('user=u-8&limit=1');
    expect(transactions).toMatchObject([{ outcome: 'NOT_FOUND', subjects: { user: 'u-8' } }]);
    expect(transactions[0]).not.toHaveProperty('currency');
  });

  it('and is told so by the status of the order', async () => {
    const { body } = await getOverHttp(handlers.status, { orderId: 'kept' });
    const { history } = body as { readonly history: readonly Row[] }; // as documented
    expect(history.map(({ currency }) => currency)).toEqual(history.map(() => 'CNY'));
  });
});

it('ends a page before it has more bytes than a function may return', () => {
  const row: AuditRow = {
    ...{ id: 'r', appId: 'default', orderId: 'o', operation: 'check', outcome: 'refused' },
    ...{
      effective: false,
      at: new Date(0),
      subjects: {},
      violations: [],
      documents: [],
      shares: [],
    },
    reason: 'x'.repeat(600_000),
  };
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ ...row, id }));
  const page = transactionsJson({ subjects: {}, rows, limit: rows.length }, 'en');
  expect(page.transactions).toHaveLength(2);
  expect(page.next).toEqual(expect.any(String));
  const single = { ...row, reason: 'x'.repeat(3_000_000) };
  const alone = transactionsJson({ subjects: {}, rows: [single], limit: 1 }, 'en');
  expect(alone).toMatchObject({ transactions: [{}], next: null });
});
