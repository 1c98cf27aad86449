import { describe, expect, it } from 'vitest';
import { HeadroomClient, ProblemError } from '../../packages/client/src/index.ts';
import { createSigner } from '../../packages/client/src/signing.ts';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import { useDatabase } from '../support/database.ts';
import { handlersOf } from '../support/handlers.ts';
import type { Signer } from '../support/signed-call.ts';
import { OPERATIONS } from '../../contract/calls.ts';
import { addApplication, signedServiceOn } from '../support/signed-call.ts';
import { CHECK, failureOf, RULES, useHttpService } from './fixture.ts';
import { replaceRules } from '../support/stored-rules.ts';

const MINUTE_MS = 60_000;

const database = useDatabase();
let shop: Signer;
const service = useHttpService(database, async () => {
  await replaceRules(database.db, RULES);
  await ensureIndexes(database.db);
  shop = await addApplication(database, 'shop', OPERATIONS, ['usage:read']);
  // Each signature is taken once: what is sent again must be signed again.
  const set = { AUDIT: 'best-effort', REPLAY: 'refuse' };
  return handlersOf(signedServiceOn(database, set).service);
});

function clientOf(app: Signer, skewMs = 0): HeadroomClient {
  const now = () => Date.now() + skewMs;
  return new HeadroomClient({ url: service.url, app, now, firstDelayMs: 10 });
}

describe('a client that signs', () => {
  it('is taken, behind a stage that is no part of what is signed', async () => {
    expect(await clientOf(shop).check(CHECK)).toMatchObject({ decision: 'allowed' });
    expect(service.arrived[0]?.url).toBe('/prod/v1/check');
  });

  it('signs the very bytes, whatever they say', async () => {
    const check = { ...CHECK, orderId: '订单-1 "é" 🙂', attributes: { note: 'a/b\\c\n' } };
    expect(await clientOf(shop).check(check)).toMatchObject({ decision: 'allowed' });
  });

  it.each(['o 1', 'a/b', '100%', "it's (1)!*~", '订单🙂', 'a?b#c&d=e', '...', 'a+b'])(
    'asks about order %j, which is signed as encodeURIComponent writes it',
    async (orderId) => {
      const client = clientOf(shop);
      await client.check({ ...CHECK, orderId });
      expect(await client.status(orderId)).toMatchObject({ orderId, state: 'held' });
    },
  );

  it('asks how limits stand, with a query as URLSearchParams writes it', async () => {
    const subjects = { user: "u 1&ü='+*" };
    expect(await clientOf(shop).usage(subjects)).toMatchObject({ subjects });
  });

  it('signs again what it sends again, for a signature is taken once', async () => {
    service.faults.push('answer-lost', 'answer-lost');
    expect(await clientOf(shop).check(CHECK)).toMatchObject({ repeated: true });
    const signatures = service.arrived.map(({ headers }) => headers.signature);
    expect(new Set(signatures).size).toBe(3);
  });

  it('never signs two calls alike, in the same millisecond neither', async () => {
    const signer = createSigner(shop, () => 1_767_225_600_000);
    const content = { method: 'POST', target: '/v1/check', body: new Uint8Array() };
    const all = await Promise.all(Array.from({ length: 50 }, () => signer.headersOf(content)));
    expect(new Set(all.map((headers) => headers.Signature)).size).toBe(50);
    for (const headers of all)
      expect(headers['Signature-Input']).toMatch(/^hr=\("@method" "@path"\);created=1767225600;/);
  });

  it.each([
    { nowMs: 1_767_225_600_999.9, created: 1_767_225_600 },
    { nowMs: 999, created: 0 },
  ])('signs at the whole second, at $nowMs', async ({ nowMs, created }) => {
    const content = { method: 'POST', target: '/v1/check', body: new TextEncoder().encode('{}') };
    const headers = await createSigner(shop, () => nowMs).headersOf(content);
    expect(headers['Signature-Input']).toContain(`;created=${created};keyid="shop";nonce="`);
  });

  it('signs the person and the condition of a change', async () => {
    await expect(
      clientOf(shop).rules.delete({ id: 'none', ifMatch: 1, actor: '王小明' }),
    ).rejects.toMatchObject({ code: 'RIGHT_MISSING' });
    expect(service.arrived[0]?.headers['signature-input']).toMatch(
      /^hr=\("@method" "@path" "x-actor" "if-match"\);/,
    );
  });
});

describe('a clock that is wrong', () => {
  it.each([
    { skewMs: -10 * MINUTE_MS, why: 'it is behind' },
    { skewMs: 10 * MINUTE_MS, why: 'it is ahead' },
    { skewMs: -(365 * 24 * 60 * MINUTE_MS), why: 'it was never set' },
  ])('by $skewMs ms is corrected by the answer’s Date, because $why', async ({ skewMs }) => {
    const client = clientOf(shop, skewMs);
    expect(await client.check(CHECK)).toMatchObject({ decision: 'allowed', repeated: false });
    expect(service.arrived).toHaveLength(2);
    await client.check(CHECK);
    expect(service.arrived).toHaveLength(3); // it has learned
  });

  it.each([4 * MINUTE_MS, -4 * MINUTE_MS])('by %i ms is taken as it is', async (skewMs) => {
    expect(await clientOf(shop, skewMs).check(CHECK)).toMatchObject({ decision: 'allowed' });
    expect(service.arrived).toHaveLength(1);
  });

  it('is not what a wrong secret is about: refused, once', async () => {
    const error = await failureOf(clientOf({ ...shop, secret: 'hrs_wrong' }).check(CHECK));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'BAD_SIGNATURE', status: 401, attempts: 1 });
    expect(service.arrived).toHaveLength(1);
  });

  it('with a wrong secret as well: refused, after one correction', async () => {
    const client = clientOf({ ...shop, secret: 'hrs_wrong' }, 10 * MINUTE_MS);
    await expect(client.check(CHECK)).rejects.toMatchObject({ code: 'BAD_SIGNATURE' });
    await expect(client.check(CHECK)).rejects.toMatchObject({ code: 'BAD_SIGNATURE' });
    expect(service.arrived).toHaveLength(3);
  });
});

describe('an application', () => {
  it('that may not make a call is told so', async () => {
    const desk = await addApplication(database, 'desk', ['status']);
    await expect(clientOf(desk).check(CHECK)).rejects.toMatchObject({
      code: 'OPERATION_NOT_ALLOWED',
      status: 403,
    });
  });

  it('without a secret is none', () => {
    expect(() => clientOf({ id: 'shop', secret: '' })).toThrow('app.secret is empty');
  });
});

describe('headers', () => {
  it('are sent with each attempt, made again where a function makes them', async () => {
    let made = 0;
    const headers = () => Promise.resolve({ authorization: `Bearer ${++made}` });
    const client = new HeadroomClient({ url: service.url, app: shop, headers, firstDelayMs: 10 });
    service.faults.push({ status: 503 });
    await client.check(CHECK);
    expect(service.arrived.map((each) => each.headers.authorization)).toEqual([
      'Bearer 1',
      'Bearer 2',
    ]);
  });
});
