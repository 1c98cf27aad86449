import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import {
  callDirectly,
  callOverHttp,
  getOverHttp,
  handlersOn,
} from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const AT = { 'x-headroom-now': '2026-03-02T10:00:00.000Z' };
const CHECK = { type: 'PAYMENT', subjects: { user: 'u-1' }, amount: 400, currency: 'CNY' };

const database = useDatabase();
const handlers = () =>
  handlersOn(database, [USER_DAY], { AUDIT: 'best-effort', LOCAL_CLOCK: 'on' });

/** A call over HTTP with headers of its own. */
const eventOf = (orderId: string, headers: object): object => ({
  ...{ version: '2.0', rawQueryString: '', headers, isBase64Encoded: false },
  requestContext: { http: { method: 'GET' } },
  pathParameters: { orderId },
});

describe('GET /v1/transactions/{orderId}', () => {
  it('tells state and history of an order, whatever its id looks like', async () => {
    const { check, confirm, status } = await handlers();
    const orderId = 'o 1/ü?%2F';
    await callOverHttp(check, { ...CHECK, orderId }, AT);
    await callOverHttp(confirm, { orderId, subjects: CHECK.subjects, amount: 300 }, AT);
    const told = {
      orderId,
      state: 'confirmed',
      amount: 300,
      currency: 'CNY',
      subjects: { user: 'u-1' },
      now: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      history: [
        {
          at: '2026-03-02T10:00:00.000Z',
          operation: 'check',
          outcome: 'held',
          amount: 400,
          count: 1,
          currency: 'CNY',
          requestId: 'request-1',
        },
        {
          at: '2026-03-02T10:00:00.000Z',
          operation: 'confirm',
          outcome: 'confirmed',
          amount: 300,
          count: 1,
          currency: 'CNY',
          late: false,
          requestId: 'request-1',
        },
      ],
    };
    expect(await getOverHttp(status, { orderId })).toEqual({ status: 200, body: told });
    expect(await callDirectly(status, { orderId })).toEqual({ status: 200, body: told });
  });

  it('tells how each rule stood that refused, in the language that is preferred', async () => {
    const { check, status } = await handlers();
    const order = { ...CHECK, subjects: { user: 'u-why' } };
    await callOverHttp(check, { ...order, orderId: 'o-held' }, AT);
    await callOverHttp(check, { ...order, orderId: 'o-why', amount: 101 }, AT);
    const told = async (language?: string) => {
      const event = eventOf('o-why', language === undefined ? {} : { 'Accept-Language': language });
      const { headers, body } = await status(event, { awsRequestId: 'request-1' });
      if (typeof body !== 'string') throw new Error('an answer over HTTP has a text');
      const { history } = JSON.parse(body) as { history: readonly object[] }; // as documented
      return { headers, row: history[0] };
    };
    const { headers, row } = await told();
    expect(headers).toMatchObject({ 'content-language': 'en' });
    expect(row).toMatchObject({ outcome: 'refused', violations: ['user-day'] });
    expect(row).toHaveProperty('refusals', [
      {
        rule: 'user-day',
        sentence:
          'user-day allows at most ¥5.00 a day in Asia/Shanghai: used ¥0.00, held ¥4.00, asked ¥1.01. The window ends Mar 3, 2026, 00:00 Asia/Shanghai',
        outcome: 'exceeded',
        version: expect.any(Number) as number,
        currency: 'CNY',
        window: {
          ...{ kind: 'calendar', unit: 'day', timeZone: 'Asia/Shanghai' },
          ...{ start: '2026-03-01T16:00:00.000Z', end: '2026-03-02T16:00:00.000Z' },
        },
        max: { amount: 500 },
        used: { amount: 0, count: 0 },
        held: { amount: 400, count: 1 },
      },
    ]);
    const chinese = await told('zh-CN,zh;q=0.9,en;q=0.8');
    expect(chinese.headers).toMatchObject({ 'content-language': 'zh' });
    expect(chinese.row).toMatchObject({
      refusals: [{ sentence: expect.stringMatching(/^user-day：本次¥1\.01，/) as string }],
    });
    const direct = await callDirectly(status, { orderId: 'o-why', language: 'zh' });
    expect(direct.body.history).toEqual([chinese.row]);
  });

  it("tells that a maximum was the subject's own, and who was frozen, and why", async () => {
    const { check, status, subjects } = await handlers();
    const direct = { kind: 'user', id: 'u-own' };
    const max = { amount: 100 };
    await callDirectly(subjects, {
      ...{ ...direct, operation: 'override', rule: 'user-day', max, reason: 'new here' },
    });
    const order = { ...CHECK, subjects: { user: 'u-own' }, orderId: 'o-own' };
    await callOverHttp(check, order);
    await callDirectly(subjects, { ...direct, operation: 'freeze', reason: 'stolen' });
    await callOverHttp(check, { ...order, amount: 1 });
    expect((await getOverHttp(status, { orderId: 'o-own' })).body.history).toMatchObject([
      {
        refusals: [
          {
            sentence: expect.stringMatching(/ the subject's own; the rule has ¥5\.00$/) as string,
            max,
            override: { reason: 'new here', until: null, own: { amount: 500 } },
          },
        ],
      },
      {
        reason: 'frozen',
        frozen: [
          {
            subjects: { user: 'u-own' },
            reason: 'stolen',
            until: null,
            sentence: 'user:u-own was frozen',
          },
        ],
      },
    ]);
  });

  it('tells it of the newest ten that were refused; of others, which rules did', async () => {
    const { check, status } = await handlers();
    const order = { ...CHECK, subjects: { user: 'u-often' }, amount: 501, orderId: 'o-often' };
    for (let second = 10; second < 22; second++)
      await callOverHttp(check, order, { 'x-headroom-now': `2026-03-02T10:00:${second}.000Z` });
    const { body } = await getOverHttp(status, { orderId: 'o-often' });
    const rows = body.history as readonly { violations: unknown; refusals?: unknown }[]; // as documented
    expect(rows.map(({ violations }) => violations)).toEqual(rows.map(() => ['user-day']));
    const isTold = rows.map(({ refusals }) => refusals !== undefined);
    expect(isTold).toEqual([false, false, ...Array.from({ length: 10 }, () => true)]);
  });

  it('says that an order is unknown, and that an id is none', async () => {
    const { status } = await handlers();
    const unknown = await getOverHttp(status, { orderId: 'never' });
    expect(unknown).toMatchObject({ status: 200, body: { state: 'unknown', history: [] } });
    const wrong = await getOverHttp(status, { orderId: '\uFFFD' });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    expect(await getOverHttp(status, {})).toMatchObject({ status: 400 });
  });

  it('says in one sentence that no audit is kept', async () => {
    const { status } = await handlersOn(database, [USER_DAY]);
    expect(await getOverHttp(status, { orderId: 'o-1' })).toMatchObject({
      status: 404,
      body: {
        code: 'AUDIT_OFF',
        detail:
          'the status of an order needs the audit, and this deployment has none: set AUDIT to best-effort or session',
      },
    });
  });
});
