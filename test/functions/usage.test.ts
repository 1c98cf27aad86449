import { beforeAll, describe, expect, it } from 'vitest';
import type { StoredRule } from '../../lib/edge/rule-file.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import type { Answered } from '../support/service-on-database.ts';
import {
  callDirectly,
  callOverHttp,
  getOverHttp,
  handlersOn,
} from '../support/service-on-database.ts';

const SHANGHAI = { timeZone: 'Asia/Shanghai' };
const RULES: readonly StoredRule[] = [
  {
    id: 'user-day',
    title: { en: 'Daily limit' },
    per: ['user'],
    currency: 'CNY',
    window: { unit: 'day', ...SHANGHAI },
    max: { amount: 10_000, count: 4 },
  },
  {
    id: 'withdrawals',
    per: ['user'],
    currency: 'CNY',
    match: { type: 'WITHDRAWAL' },
    window: { rolling: 'PT1H', step: 'PT5M' },
    max: { amount: { by: 'tier', gold: 900, else: 500 } },
  },
  { id: 'pair', per: ['user', 'merchant'], window: 'lifetime', max: { count: 2 } },
  { id: 'merchant', per: ['merchant'], window: 'lifetime', max: { count: 8 }, mode: 'shadow' },
  { id: 'single', per: ['user'], currency: 'CNY', window: 'transaction', max: { amount: 9_999 } },
  {
    id: 'over',
    per: ['user'],
    window: 'lifetime',
    max: { count: 0 },
    to: '2020-01-01T00:00:00Z',
  },
];

const database = useDatabase();
let handlers: Handlers;
beforeAll(async () => {
  handlers = await handlersOn(database, RULES);
  const order = { subjects: { user: 'u-1', merchant: 'm-1' }, amount: 2_500, currency: 'CNY' };
  await callOverHttp(handlers.check, { ...order, orderId: 'held' });
  await callOverHttp(handlers.check, { ...order, orderId: 'paid', amount: 1_000, capture: true });
});

/** What does not move with time. */
const figuresOf = ({ rules }: Answered['body']) =>
  (rules as readonly object[]).map((rule) => ({ ...rule, window: undefined })); // it is a list

const usage = (query: string) => getOverHttp(handlers.usage, {}, query);

describe('usage', () => {
  it('tells of every rule that counts for a subject, whatever it matches', async () => {
    const { status, body } = await usage('user=u-1');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      subjects: { user: 'u-1' },
      rules: [
        {
          rule: 'user-day',
          title: { en: 'Daily limit' },
          currency: 'CNY',
          max: { amount: 10_000, count: 4 },
          used: { amount: 1_000, count: 1 },
          held: { amount: 2_500, count: 1 },
          remaining: { amount: 6_500, count: 2 },
          outcome: 'within',
          share: 0.5,
          resetsAt: expect.stringMatching(/T16:00:00.000Z$/) as string,
        },
        {
          rule: 'withdrawals',
          used: { amount: 0, count: 0 },
          max: { amount: 500 },
          maxBy: { amount: { by: 'tier', values: { gold: 900 } } },
          share: 0,
          resetsAt: null,
        },
      ],
    });
    expect(body.rules).toHaveLength(2);
  });

  it('tells of the rules of several subjects, and of their pairs', async () => {
    const { body } = await usage('user=u-1&merchant=m-1');
    expect(body.rules).toMatchObject([
      { rule: 'merchant', mode: 'shadow', share: 0.25 },
      { rule: 'pair', used: { count: 1 }, held: { count: 1 }, outcome: 'reached', share: 1 },
      { rule: 'user-day' },
      { rule: 'withdrawals' },
    ]);
  });

  it('tells of no maximum by attribute where the subject has one of its own', async () => {
    const given = { operation: 'override', kind: 'user', id: 'u-own', rule: 'withdrawals' };
    await callDirectly(handlers.subjects, { ...given, max: { amount: 700 }, reason: 'asked for' });
    const { body } = await usage('user=u-own');
    const [, own] = body.rules as readonly object[]; // it is a list
    expect(own).toMatchObject({ rule: 'withdrawals', max: { amount: 700 } });
    expect(own).not.toHaveProperty('maxBy');
  });

  it('says nothing is used of a subject that was never seen, and changes nothing', async () => {
    const { body } = await usage('user=new');
    expect(body.rules).toMatchObject([{ share: 0, remaining: { amount: 10_000, count: 4 } }, {}]);
    const stored = await database.db
      .collection<{ _id: string }>('counters')
      .findOne({ _id: 'user:new' });
    expect(stored).toBeNull();
  });

  it('says of when it is where it may be behind', async () => {
    const { body } = await usage('user=u-1&stale=PT10S');
    expect(figuresOf(body)).toEqual(figuresOf((await usage('user=u-1')).body));
    const ageMs = Date.parse(String(body.now)) - Date.parse(String(body.asOf));
    expect(ageMs).toBeGreaterThanOrEqual(0);
    expect(ageMs).toBeLessThan(10_000);
    const direct = await callDirectly(handlers.usage, { subjects: { user: 'u-1' }, stale: 'PT1H' });
    expect(direct.body).toHaveProperty('asOf');
  });

  it('is the same by direct invocation', async () => {
    const { status, body } = await callDirectly(handlers.usage, { subjects: { user: 'u-1' } });
    expect(status).toBe(200);
    expect(figuresOf(body)).toEqual(figuresOf((await usage('user=u-1')).body));
  });

  it.each([
    { query: '', path: 'subjects', why: 'nobody is named' },
    { query: 'User=u-1', path: 'subjects.User', why: 'no kind has capitals' },
    { query: 'user=', path: 'subjects.user', why: 'nobody is called so' },
    { query: 'user=a&stale=10', path: 'stale', why: 'it is no duration' },
    { query: 'user=a&stale=PT0S', path: 'stale', why: 'then nothing may be behind' },
    { query: 'user=a&stale=PT2H', path: 'stale', why: 'an hour is enough' },
    { query: 'user=a&user=b', path: 'subjects.user', why: 'one of each kind' },
  ])('of "$query" says $path, for $why', async ({ query, path }) => {
    const { status, body } = await usage(query);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path }]);
  });
});
