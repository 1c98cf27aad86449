import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { createSettleHandler } from '../../lib/edge/settle-handler.ts';
import { useDatabase } from '../support/database.ts';
import { callHistory } from '../support/history-call.ts';
import { DRIVER_WAITS_MS, timed } from '../support/elapsed.ts';
import { CALL_NAMES } from '../support/function-names.ts';
import { batchOf } from '../support/queue-events.ts';
import { callRules } from '../support/rules-call.ts';
import { callRoute } from '../support/routed-call.ts';
import { callOverHttp } from '../support/service-on-database.ts';
import { startFunction, variablesOf } from '../support/started-function.ts';
import { callSubjects } from '../support/subjects-call.ts';
import { replaceRules } from '../support/stored-rules.ts';

/** The questions to functions that have several routes. */
const SEVERAL_ROUTES: Readonly<
  Record<string, (handler: LambdaHandler) => ReturnType<typeof callSubjects>>
> = {
  history: (handler) => callHistory(handler, '/v1/transactions', 'user=u-1'),
  rules: (handler) => callRules(handler, { method: 'GET' }),
  subjects: (handler) => callSubjects(handler, { method: 'GET', path: 'terms' }),
  proposals: (handler) => callRoute(handler, { method: 'GET', route: '/v1/proposals' }),
  backtests: (handler) => callRoute(handler, { method: 'GET', route: '/v1/backtests' }),
};
const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 1, currency: 'CNY' };
const SETTLE = { orderId: 'o-1', subjects: { user: 'u-1' } };
const BODIES: Readonly<Record<string, object>> = {
  check: CHECK,
  confirm: SETTLE,
  rollback: SETTLE,
  checks: { orders: [CHECK, { ...CHECK, orderId: 'o-2' }] },
  settlements: { settlements: [{ ...SETTLE, status: 'SUCCESS' }] },
  record: { orders: [{ ...CHECK, at: '2026-03-02T09:00:00Z' }] },
  refund: { orderId: 'o-1', refundId: 'r-1' },
  status: { orderId: 'o-1' },
  usage: { subjects: { user: 'u-1' } },
  near: { share: 0.5 },
  health: {},
  history: { operation: 'transactions', subjects: { user: 'u-1' } },
  rules: { operation: 'list' },
  subjects: { operation: 'terms', kind: 'user', id: 'u-1' },
  proposals: { operation: 'list' },
};

/** Nobody listens there. */
const NOWHERE = { MONGODB_URI: 'mongodb://127.0.0.1:1/' };
const AWAY = { ...NOWHERE, STORE_TIMEOUT_MS: '200' };

const database = useDatabase();

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a function that starts', () => {
  it.each(CALL_NAMES)(
    '%s refuses to with wrong settings, and lists every problem',
    async (name) => {
      const wrong = { MONGODB_URI: 'root:secret@db', STORE_TIMEOUT_MS: '5', LOG_PAYLOADS: 'yes' };
      const message = await startFunction(name, wrong).then(
        () => 'it started',
        (error: unknown) => (error instanceof Error ? error.message : 'no error'),
      );
      expect(message.split('\n')).toEqual([
        'The settings are wrong:',
        expect.stringContaining('MONGODB_URI is a text of 14 characters'),
        expect.stringContaining('STORE_TIMEOUT_MS is "5"'),
        expect.stringContaining('LOG_PAYLOADS is "yes"'),
      ]);
      expect(message).not.toContain('secret');
    },
  );

  it.each(CALL_NAMES)(
    '%s refuses to where it is deployed and callers could choose the time',
    async (name) => {
      const deployed = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x', LOCAL_CLOCK: 'on' };
      await expect(startFunction(name, { ...NOWHERE, ...deployed })).rejects.toThrow(
        'LOCAL_CLOCK is "on", expected off',
      );
    },
  );

  it.each(CALL_NAMES)('%s does so without asking the database', async (name) => {
    await expect(startFunction(name, NOWHERE)).resolves.toBeTypeOf('function');
  });
});

describe('a deployed function', () => {
  const deployed = (): Record<string, string> => ({
    ...variablesOf(database),
    ON_NO_RULE: 'allow', // there is none
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  });

  it('ignores X-Headroom-Now: the database says what time it is', async () => {
    const check = await startFunction('check', deployed());
    const headers = { 'x-headroom-now': '2040-01-01T00:00:00Z' };
    const { status, body } = await callOverHttp(check, CHECK, headers);
    expect(status).toBe(200);
    expect(Math.abs(Date.parse(String(body.now)) - Date.now())).toBeLessThan(60_000);
  });
});

describe('a store that is away', () => {
  it.each(CALL_NAMES)('is told by %s within the set time', async (name) => {
    const handler = await startFunction(name, { ...AWAY, AUDIT: 'best-effort' });
    const { result: answer, ms } = await timed(
      () =>
        SEVERAL_ROUTES[name]?.(handler) ??
        callOverHttp(handler, BODIES[name] ?? expect.unreachable(`nothing to ask ${name}`)),
    );
    // Somebody who asks for the health wants to know that it is away.
    const told =
      name === 'health'
        ? { status: 200, body: { worst: 'fault', findings: [{ name: 'database' }] } }
        : { status: 503, body: { code: 'UNDECIDED' } };
    expect(answer).toMatchObject(told);
    expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|Mongo/);
    expect(ms).toBeLessThan(DRIVER_WAITS_MS);
  });

  it('lets many checks pass, too, each marked; but never an atomic call', async () => {
    const handler = await startFunction('checks', { ...AWAY, ON_UNDECIDED: 'allow' });
    const undecided = { decision: 'allowed', undecided: true, rules: [] };
    expect(await callOverHttp(handler, BODIES.checks)).toMatchObject({
      status: 200,
      body: {
        results: [
          { orderId: 'o-1', ...undecided },
          { orderId: 'o-2', ...undecided },
        ],
      },
    });
    expect(await callOverHttp(handler, { ...BODIES.checks, atomic: true })).toMatchObject({
      status: 503,
      body: { code: 'UNDECIDED' },
    });
  });
});

describe('the function of the queue', () => {
  const startSettle = async (variables: Readonly<Record<string, string>>) =>
    (await startFunction('settle', variables)) as unknown as ReturnType<typeof createSettleHandler>; // it reads a queue
  const batch = batchOf({ ...SETTLE, status: 'SUCCESS' }, { ...SETTLE, status: 'FAIL' });

  it('refuses to start with wrong settings', async () => {
    await expect(startSettle({ MONGODB_URI: 'root:secret@db' })).rejects.toThrow('MONGODB_URI');
  });

  it('has everything delivered again while the store is away (UNDECIDED)', async () => {
    const settle = await startSettle(AWAY);
    const { batchItemFailures } = await settle(batch, { awsRequestId: 'r-1' });
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'm-0' }, { itemIdentifier: 'm-1' }]);
  });

  it('settles what another function held', async () => {
    const deployed = { ...variablesOf(database), ON_NO_RULE: 'allow' }; // there is none
    const check = await startFunction('check', deployed);
    await callOverHttp(check, { ...CHECK, orderId: 'o-3' });
    const settle = await startSettle(deployed);
    const one = batchOf({ ...SETTLE, orderId: 'o-3', status: 'SUCCESS' });
    expect(await settle(one, { awsRequestId: 'r-1' })).toEqual({ batchItemFailures: [] });
    const confirm = await startFunction('confirm', deployed);
    const again = await callOverHttp(confirm, { ...SETTLE, orderId: 'o-3' });
    expect(again.body).toMatchObject({ state: 'confirmed', repeated: true });
  });
});

describe('stored rules that are wrong', () => {
  it('are a fault of ours, and callers learn nothing of them', async () => {
    await replaceRules(database.db, [{ id: 'half-a-rule', per: ['user'] }]);
    const check = await startFunction('check', variablesOf(database));
    const { status, body } = await callOverHttp(check, { ...CHECK, orderId: 'o-2' });
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'INTERNAL' });
    expect(JSON.stringify(body)).not.toContain('half-a-rule');
    await replaceRules(database.db, []);
  });
});
