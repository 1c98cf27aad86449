import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backtestAnswer } from '../../contract/backtests.ts';
import { workOf } from '../../functions/backtest-jobs.ts';
import type { Service } from '../../functions/service.ts';
import { createBacktestHandler } from '../../lib/edge/backtest-handler.ts';
import { mongoRuleStore } from '../../lib/rule-book/mongo-rule-store.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import { useLambda } from '../support/lambda-invocations.ts';
import { callRoute } from '../support/routed-call.ts';
import { callOverHttp, serviceOn } from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const DAY = { ...USER_DAY, id: 'user-day', max: { amount: 300 } };
const DRAFT = { ...DAY, max: { amount: 100 } };
const TIME = { from: '2026-03-02T00:00:00+08:00', to: '2026-03-03T00:00:00+08:00' };
const MINUTES = 600_000;

const database = useDatabase();
const invoked = useLambda();
let service: Service;
let handlers: Handlers;

/** Three orders of 100: two are confirmed, and a fourth is refused. */
beforeAll(async () => {
  await makeIndexes(database.db);
  service = await serviceOn(database, [DAY], { AUDIT: 'best-effort', LOCAL_CLOCK: 'on' });
  handlers = handlersOf(service);
  for (const each of [1, 2, 3, 4]) {
    const at = { 'x-headroom-now': `2026-03-02T10:0${each}:00+08:00` };
    const subjects = { user: 'u-1' };
    const order = { orderId: `o-${each}`, subjects, amount: 100, currency: 'CNY' };
    const { body } = await callOverHttp(handlers.check, order, at);
    expect(body.decision).toBe(each < 4 ? 'allowed' : 'refused');
    if (each > 2) continue;
    const ended = await callOverHttp(handlers.confirm, { orderId: order.orderId, subjects }, at);
    expect(ended.status).toBe(200);
  }
});

beforeEach(async () => {
  invoked.length = 0;
  for (const name of ['backtests', 'backtest_orders', 'backtest_states'])
    await database.db.collection(name).deleteMany({});
});

function call(method: 'GET' | 'POST' | 'DELETE', end: string, given: object = {}) {
  const [id, orders] = end.split('/');
  const route = ['/v1/backtests', ...(id ? ['{id}'] : []), ...(orders ? [orders] : [])].join('/');
  return callRoute(handlers.backtests, {
    method,
    route,
    ...(id ? { parameters: { id } } : {}),
    ...given,
  });
}

function ask(body: object, headers: Readonly<Record<string, string>> = {}) {
  return call('POST', '', { body: { ...TIME, ...body }, headers });
}

async function started(body: object): Promise<string> {
  const { status, body: answer } = await ask(body);
  expect(status).toBe(201);
  return String(answer.id);
}

/** The answer about another day, of so many refused checks. */
async function answerOn(checks: number, given: (place: number) => object) {
  const audit = database.db.collection<{ _id: string }>('audit');
  const row = await audit.findOne({ orderId: 'o-4' });
  const at = new Date('2026-04-02T10:00:00+08:00');
  const rows = Array.from({ length: checks }, (_row, place) => ({
    ...row,
    _id: `row-${place}`,
    orderId: `c-${place}`,
    at,
    ...given(place),
  }));
  await audit.insertMany(rows);
  const time = { from: '2026-04-02T00:00:00+08:00', to: '2026-04-03T00:00:00+08:00' };
  const id = await started({ put: DRAFT, ...time });
  await workedOn();
  const { body } = await call('GET', id);
  await audit.deleteMany({ at });
  return body;
}

/** Works as Lambda does: what was invoked runs, until nothing is invoked any more. */
async function workedOn(leftMs = 15 * MINUTES): Promise<number> {
  const { context, startWork } = workOf(service);
  const work = createBacktestHandler(context, startWork);
  let slices = 0;
  for (let next = invoked.shift(); next !== undefined; next = invoked.shift()) {
    slices += 1;
    await work(next.event, {
      awsRequestId: `slice-${slices}`,
      getRemainingTimeInMillis: () => leftMs,
    });
  }
  return slices;
}

describe('a back-test', () => {
  it('is begun, worked on elsewhere, and tells its result and its orders', async () => {
    const id = await started({ put: DRAFT });
    expect(invoked).toEqual([{ name: 'headroom-dev-backtest', event: { id } }]);
    expect(await call('GET', id)).toMatchObject({
      status: 200,
      body: { state: 'waiting', result: null, startedAt: null },
    });
    expect(await workedOn()).toBe(1);
    const { body } = await call('GET', id);
    expect(body).toMatchObject({
      state: 'done',
      progress: { percent: 100, rows: 6 },
      problem: null,
      draft: { put: DRAFT },
      result: {
        control: { checks: 4, knockOn: { differences: 0 } },
        currencies: [
          {
            currency: 'CNY',
            recorded: { allowed: { checks: 3, amount: 300 }, refused: { checks: 1 } },
            knockOn: {
              newlyRefused: { checks: 2, amount: 200 },
              outcomes: { paid: { checks: 1 }, expired: { checks: 1 } },
            },
          },
        ],
      },
    });
    const page = await call('GET', `${id}/orders`, { query: 'limit=1' });
    expect(page.body).toMatchObject({
      orders: [{ orderId: 'o-3', sentence: expect.stringContaining('allows at most') as unknown }],
    });
    const headers = { 'accept-language': 'zh-CN' };
    const chinese = await call('GET', `${id}/orders`, { query: 'limit=1', headers });
    expect(JSON.stringify(chinese.body)).toMatch(/最多|上限|限额/);
    const query = `limit=1&before=${String(page.body.next)}`;
    const rest = await call('GET', `${id}/orders`, { query });
    expect(rest.body).toMatchObject({ orders: [{ orderId: 'o-2' }], next: null });
    const none = await call('GET', `${id}/orders`, { query: 'decided=allowed&rule=user-day' });
    expect(none.body).toEqual({ orders: [], next: null });
  });

  it('has the days alone that have checks, however long its time is', async () => {
    const id = await started({ put: DRAFT, from: '1970-01-02T00:00:00+08:00' });
    await workedOn();
    const { body } = await call('GET', id);
    expect(body).toMatchObject({
      result: { currencies: [{ knockOn: { byDay: [{ from: '2026-03-01T16:00:00.000Z' }] } }] },
    });
  });

  it('fails with a reason where its result is longer than an answer', async () => {
    const body = await answerOn(4_000, (place) => ({ currency: `C${place}` }));
    expect(body).toMatchObject({ state: 'failed', result: null });
    expect(body.problem).toEqual({
      code: 'CANNOT_BE_TESTED',
      detail:
        'the result has 4000 currencies and is longer than an answer may be: choose a shorter time, or run headroom backtest',
    });
  });

  it('adds up amounts above 2^53', async () => {
    const body = await answerOn(12, () => ({ amountMinor: 1_000_000_000_000_000 }));
    expect(body).toMatchObject({
      result: { currencies: [{ recorded: { refused: { amount: 12_000_000_000_000_000 } } }] },
    });
    const { success } = backtestAnswer.safeParse(body);
    expect(success).toBe(true);
  });

  it('has no orders before it is done', async () => {
    const id = await started({ put: DRAFT });
    const orders = database.db.collection<{ _id: string }>('backtest_orders');
    const order = { rules: [], order: JSON.stringify({ orderId: 'o-2' }) };
    await orders.insertOne({ _id: `${id}/knockOn/newlyRefused/000000`, ...order });
    expect((await call('GET', `${id}/orders`)).body).toEqual({ orders: [], next: null });
    await workedOn();
    expect((await call('GET', `${id}/orders`)).body).toMatchObject({
      orders: [{ orderId: 'o-3' }, { orderId: 'o-2' }],
    });
  });

  it('is the same one for the same question', async () => {
    const id = await started({ put: DRAFT });
    await workedOn();
    const again = await ask({ put: DRAFT });
    expect(again).toMatchObject({ status: 200, body: { id, state: 'done' } });
    expect(invoked).toEqual([]);
    expect((await ask({ drop: 'user-day' })).body.id).not.toBe(id);
  });

  it('is the same one however its fields are ordered, and another one where a list is', async () => {
    const [one, other] = [DRAFT, { ...DRAFT, id: 'other', per: ['merchant'] }];
    const id = await started({ rules: [one, other] });
    const turned = [one, other].map((rule) => Object.fromEntries(Object.entries(rule).reverse()));
    const body = { rules: turned, to: TIME.to, from: TIME.from };
    expect(await call('POST', '', { body })).toMatchObject({ status: 200, body: { id } });
    expect((await ask({ rules: [other, one] })).body.id).not.toBe(id);
  });

  it('is the same one where its rows are gone since', async () => {
    const audit = database.db.collection<{ _id: string }>('audit');
    const id = await started({ put: DRAFT });
    await workedOn();
    const rows = await audit.find().toArray();
    await audit.deleteMany({});
    const again = await ask({ put: DRAFT });
    await audit.insertMany(rows);
    expect(again).toMatchObject({ status: 200, body: { id, state: 'done' } });
  });

  it('tells the revision of the rules, also where the last change deleted one', async () => {
    const other = { ...DAY, id: 'other' };
    const rules = mongoRuleStore(database.db);
    const author = { at: new Date(), by: { kind: 'command', id: 'command' } } as const;
    for (const set of [[DAY, other], [DAY]]) {
      const before = await rules.read();
      expect(await rules.replace(before, nextSet(before, set, author))).toBe(true);
    }
    const { revision } = await rules.read();
    expect((await ask({ put: DRAFT })).body).toMatchObject({ revision });
  });

  it('goes on in another slice where the time of one is over', async () => {
    const id = await started({ rules: [DRAFT] });
    expect(await workedOn(0)).toBe(2);
    const { body } = await call('GET', id);
    expect(body).toMatchObject({ state: 'done', result: { rows: 6 } });
    expect(await database.db.collection('backtest_states').countDocuments()).toBe(0);
  });

  it('may lose three slices after one that ended well', async () => {
    const id = await started({ rules: [DRAFT] });
    const { context, startWork } = workOf(service);
    await createBacktestHandler(context, startWork)(invoked.shift()?.event, {
      awsRequestId: 'slice',
      getRemainingTimeInMillis: () => 0,
    });
    const claimed: (number | undefined)[] = [];
    for (const minute of [1, 2, 3]) {
      const at = new Date(Date.now() + minute * 60_000);
      claimed.push((await context.store.claim(id, `dead-${minute}`, at))?.slices);
    }
    expect(claimed).toEqual([1, 2, 3]);
  });

  it('goes on when somebody looks, where its slice died', async () => {
    const id = await started({ put: DRAFT });
    invoked.length = 0; // the slice never began
    const later = new Date(Date.now() + 60_000).toISOString();
    await call('GET', id, { headers: { 'x-headroom-now': later } });
    expect(invoked).toEqual([{ name: 'headroom-dev-backtest', event: { id } }]);
    await workedOn();
    expect((await call('GET', id)).body).toMatchObject({ state: 'done' });
  });

  it('is stopped, and may be asked for again', async () => {
    const id = await started({ put: DRAFT });
    expect((await call('DELETE', id)).body).toMatchObject({ state: 'stopped' });
    await workedOn();
    expect((await call('GET', id)).body).toMatchObject({ state: 'stopped', result: null });
    expect(await ask({ put: DRAFT })).toMatchObject({
      status: 201,
      body: { id, state: 'waiting' },
    });
    await workedOn();
    expect((await call('DELETE', id)).body).toMatchObject({ state: 'done' });
  });

  it('is one of three at most that have not ended', async () => {
    for (const amount of [1, 2, 3]) await started({ put: { ...DAY, max: { amount } } });
    expect(await ask({ put: DRAFT })).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_BACKTESTS' },
    });
    const { body } = await call('GET', '');
    const named = expect.objectContaining({ rule: 'user-day' }) as unknown;
    expect(body.backtests).toEqual([named, named, named]);
    await workedOn();
    await started({ put: DRAFT });
  });

  it('that died is woken where it keeps others from beginning', async () => {
    const dead = await started({ put: { ...DAY, max: { amount: 1 } } });
    invoked.length = 0;
    const ofOthers = [2, 3, 4].map((amount) => ({ put: { ...DAY, max: { amount } } }));
    for (const other of ofOthers) {
      await started(other);
      await workedOn();
    }
    for (const amount of [5, 6]) await started({ put: { ...DAY, max: { amount } } });
    invoked.length = 0;
    const later = new Date(Date.now() + 60_000).toISOString();
    const { status } = await ask({ put: DRAFT }, { 'x-headroom-now': later });
    expect(status).toBe(409);
    expect(invoked.map(({ event }) => event)).toContainEqual({ id: dead });
  });
});

describe('a question that cannot be answered is refused with one sentence', () => {
  it.each([
    { why: 'no rules', body: {}, says: 'exactly one of rules, put and drop' },
    {
      why: 'two drafts',
      body: { put: DRAFT, drop: 'x' },
      says: 'exactly one of rules, put and drop',
    },
    { why: 'a wrong rule', body: { put: { ...DRAFT, per: 7 } }, says: 'put.per is 7' },
    {
      why: 'a time that is turned round',
      body: { drop: 'user-day', to: TIME.from },
      says: 'an instant before to',
    },
    {
      why: 'a time that is not over',
      body: { drop: 'user-day', to: '2126-01-01T00:00:00Z' },
      says: 'rows of the last two minutes may be missing',
    },
    {
      why: 'two subjects',
      body: { drop: 'user-day', subject: { user: 'u-1', card: 'c-1' } },
      says: 'one kind and its id',
    },
  ])('$why', async ({ body, says }) => {
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(String(answer.body.detail)).toContain(says);
  });

  it.each([
    {
      why: 'a time without checks',
      body: { rules: [DRAFT], from: '2025-03-01T00:00:00Z', to: '2025-03-02T00:00:00Z' },
      says: 'the audit has no check from 2025-03-01T00:00:00.000Z to 2025-03-02T00:00:00.000Z',
    },
    {
      why: 'a subject without checks',
      body: { drop: 'user-day', subject: { user: 'u-9' } },
      says: 'the audit has no check of user:u-9 from 2026-03-01T16:00:00.000Z to 2026-03-02T16:00:00.000Z: choose another subject or time',
    },
    { why: 'a rule that was not there', body: { drop: 'other' }, says: 'was not in force' },
  ])('$why', async ({ body, says }) => {
    const answer = await ask(body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'CANNOT_BE_TESTED' } });
    expect(String(answer.body.detail)).toContain(says);
  });

  it('one that nobody asked', async () => {
    for (const end of ['none', 'none/orders'])
      expect(await call('GET', end)).toMatchObject({
        status: 404,
        body: { code: 'NO_SUCH_BACKTEST' },
      });
    expect((await call('DELETE', 'none')).status).toBe(404);
  });
});
