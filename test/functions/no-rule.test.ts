import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { callOverHttp, getOverHttp, handlersOn } from '../support/service-on-database.ts';
import { USER_LIFE } from '../support/stored-rules.ts';
import { countersIn } from '../support/stored-buckets.ts';

const RULE = { ...USER_LIFE, max: { amount: 500 } };
const TRIAL = { ...RULE, id: 'trial', currency: 'USD', mode: 'shadow' };
const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 999_999_999, currency: 'RMB' };
const PAID = { ...CHECK, orderId: 'o-2', amount: 100, currency: 'CNY' };

const database = useDatabase();
let handlers: Handlers;

beforeAll(() => ensureIndexes(database.db));
beforeEach(async () => {
  for (const name of ['counters', 'audit', 'refunds'])
    await database.db.collection(name).deleteMany({});
  handlers = await handlersOn(database, [RULE, TRIAL], { AUDIT: 'best-effort' });
});

const stored = () => countersIn(database.db);

const REFUSED = {
  decision: 'refused',
  reason: 'no-rule',
  refusedBy: [],
  shadowRefusedBy: [],
  rules: [],
  headroom: { amount: 0, earliestAt: null },
};

describe('an order that no rule applies to, where nothing is set', () => {
  it.each([
    { body: CHECK, why: 'the currency is another' },
    { body: { ...PAID, subjects: { wallet: 'u-1' } }, why: 'the subject is of another kind' },
    { body: { ...CHECK, capture: true }, why: 'it would be counted at once' },
    { body: { ...CHECK, dryRun: true }, why: 'a dry run says what would happen' },
  ])('is refused, and not a byte is stored: $why', async ({ body }) => {
    const answer = await callOverHttp(handlers.check, body);
    expect(answer).toMatchObject({ status: 200, body: REFUSED });
    expect(await stored()).toEqual([]);
  });

  it.each([
    { subjects: { usr: 'u-1' }, unknownKinds: [{ kind: 'usr', nearest: ['user', 'merchant'] }] },
    {
      subjects: { merchnt: 'm-1', usesr: 'u-1' },
      unknownKinds: [
        { kind: 'merchnt', nearest: ['merchant', 'user'] },
        { kind: 'usesr', nearest: ['user', 'merchant'] },
      ],
    },
  ])('names the subject kinds nearest to those that no rule knows: $subjects', async (given) => {
    const { subjects, unknownKinds } = given;
    const merchants = { ...RULE, id: 'merchants', per: ['merchant'] };
    const both = await handlersOn(database, [RULE, merchants]);
    const order = { ...PAID, subjects };
    const { body } = await callOverHttp(both.check, order);
    expect(body).toMatchObject({ reason: 'no-rule', unknownKinds });
    const many = await callOverHttp(both.checks, { orders: [order] });
    expect(many.body.results).toMatchObject([{ reason: 'no-rule', unknownKinds }]);
  });

  it('names no kinds where every kind is known: a rule has it, matches it, or it may be frozen', async () => {
    const { body } = await callOverHttp(handlers.check, CHECK);
    expect(body).not.toHaveProperty('unknownKinds');
    const matching = { ...RULE, match: { device: ['d-9'] } };
    const others = await handlersOn(database, [matching], { FREEZABLE_KINDS: 'card' });
    const subjects = { device: 'd-1', card: 'c-1' };
    const told = await callOverHttp(others.check, { ...PAID, subjects });
    expect(told.body).toMatchObject({ reason: 'no-rule' });
    expect(told.body).not.toHaveProperty('unknownKinds');
  });

  it('is refused by itself among others, and takes an atomic call with it', async () => {
    const orders = [PAID, CHECK, { ...PAID, orderId: 'o-3' }];
    const { body } = await callOverHttp(handlers.checks, { orders });
    expect(body).toMatchObject({
      allAllowed: false,
      results: [{ decision: 'allowed' }, { reason: 'no-rule' }, { decision: 'allowed' }],
    });
    const other = orders.map((order, index) => ({ ...order, orderId: `a-${index}` }));
    const atomic = await callOverHttp(handlers.checks, { orders: other, atomic: true });
    expect(atomic.body).toMatchObject({
      allAllowed: false,
      results: [
        { problem: { code: 'NOT_ALL_ALLOWED' } },
        { reason: 'no-rule' },
        { problem: { code: 'NOT_ALL_ALLOWED' } },
      ],
    });
  });

  it('is refused in the audit, too, which says why', async () => {
    await callOverHttp(handlers.check, CHECK);
    const status = await getOverHttp(handlers.status, { orderId: 'o-1' });
    expect(status.body).toMatchObject({
      state: 'refused',
      history: [{ operation: 'check', outcome: 'refused', reason: 'no-rule' }],
    });
    expect(status.body.history).not.toMatchObject([{ violations: expect.anything() as unknown }]);
  });

  it('passes where a rule on trial applies to it', async () => {
    const check = { ...CHECK, currency: 'USD' };
    expect((await callOverHttp(handlers.check, check)).body).toMatchObject({
      decision: 'allowed',
      refusedBy: [],
      shadowRefusedBy: ['trial'],
    });
  });
});

describe('an order that no rule applies to, with ON_NO_RULE=allow', () => {
  it('is allowed and held without any limit', async () => {
    const allowing = await handlersOn(database, [RULE], { ON_NO_RULE: 'allow' });
    expect((await callOverHttp(allowing.check, CHECK)).body).toMatchObject({
      decision: 'allowed',
      state: 'held',
      rules: [],
      headroom: { amount: null },
    });
    expect(await stored()).toHaveLength(1);
  });
});

describe('an order whose amount no rule limits, with ON_NO_RULE=refuse-unlimited', () => {
  const COUNT = { id: 'count', per: ['user'], window: 'lifetime', max: { count: 9 } };
  const unlimited = { ...CHECK, amount: 1 };
  let refusing: Handlers;
  beforeEach(async () => {
    refusing = await handlersOn(database, [RULE, COUNT], {
      ...{ ON_NO_RULE: 'refuse-unlimited', AUDIT: 'best-effort' },
    });
  });

  it('is refused although a rule without currency applies, and says so', async () => {
    expect((await callOverHttp(refusing.check, unlimited)).body).toMatchObject({
      ...{ decision: 'refused', reason: 'no-rule', refusedBy: [] },
      rules: [{ rule: 'count', outcome: 'within' }],
      headroom: { amount: 0, earliestAt: null },
    });
    expect(await stored()).toEqual([]);
    const status = await getOverHttp(refusing.status, { orderId: 'o-1' });
    expect(status.body).toMatchObject({ history: [{ outcome: 'refused', reason: 'no-rule' }] });
  });

  it('passes without an amount, in a currency with a limit, and where nothing is set', async () => {
    const allowed = { body: { decision: 'allowed' } };
    expect(await callOverHttp(refusing.check, { ...unlimited, amount: 0 })).toMatchObject(allowed);
    expect(await callOverHttp(refusing.check, PAID)).toMatchObject(allowed);
    const usual = await handlersOn(database, [RULE, COUNT]);
    const other = { ...unlimited, orderId: 'o-3' };
    expect(await callOverHttp(usual.check, other)).toMatchObject(allowed);
  });

  it('is refused among others, whose own limits decide', async () => {
    const { body } = await callOverHttp(refusing.checks, { orders: [PAID, unlimited] });
    expect(body).toMatchObject({ results: [{ decision: 'allowed' }, { reason: 'no-rule' }] });
  });
});
