import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/calls.ts';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import type { Transport } from '../../packages/client/src/index.ts';
import { HeadroomClient } from '../../packages/client/src/index.ts';
import { useDatabase } from '../support/database.ts';
import { handlersOf } from '../support/handlers.ts';
import { listening } from '../support/listening.ts';
import type { Signer } from '../support/signed-call.ts';
import { addApplication, signedServiceOn } from '../support/signed-call.ts';
import { CHECK, failureOf, HOME, RULES, useHttpService } from './fixture.ts';
import type { Fault } from './http-service.ts';
import { replaceRules } from '../support/stored-rules.ts';
import { PATIENCE_MS } from '../support/patient-counters.ts';

const database = useDatabase();
let shop: Signer;
const service = useHttpService(database, async () => {
  await replaceRules(database.db, RULES);
  await ensureIndexes(database.db);
  shop = await addApplication(database, 'shop', OPERATIONS, ['subjects:write']);
  return handlersOf(signedServiceOn(database, { AUDIT: 'best-effort' }).service);
});

function clientThrough(...faults: readonly Fault[]): HeadroomClient {
  service.faults.push(...faults);
  return new HeadroomClient({ url: service.url, app: shop, firstDelayMs: 10 });
}

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'by %i is not followed: a signature is for one address',
    async (status) => {
      const { url } = service;
      const location = `${url.replace('127.0.0.1', 'localhost')}/v1/check`;
      await expect(
        clientThrough({ status, headers: { location } }).check(CHECK),
      ).rejects.toMatchObject({
        ...{ code: 'UNEXPECTED_ANSWER', status, attempts: 1, retryable: false },
        message: `check: HTTP ${status} with a redirect to ${location}, which is not followed, expected an answer or a problem of Headroom: check the address, and any proxy in front of it`,
      });
      expect(service.arrived).toHaveLength(1);
    },
  );

  it('leaves its connection to the next calls', async () => {
    let connections = 0;
    const elsewhere = createServer((_request, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end('x'.repeat(100_000));
    }).on('connection', () => (connections += 1));
    const client = new HeadroomClient({ url: `http://127.0.0.1:${await listening(elsewhere)}` });
    try {
      for (let calls = 0; calls < 10; calls++)
        await expect(client.check(CHECK)).rejects.toMatchObject({ status: 307 });
      // One may still be closing its answer when the next call asks for one.
      expect(connections).toBeLessThan(5);
    } finally {
      elsewhere.closeAllConnections();
      elsewhere.close();
    }
  });
});

it('reads no more of an answer than one of Headroom can have', async () => {
  const error = await failureOf(clientThrough('endless').check(CHECK));
  expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200, attempts: 1 });
});

it('says what is wrong with JSON that is too deep to be printed', async () => {
  const body = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const error = await failureOf(clientThrough({ status: 200, body }).check(CHECK));
  expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 });
});

describe('what is answered with 200 and is no answer of the call', () => {
  it.each(['{}', '[]', 'null', '{"statusCode":200,"body":"{}"}', '{"status":"ok"}'])(
    '%s to a check is not taken for a payment that was made before',
    async (body) => {
      const paying = clientThrough({ status: 200, body }).withHold(CHECK, () => 'paid');
      await expect(paying).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 });
    },
  );

  it.each(['confirm', 'rollback', 'settlements', 'record', 'checks'] as const)(
    'to %s is not taken for one',
    async (call) => {
      const client = clientThrough({ status: 200, body: '{}' });
      const asked = call === 'confirm' || call === 'rollback' ? HOME : {};
      await expect(client[call](asked as never)).rejects.toMatchObject({
        code: 'UNEXPECTED_ANSWER',
      });
    },
  );
});

describe('JSON with a member that an answer of the call has, too', () => {
  // OAuth's and OpenID's answers have a `state`; RFC 6749, 4.1.2.1.
  const oauth = '{"error":"login_required","state":"af0ifjsldkj"}';
  // prettier-ignore
  it.each<{ call: string; body: string; run: (client: HeadroomClient) => Promise<unknown> }>([
    { call: 'confirm', body: oauth, run: (client) => client.confirm(HOME) },
    { call: 'rollback', body: oauth, run: (client) => client.rollback(HOME) },
    { call: 'refund', body: oauth, run: (client) => client.refund({ ...HOME, refundId: 'r-1', amount: 1 }) },
    { call: 'status', body: oauth, run: (client) => client.status(HOME.orderId) },
    { call: 'proposals.reject', body: oauth, run: (client) => client.proposals.reject({ id: 'p-1', reason: 'seen' }) },
    { call: 'withHold', body: '{"decision":"challenge"}', run: (client) => client.withHold(CHECK, () => 'paid') },
    { call: 'freeze', body: '{"subject":"Sign in"}', run: (client) => client.freeze({ kind: 'user', id: 'u-9', reason: 'a lost card' }) },
  ])('is no answer to $call', async ({ body, run }) => {
    const asked = run(clientThrough({ status: 200, body }));
    await expect(asked).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 });
  });
});

describe('a page for signing in', () => {
  const user = { kind: 'user', id: 'u-9' };
  const change = { ...user, reason: 'a lost card' };
  const decision = { id: 'p-1', reason: 'seen' };
  const rule = { per: ['user'], window: 'lifetime', max: { count: 9 } } as const;
  it.each<{ call: string; run: (client: HeadroomClient) => Promise<unknown> }>([
    { call: 'freeze', run: (client) => client.freeze(change) },
    { call: 'unfreeze', run: (client) => client.unfreeze(change) },
    { call: 'endOverride', run: (client) => client.endOverride({ ...change, rule: 'day' }) },
    { call: 'terms', run: (client) => client.terms(user) },
    { call: 'rules.put', run: (client) => client.rules.put({ id: 'life', rule }) },
    { call: 'rules.list', run: (client) => client.rules.list() },
    { call: 'proposals.reject', run: (client) => client.proposals.reject(decision) },
    { call: 'proposals.list', run: (client) => client.proposals.list() },
    { call: 'near', run: (client) => client.near() },
    { call: 'health', run: (client) => client.health() },
    { call: 'summary', run: (client) => client.summary({ kind: 'user' }) },
  ])('that answers $call with 200 has not made it', async ({ run }) => {
    const client = clientThrough({ status: 200, body: '{"signIn":"https://login.example.com"}' });
    await expect(run(client)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 });
  });
});

describe('a code of Headroom’s in what is no problem of Headroom’s', () => {
  it.each(['{"code":"NOT_FOUND","message":"no such page"}', '{"code":"INTERNAL"}'])(
    '%s is what a proxy says',
    async (body) => {
      await expect(clientThrough({ status: 404, body }).confirm(HOME)).rejects.toMatchObject({
        ...{ name: 'UnexpectedAnswerError', status: 404, retryable: false },
      });
    },
  );
});

describe('a clock that is wrong', () => {
  it('is corrected for every call that is under way, not for the first alone', async () => {
    const orders = ['a', 'b', 'c', 'd', 'e'].map((orderId) => ({ ...CHECK, orderId, amount: 1 }));
    let signed = 0;
    let send: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (send = resolve));
    const client = new HeadroomClient({
      url: service.url,
      app: shop,
      now: () => Date.now() - 3_600_000,
      ...{ attemptMs: PATIENCE_MS, deadlineMs: PATIENCE_MS },
      // None is answered before all of them have been signed.
      fetch: async (...call) => {
        signed += 1;
        if (signed === orders.length) send();
        await all;
        return fetch(...call);
      },
    });
    const answers = await Promise.all(orders.map((order) => client.check(order)));
    expect(answers.map(({ decision }) => decision)).toEqual(orders.map(() => 'allowed'));
    expect(service.arrived).toHaveLength(10);
  });
});

describe('headers', () => {
  it('of every call give way to a call’s own, however they are written', async () => {
    const headers = { 'content-type': 'text/plain', 'x-actor': 'everybody' };
    const client = new HeadroomClient({ url: service.url, app: shop, headers });
    await client.freeze({ kind: 'user', id: 'u-9', reason: 'a lost card', actor: 'jane' });
    expect(service.arrived[0]?.headers).toMatchObject({ 'x-actor': 'jane' });
    expect(service.arrived[0]?.headers['content-type']).toBe('text/plain');
  });

  it.each(['张伟', 'Doe, Jane', '100%25', '%E7%8E%8B', 'jane@example.com'])(
    'carry the person %s, whatever its letters are',
    async (actor) => {
      const change = { kind: 'user', id: 'u-9', reason: 'a lost card', actor };
      const answer = await clientThrough().freeze(change);
      expect(answer).toMatchObject({ freeze: { by: { person: actor } } });
    },
  );

  it('that no header holds are refused at once, and nothing is sent', async () => {
    const change = { kind: 'user', id: 'u-9', reason: 'a lost card' };
    await expect(clientThrough().freeze({ ...change, actor: 'J\ud800' })).rejects.toThrow(
      new TypeError('actor is "J\\ud800", which cannot stand in a header: expected Unicode text'),
    );
    await expect(clientThrough().unfreeze({ ...change, ifMatch: 'é' })).rejects.toThrow(
      'ifMatch is "é", which cannot stand in a header: expected printable ASCII characters',
    );
    expect(service.arrived).toHaveLength(0);
  });
});

describe('an address with a password', () => {
  it('is refused at once, which fetch would refuse with each attempt', () => {
    expect(() => new HeadroomClient({ url: 'https://jane:secret@limits.example.com' })).toThrow(
      'url has a user or a password, expected none: send them as headers',
    );
  });
});

describe('a watcher that throws', () => {
  it('changes no answer', async () => {
    const transport: Transport = () => () =>
      Promise.resolve({ status: 200, body: { decision: 'refused', repeated: false } });
    const onAttempt = () => {
      throw new Error('the log is full');
    };
    const answer = await new HeadroomClient({ transport, onAttempt }).check(CHECK);
    expect(answer).toEqual({ decision: 'refused', repeated: false });
  });
});
