import { createHash, createHmac, randomUUID } from 'node:crypto';
import { serviceOver } from '../../functions/service.ts';
import type { Service } from '../../functions/service.ts';
import { makeApplication } from '../../lib/callers/applications.ts';
import { OPERATIONS } from '../../contract/calls.ts';
import { readAppsKey } from '../../lib/callers/sealed-secret.ts';
import type { CallRecord } from '../../lib/http/telemetry.ts';
import { insertApp } from '../../lib/callers/mongo-callers.ts';
import type { TestDatabase } from './database.ts';
import { telemetryOf } from './telemetry.ts';
import { settingsOn } from './service-on-database.ts';
import type { RoutedCall } from './routed-call.ts';
import { routedEvent } from './routed-call.ts';

/** 32 bytes from 0 to 31, in base64. */
export const APPS_KEY_TEXT = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

/** The signed call as bytes. */
export const APPS_KEY = readAppsKey(APPS_KEY_TEXT) ?? Buffer.of();

export type Signer = { readonly id: string; readonly secret: string };

/** Makes an application, as `npm run apps -- add` does. */
export async function addApplication(
  { db }: TestDatabase,
  id: string,
  operations: readonly string[] = OPERATIONS,
  rights: readonly string[] = [],
): Promise<Signer> {
  const { app, secret } = makeApplication(APPS_KEY, id, operations, new Date(), rights);
  await insertApp(db, app);
  return { id, secret };
}

/** A service with AUTH=hmac over a test's database, and what its log was told. */
export function signedServiceOn(
  { client, db }: TestDatabase,
  set: Readonly<Record<string, string>> = {},
): { service: Service; told: CallRecord[] } {
  const settings = settingsOn(db, {
    AUTH: 'hmac',
    APPS_KEY: APPS_KEY_TEXT,
    APPS_CACHE_SECONDS: '0',
    ...set,
  });
  const told: CallRecord[] = [];
  const telemetry = telemetryOf((record: CallRecord) => told.push(record));
  return { service: serviceOver(client, settings, telemetry), told };
}

export type Sent = {
  readonly method: string;
  /** With its query, as it is sent. */
  readonly target: string;
  readonly body: string;
  readonly timestamp: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The instant so many seconds from now, as X-Timestamp says it. */
export function timestampIn(seconds: number): string {
  return String(Date.now() / 1000 + seconds);
}

type Signing = {
  readonly method?: string;
  readonly timestamp?: string;
  readonly nonce?: string;
  /** Those that are sent beside the signature; what decides is signed. */
  readonly headers?: Readonly<Record<string, string>>;
};

const DECIDING = ['x-actor', 'if-match', 'if-none-match', 'x-headroom-now'];

/** Signs a call as docs/signing.md says; written again here, so that it does not follow a mistake there. */
export function signed(
  { id, secret }: Signer,
  call: string,
  body: object | string,
  { method = 'POST', timestamp = timestampIn(0), nonce = randomUUID(), headers = {} }: Signing = {},
): Sent {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const target = call.startsWith('/') ? call : `/v1/${call}`;
  const [path = '', query] = target.split('?');
  const hash = createHash('sha256').update(Buffer.from(text, 'utf8')).digest('base64');
  const digest = text === '' ? {} : { 'content-digest': `sha-256=:${hash}:` };
  const decides = Object.entries(headers).filter(([name]) => DECIDING.includes(name.toLowerCase()));
  const parts = [
    ['@method', method],
    ['@path', path],
    ...(query === undefined ? [] : [['@query', `?${query}`]]),
    ...Object.entries(digest),
    ...decides.map(([name, value]) => [name.toLowerCase(), value]),
  ];
  const created = String(Math.floor(Number(timestamp)));
  const input = `(${parts.map(([name]) => `"${name}"`).join(' ')});created=${created};keyid="${id}";nonce="${nonce}"`;
  const lines = [
    ...parts.map(([name, value]) => `"${name}": ${value}`),
    `"@signature-params": ${input}`,
  ];
  const mac = createHmac('sha256', secret).update(lines.join('\n')).digest('base64');
  const signature = { 'signature-input': `sig1=${input}`, signature: `sig1=:${mac}:` };
  return {
    ...{ method, target, body: text, timestamp: created },
    headers: { ...headers, ...digest, ...signature },
  };
}

/** Signs a call in the old form, which signs no header. */
export function signedOld(
  { id, secret }: Signer,
  call: string,
  body: object | string,
  { method = 'POST', timestamp = timestampIn(0) }: Signing = {},
): Sent {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const target = call.startsWith('/') ? call : `/v1/${call}`;
  const hash = createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex');
  const content = `v1\n${timestamp}\n${method}\n${target}\n${hash}`;
  const mac = createHmac('sha256', secret).update(content).digest('hex');
  const headers = { 'x-app-id': id, 'x-timestamp': timestamp, 'x-signature': `v1=${mac}` };
  return { method, target, body: text, timestamp, headers };
}

/** Signs the question how an order stands, with its id percent-encoded in the path. */
export function signedStatus(signer: Signer, orderId: string): Sent {
  const target = `/v1/transactions/${encodeURIComponent(orderId)}`;
  return signed(signer, target, '', { method: 'GET' });
}

/** The event of an HTTP API for a question how an order stands: it decodes the path. */
export function statusEventOf(sent: Sent, orderId: string): object {
  return {
    ...eventOf(sent),
    routeKey: 'GET /v1/transactions/{orderId}',
    rawPath: `/v1/transactions/${orderId}`,
    pathParameters: { orderId },
    body: undefined,
  };
}

export function eventOf({ method, target, body, headers }: Sent, base64 = false): object {
  const [route = '', query = ''] = target.split('?');
  // No test signs another method.
  const event = routedEvent({ method: method as RoutedCall['method'], route, query, headers });
  const sent = base64 ? Buffer.from(body, 'utf8').toString('base64') : body;
  return { ...event, body: sent, isBase64Encoded: base64 };
}

/** Signs what an HTTP API makes of a call of a function with several routes. */
export function signedEvent(signer: Signer, routed: object): object {
  const event = routed as {
    readonly rawPath: string;
    readonly rawQueryString: string;
    readonly body?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly requestContext: { readonly http: { readonly method: string } };
  };
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  const { method } = event.requestContext.http;
  const signing = { method, headers: event.headers };
  const { headers } = signed(signer, `${event.rawPath}${query}`, event.body ?? '', signing);
  return { ...event, headers };
}
