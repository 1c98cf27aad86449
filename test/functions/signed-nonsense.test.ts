import { createServer } from 'node:net';
import fc from 'fast-check';
import { ANY_CHARACTER } from '../support/any-character.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OPERATIONS, RIGHTS } from '../../contract/calls.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import { listening } from '../support/listening.ts';
import type { Signer } from '../support/signed-call.ts';
import { answerTo } from '../support/routed-call.ts';
import {
  addApplication,
  APPS_KEY_TEXT,
  eventOf,
  signed,
  signedServiceOn,
} from '../support/signed-call.ts';
import { CALL_NAMES } from '../support/function-names.ts';
import { handlersOf } from '../support/handlers.ts';
import { startFunction, variablesOf } from '../support/started-function.ts';

const RUNS = times('signedNonsense');
const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 1, currency: 'CNY' };

const database = useDatabase();
let shop: Signer;
beforeAll(async () => {
  shop = await addApplication(database, 'shop', OPERATIONS, RIGHTS);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function stored(): Promise<number> {
  return database.db.collection('counters').countDocuments();
}

/** The texts that may stand in a header, or in the place of one. */
const anything = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 80 }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', 'shop', 'default', '__proto__', 'v1=', `v1=${'0'.repeat(64)}`, '$ne', '0'),
  fc.constantFrom(String(Date.now() / 1000), String(Date.now()), '-1', '9'.repeat(12), 'NaN'),
  fc.constant({ $gt: '' }),
);
const header = fc.constantFrom(
  ...['x-app-id', 'X-App-Id', 'x-timestamp', 'x-signature', 'X-SIGNATURE', '__proto__', 'x-other'],
  ...['signature-input', 'Signature-Input', 'signature', 'content-digest', 'x-actor', 'if-match'],
);
const eventField = fc.constantFrom(
  ...['routeKey', 'rawPath', 'rawQueryString', 'pathParameters', 'resource', 'httpMethod'],
  ...['headers', 'body', 'isBase64Encoded', 'multiValueQueryStringParameters', 'requestContext'],
);

describe('whatever headers and envelope a call comes with', () => {
  it('unless it is signed right it is 401, and nothing is stored', async () => {
    const { check } = handlersOf(signedServiceOn(database, { APPS_CACHE_SECONDS: '300' }).service);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(header, anything), { maxLength: 4 }),
        fc.array(fc.tuple(eventField, anything), { maxLength: 2 }),
        fc.boolean(),
        async (headers, fields, nearly) => {
          // Nearly right: a call that is signed, under a secret that differs in its last character.
          const secret = `${shop.secret.slice(0, -1)}${shop.secret.endsWith('A') ? 'B' : 'A'}`;
          const sent = signed({ ...shop, secret }, 'check', CHECK);
          const given = { ...(nearly ? sent.headers : {}), ...Object.fromEntries(headers) };
          const event: Readonly<Record<string, unknown>> = {
            ...eventOf(sent),
            headers: given,
            ...Object.fromEntries(fields),
          };
          // Without an object in its place there is no envelope, and nothing came over HTTP.
          if (typeof event.requestContext !== 'object' || event.requestContext === null) return;
          expect(await answerTo(check, event)).toMatchObject({
            status: 401,
            body: { code: 'BAD_SIGNATURE' },
          });
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
    expect(await stored()).toBe(0);
  });

  it('when it is signed right its body is read as any other, and never fails', async () => {
    const { check } = handlersOf(signedServiceOn(database, { APPS_CACHE_SECONDS: '300' }).service);
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.boolean(),
        (body, base64) =>
          answerTo(check, eventOf(signed(shop, 'check', `"${body}"`), base64)).then(
            ({ status }) => {
              expect(status).toBe(400);
            },
          ),
      ),
      { numRuns: RUNS, seed: SEED },
    );
    expect(await stored()).toBe(0);
  });
});

/** Called by other paths than their names: see subjects.test.ts, signed.test.ts, proposals.test.ts. */
const BY_OTHER_PATHS: readonly string[] = ['history', 'subjects', 'proposals'];
const HMAC = { AUTH: 'hmac', APPS_KEY: APPS_KEY_TEXT };
const FUNCTIONS = CALL_NAMES.filter((name) => !BY_OTHER_PATHS.includes(name));

describe('every function that is called over HTTP', () => {
  it.each(FUNCTIONS)('%s takes signed calls only where AUTH=hmac', async (call) => {
    const handler = await startFunction(call, { ...variablesOf(database), ...HMAC });
    const options = { method: call === 'rules' ? 'PUT' : 'POST' };
    // Every field of `near` and `health` is optional.
    const mistaken = ['near', 'health'].includes(call) ? { share: 7 } : {};
    const right = signed(shop, call, mistaken, options);
    const none = await addApplication(database, `none-${call}`, []);
    const unsigned = await answerTo(handler, eventOf({ ...right, headers: {} }));
    expect(unsigned).toMatchObject({ status: 401, body: { code: 'BAD_SIGNATURE' } });
    const nobody = signed({ id: 'nobody', secret: 'x' }, call, {}, options);
    expect(await answerTo(handler, eventOf(nobody))).toMatchObject({ status: 401 });
    // A signed call is read: an empty body is a mistake of another kind.
    expect(await answerTo(handler, eventOf(right))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST' },
    });
    expect(await answerTo(handler, eventOf(signed(none, call, {}, options)))).toMatchObject({
      status: 403,
      body: {
        code: ['usage', 'near', 'health', 'rules', 'subjects', 'backtests'].includes(call)
          ? 'RIGHT_MISSING'
          : 'OPERATION_NOT_ALLOWED',
      },
    });
  });

  it('with a store that is away leaves a signed call undecided, and does not ask it of others', async () => {
    let connections = 0;
    const silent = createServer((socket) => {
      connections += 1;
      socket.on('error', () => socket.destroy());
    });
    const uri = `mongodb://127.0.0.1:${await listening(silent)}/`;
    const away = { MONGODB_URI: uri, STORE_TIMEOUT_MS: '200' };
    const handler = await startFunction('check', { ...away, ...HMAC, ON_UNDECIDED: 'allow' });
    const right = signed(shop, 'check', CHECK);
    expect(await answerTo(handler, eventOf({ ...right, headers: {} }))).toMatchObject({
      status: 401,
    });
    expect(connections).toBe(0);
    // Nobody knows who calls: not even ON_UNDECIDED=allow lets it pass.
    expect(await answerTo(handler, eventOf(right))).toMatchObject({
      status: 503,
      body: { code: 'UNDECIDED' },
    });
    expect(connections).toBeGreaterThan(0);
    silent.close();
  });
});
