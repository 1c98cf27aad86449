import { describe, expect, it } from 'vitest';
import type { StoredRule } from '../../lib/edge/rule-file.ts';
import { useDatabase } from '../support/database.ts';
import {
  callDirectly,
  callOverHttp,
  getOverHttp,
  handlersOn,
} from '../support/service-on-database.ts';

const RULE: StoredRule = {
  id: 'user-day',
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 500 },
};
const AT = { 'x-headroom-now': '2026-03-02T10:00:00.000Z' };
const CHECK = { type: 'PAYMENT', subjects: { user: 'u-1' }, amount: 400, currency: 'CNY' };

const database = useDatabase();
const handlers = () => handlersOn(database, [RULE], { AUDIT: 'best-effort', LOCAL_CLOCK: 'on' });

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
          late: false,
          requestId: 'request-1',
        },
      ],
    };
    expect(await getOverHttp(status, { orderId })).toEqual({ status: 200, body: told });
    expect(await callDirectly(status, { orderId })).toEqual({ status: 200, body: told });
  });

  it('names the rules that refused', async () => {
    const { check, status } = await handlers();
    await callOverHttp(check, { ...CHECK, orderId: 'o-2', amount: 501 });
    expect((await getOverHttp(status, { orderId: 'o-2' })).body).toMatchObject({
      state: 'refused',
      history: [{ outcome: 'refused', violations: ['user-day'] }],
    });
  });

  it('gives what confirm needs while the order is held', async () => {
    const { check, confirm, status } = await handlers();
    const order = { ...CHECK, subjects: { user: 'u-3' }, orderId: 'o-3' };
    await callOverHttp(check, order);
    const { body } = await getOverHttp(status, { orderId: 'o-3' });
    expect(body).toMatchObject({
      state: 'held',
      holdExpiresAt: expect.stringMatching(/Z$/) as string,
    });
    const { reservation } = body;
    const confirmed = await callOverHttp(confirm, { orderId: 'o-3', reservation });
    expect(confirmed.body).toMatchObject({ state: 'confirmed', repeated: false });
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
    const { status } = await handlersOn(database, [RULE]);
    expect(await getOverHttp(status, { orderId: 'o-1' })).toMatchObject({
      status: 404,
      body: {
        code: 'AUDIT_OFF',
        detail:
          'the status of an order is read from the audit, and this deployment keeps none: set AUDIT to best-effort or session',
      },
    });
  });
});
