import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { workOf } from '../../functions/backtest-jobs.ts';
import type { Service } from '../../functions/service.ts';
import { createBacktestHandler } from '../../lib/edge/backtest-handler.ts';
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

  it('is the same one for the same question', async () => {
    const id = await started({ put: DRAFT });
    await workedOn();
    const again = await ask({ put: DRAFT });
    expect(again).toMatchObject({ status: 200, body: { id, state: 'done' } });
    expect(invoked).toEqual([]);
    expect((await ask({ drop: 'user-day' })).body.id).not.toBe(id);
  });

  it('goes on in another slice where the time of one is over', async () => {
    const id = await started({ rules: [DRAFT] });
    expect(await workedOn(0)).toBe(2);
    const { body } = await call('GET', id);
    expect(body).toMatchObject({ state: 'done', result: { rows: 6 } });
    expect(await database.db.collection('backtest_states').countDocuments()).toBe(0);
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
    expect(body.backtests).toHaveLength(3);
    await workedOn();
    await started({ put: DRAFT });
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
