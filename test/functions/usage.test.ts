import { beforeAll, describe, expect, it } from 'vitest';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import type { Terms } from '../../lib/rule/own-terms.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import type { Answered } from '../support/service-on-database.ts';
import {
  callDirectly,
  callOverHttp,
  getOverHttp,
  handlersOn,
} from '../support/service-on-database.ts';
import { USER_DAY, USER_LIFE } from '../support/stored-rules.ts';

const RULES: readonly StoredRule[] = [
  { ...USER_DAY, title: { en: 'Daily limit' }, max: { amount: 10_000, count: 4 } },
  {
    ...USER_DAY,
    id: 'withdrawals',
    match: { type: 'WITHDRAWAL' },
    window: { rolling: 'PT1H', step: 'PT5M' },
    max: { amount: { by: 'tier', gold: 900, else: 500 } },
  },
  { id: 'pair', per: ['user', 'merchant'], window: 'lifetime', max: { count: 2 } },
  { id: 'merchant', per: ['merchant'], window: 'lifetime', max: { count: 8 }, mode: 'shadow' },
  { id: 'single', per: ['user'], currency: 'CNY', window: 'transaction', max: { amount: 9_999 } },
  { ...USER_LIFE, id: 'over', to: '2020-01-01T00:00:00Z' },
];

const PAYER = { ...USER_LIFE, per: ['payer'] };
/** Maxima that depend on something, and a rule of some payments alone. */
const DEPENDING: readonly StoredRule[] = [
  {
    ...{ ...USER_LIFE, id: 'unverified', per: ['card'] },
    counts: { type: ['PAYMENT', 'TRANSFER'], not: { verified: true } },
    appliesTo: { level: 1 },
  },
  {
    ...USER_LIFE,
    id: 'once',
    per: ['wallet'],
    max: { amount: { by: 'tier', gold: 900, else: 500 }, count: 1 },
  },
  { ...PAYER, id: 'by-type', max: { amount: { by: 'type', WITHDRAWAL: 1_000, else: 1 } } },
  { ...PAYER, id: 'by-merchant', max: { amount: { by: 'merchant', 'm-9': 1_000, else: 1 } } },
];

const AT = { 'x-headroom-now': '2026-03-02T10:00:00Z' };

const database = useDatabase();
let handlers: Handlers;
beforeAll(async () => {
  handlers = await handlersOn(database, [...RULES, ...DEPENDING], { LOCAL_CLOCK: 'on' });
  const order = { subjects: { user: 'u-1', merchant: 'm-1' }, amount: 2_500, currency: 'CNY' };
  await callOverHttp(handlers.check, { ...order, orderId: 'held' }, AT);
  const paid = { ...order, orderId: 'paid', amount: 1_000, capture: true };
  await callOverHttp(handlers.check, paid, AT);
});

/** The fields that do not move with time. */
const figuresOf = ({ rules }: Answered['body']) =>
  (rules as readonly object[]).map((rule) => ({ ...rule, window: undefined })); // it is a list

const usage = (query: string) => getOverHttp(handlers.usage, {}, query, AT);

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
          resetsAt: '2026-03-02T16:00:00.000Z',
        },
        {
          rule: 'withdrawals',
          used: { amount: 0, count: 0 },
          maxBy: { amount: { by: 'tier', values: { gold: 900 }, else: 500 } },
          resetsAt: null,
        },
      ],
    });
    expect(body.rules).toHaveLength(2);
  });

  it('says of which payments alone a rule counts, and which it may refuse', async () => {
    const { body } = await usage('user=u-1&card=c-1');
    const told = (body.rules as readonly { readonly rule: string }[]).map(
      ({ rule, ...more }) => [rule, more] as const,
    );
    expect(Object.fromEntries(told)).toMatchObject({
      withdrawals: { counts: { is: { type: ['WITHDRAWAL'] }, not: {} } },
      unverified: {
        counts: { is: { type: ['PAYMENT', 'TRANSFER'] }, not: { verified: [true] } },
        appliesTo: { is: { level: [1] }, not: {} },
      },
    });
    const ofAll = told.find(([rule]) => rule === 'user-day')?.[1] ?? {};
    expect(ofAll).not.toHaveProperty('counts');
    expect(ofAll).not.toHaveProperty('appliesTo');
  });

  it('names the kinds whose subject nothing is stored of, most likely for a mistyped id', async () => {
    expect((await usage('user=u-404')).body.unseen).toEqual(['user']);
    expect((await usage('user=u-1&merchant=m-404')).body.unseen).toEqual(['merchant']);
    expect((await usage('user=u-1')).body).not.toHaveProperty('unseen');
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

  it("says what the rule has in place of a subject's own maximum, by attribute too", async () => {
    const counters = patientCounters(database.db);
    const at = new Date('2026-03-02T09:00:00Z');
    const by = { at, by: { kind: 'local', id: 'local' }, reason: 'given' } as const;
    const max = { amountMinor: 700 };
    const terms: Terms = { version: 'v', overrides: [{ ...by, id: 'o', rule: 'once', max }] };
    await counters.changeTerms('wallet:w-own', { expected: undefined, terms }, at);
    const [of, gold] = await Promise.all([
      usage('wallet=w-own'),
      usage('wallet=w-own&attributes[tier]=gold'),
    ]);
    expect(of.body.rules).toMatchObject([
      {
        max: { amount: 700, count: 1 },
        override: {
          own: { count: 1 },
          maxBy: { amount: { by: 'tier', values: { gold: 900 }, else: 500 } },
        },
      },
    ]);
    expect((of.body.rules as readonly object[])[0]).not.toHaveProperty('override.own.amount');
    expect(gold.body.rules).toMatchObject([{ override: { own: { amount: 900, count: 1 } } }]);
  });

  describe('of a rule with a maximum by attribute', () => {
    const TAKEN = 500; // as much as the maximum of all others
    const order = {
      ...{ orderId: 'tiered', subjects: { user: 'u-gold' }, type: 'WITHDRAWAL' },
      ...{ amount: TAKEN, currency: 'CNY', attributes: { tier: 'gold' }, capture: true },
    };
    const ruleIn = ({ body }: Answered, id: string): object | undefined =>
      (body.rules as readonly { rule: string }[]).find(({ rule }) => rule === id); // so it answers
    const wallet = { ...order, orderId: 'once', subjects: { wallet: 'w-1' } };
    beforeAll(async () => {
      await callOverHttp(handlers.check, order, AT);
      await callOverHttp(handlers.check, wallet, AT);
    });

    it.each([
      { query: '&attributes[tier]=gold', max: 900, share: 0.5556, left: 400, outcome: 'within' },
      { query: '&attributes[tier]=silver', max: 500, share: 1, left: 0, outcome: 'reached' },
    ])('with$query it takes the maximum of it', async ({ query, max, share, left, outcome }) => {
      const standing = ruleIn(await usage(`user=u-gold${query}`), 'withdrawals');
      expect(standing).toMatchObject({
        ...{ max: { amount: max }, remaining: { amount: left }, share, outcome },
        used: { amount: TAKEN, count: 1 },
      });
      expect(standing).not.toHaveProperty('maxBy');
    });

    it('without the attribute it says what decides, and neither a maximum nor what is left', async () => {
      expect(ruleIn(await usage('user=u-gold'), 'withdrawals')).toMatchObject({
        ...{ max: {}, remaining: {}, share: null, outcome: 'depends' },
        maxBy: { amount: { by: 'tier', values: { gold: 900 }, else: 500 } },
        used: { amount: TAKEN, count: 1 },
      });
    });

    it('says what is reached whatever the attribute', async () => {
      expect(ruleIn(await usage('wallet=w-1'), 'once')).toMatchObject({
        ...{ max: { count: 1 }, remaining: { count: 0 }, share: null, outcome: 'reached' },
      });
    });

    it('a type or a subject decides, too, wherever it is said', async () => {
      const told = await usage('payer=p&merchant=m-9&type=WITHDRAWAL');
      for (const id of ['by-type', 'by-merchant'])
        expect(ruleIn(told, id)).toMatchObject({ max: { amount: 1_000 }, share: 0 });
      const untold = await usage('payer=p');
      for (const id of ['by-type', 'by-merchant'])
        expect(ruleIn(untold, id)).toMatchObject({ max: {}, share: null });
    });

    it('is the same by direct invocation', async () => {
      const asked = { subjects: { wallet: 'w-1' }, attributes: { tier: 'gold' } };
      const direct = await callDirectly(handlers.usage, asked);
      const http = await usage('wallet=w-1&attributes[tier]=gold');
      expect(figuresOf(direct.body)).toEqual(figuresOf(http.body));
    });
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

  it.each([
    { query: 'usr=u-1', kind: 'usr', nearest: 'user' },
    { query: 'user=u-1&stael=PT10S', kind: 'stael', nearest: 'stale' },
    { query: 'user=u-1&marchant=m-1', kind: 'marchant', nearest: 'merchant' },
  ])('of "$query" says that no rule knows $kind, and that $nearest is near', async (row) => {
    const { status, body } = await usage(row.query);
    expect(status).toBe(200);
    const [only, ...others] = body.unknownKinds as { kind: string; nearest: string[] }[]; // a list
    expect(others).toEqual([]);
    expect([only?.kind, only?.nearest[0]]).toEqual([row.kind, row.nearest]);
  });

  it('says nothing of kinds where every one is known', async () => {
    expect((await usage('user=u-1&merchant=m-1')).body).not.toHaveProperty('unknownKinds');
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

  it.each([
    { query: '', path: 'subjects', why: 'nobody is named' },
    { query: 'User=u-1', path: 'subjects.User', why: 'no kind has capitals' },
    { query: 'user=', path: 'subjects.user', why: 'nobody is called so' },
    { query: 'user=a&stale=10', path: 'stale', why: 'it is no duration' },
    { query: 'user=a&stale=PT2H', path: 'stale', why: 'an hour is enough' },
    { query: 'user=a&user=b', path: 'subjects.user', why: 'one of each kind' },
    { query: 'user=a&type=', path: 'type', why: 'no type is called so' },
    { query: 'user=a&attributes[]=x', path: 'attributes[""]', why: 'no attribute is called so' },
    { query: 'user=a&attributes[user]=x', path: 'attributes.user', why: 'it is a subject' },
    { query: 'user=a&attributes=gold', path: 'attributes', why: 'it names none' },
  ])('of "$query" says $path, for $why', async ({ query, path }) => {
    const { status, body } = await usage(query);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path }]);
  });
});
