import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import type { Reply } from '../../lib/http/envelope.ts';
import { useDatabase } from '../support/database.ts';
import { DRIVER_WAITS_MS, timed } from '../support/elapsed.ts';
import { routedEvent } from '../support/routed-call.ts';
import { startFunction, variablesOf } from '../support/started-function.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const NAMES = ['check', 'confirm', 'rollback'] as const;
/** The function's own time is over first. */
const PATIENT = { ON_UNDECIDED: 'allow', STORE_TIMEOUT_MS: '20000' };

const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 1, currency: 'CNY' };
const SETTLE = { orderId: 'o-1', subjects: { user: 'u-1' } };

const database = useDatabase();
let proxy: TcpProxy;

beforeEach(async () => {
  proxy = await startTcpProxy(inject('mongodbUri'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  proxy.stop();
});

async function callerOf(name: string, set: Readonly<Record<string, string>> = {}, timeMs?: number) {
  const way = { ...variablesOf(database), MONGODB_URI: proxy.uri };
  const handler = await startFunction(name, { ...way, STORE_TIMEOUT_MS: '300', ...set });
  const time = timeMs === undefined ? {} : { getRemainingTimeInMillis: () => timeMs };
  return (body: object): Promise<Reply> =>
    handler(routedEvent({ method: 'POST', route: `/v1/${name}`, body }), {
      awsRequestId: 'r-1',
      ...time,
    });
}

function bodyOf({ body }: Reply): unknown {
  return typeof body === 'string' ? JSON.parse(body) : body;
}

/** Calls until the function answers otherwise: connections to a silent server take a while to end. */
async function untilAnswered(call: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 0; ; tries++) {
    const reply = await call();
    if (reply.statusCode !== 503 || tries > 40) return reply;
  }
}

describe('fault-2: a database that falls silent', () => {
  it.each(NAMES)(
    'leaves %s undecided in time, and is found again when it is back',
    async (name) => {
      const body = name === 'check' ? CHECK : SETTLE;
      const call = await callerOf(name);
      const before = await untilAnswered(() => call(body));
      expect(before.statusCode).not.toBe(503);
      proxy.silence(true);
      const { result, ms } = await timed(() => call(body));
      expect(result).toMatchObject({
        statusCode: 503,
        headers: { 'retry-after': '5' }, // 4 s, and the 300 ms of a request
        body: expect.stringContaining('"code":"UNDECIDED"') as string,
      });
      expect(ms).toBeLessThan(DRIVER_WAITS_MS);
      proxy.silence(false);
      const after = await untilAnswered(() => call(body));
      expect(after.statusCode).toBe(before.statusCode);
    },
  );

  it.each(NAMES)('at the start of %s, is found when it is back', async (name) => {
    const body = name === 'check' ? { ...CHECK, orderId: 'o-2' } : { ...SETTLE, orderId: 'o-2' };
    proxy.silence(true);
    const call = await callerOf(name);
    expect(await call(body)).toMatchObject({ statusCode: 503 });
    expect(await call(body)).toMatchObject({ statusCode: 503 });
    proxy.silence(false);
    const { statusCode } = await untilAnswered(() => call(body));
    expect(statusCode).not.toBe(503);
  });

  it('lets checks pass, marked, where the deployment wants that, and decides again afterwards', async () => {
    const call = await callerOf('check', { ON_UNDECIDED: 'allow' });
    proxy.silence(true);
    const reply = await call(CHECK);
    expect(reply).toMatchObject({ statusCode: 200 });
    expect(bodyOf(reply)).toMatchObject({ decision: 'allowed', undecided: true });
    proxy.silence(false);
    await vi.waitFor(
      async () => {
        const later = await call({ ...CHECK, orderId: 'o-3' });
        expect(bodyOf(later)).not.toHaveProperty('undecided');
      },
      { timeout: 20_000 },
    );
  });

  it.each([
    { name: 'check', asked: CHECK, passes: { undecided: true } },
    {
      name: 'checks',
      asked: { orders: [CHECK, { ...CHECK, orderId: 'o-2' }] },
      passes: { allAllowed: true, results: [{ undecided: true }, { undecided: true }] },
    },
  ] as const)(
    'lets $name pass, marked, too where the function’s own time is over first',
    async ({ name, asked, passes }) => {
      proxy.silence(true);
      const call = await callerOf(name, PATIENT, 600);
      const reply = await call(asked);
      expect({ status: reply.statusCode, body: bodyOf(reply) }).toMatchObject({
        status: 200,
        body: passes,
      });
    },
  );

  it('lets no atomic call pass where the function’s own time is over first', async () => {
    proxy.silence(true);
    const call = await callerOf('checks', PATIENT, 600);
    const orders = [CHECK, { ...CHECK, orderId: 'o-2' }];
    expect(await call({ orders, atomic: true })).toMatchObject({ statusCode: 503 });
  });
});
