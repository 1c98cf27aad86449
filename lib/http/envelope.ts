import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { InvalidRequestError } from '../shared/errors.ts';
import { INSTANT_EXPECTED, readInstant } from '../schema/instant.ts';
import { nestedTooDeeply } from './json-text.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { present } from '../shared/present.ts';
import type { Problem } from './problems.ts';

/** How a call came: over HTTP with an envelope, or by direct invocation without one. */
export type Envelope =
  | {
      readonly kind: 'http';
      readonly body: unknown;
      readonly base64: boolean;
      readonly headers: unknown;
      readonly line: RequestLine;
      /** Decoded parts of the path. */
      readonly parameters: unknown;
      readonly query: URLSearchParams;
      /** Whom API Gateway's authorizer let through: an ARN, or a token's subject. */
      readonly principal: string | undefined;
    }
  | { readonly kind: 'direct'; readonly event: unknown };

/**
 * Recognises how a function was called. API Gateway's events have an object `requestContext`; no request has.
 * Source: API Gateway developer guide, "Create AWS Lambda proxy integrations for HTTP APIs".
 */
export function readEnvelope(event: unknown): Envelope {
  const context = ownField(event, 'requestContext');
  if (typeof context !== 'object' || context === null) return { kind: 'direct', event };
  return {
    kind: 'http',
    body: ownField(event, 'body'),
    base64: ownField(event, 'isBase64Encoded') === true,
    headers: headersOf(event),
    line: readRequestLine(event),
    parameters: ownField(event, 'pathParameters') ?? {},
    query: readQuery(event),
    principal: principalOf(context),
  };
}

/**
 * Payload 2.0 joins headers of one name by commas. Payload 1.0 has the last of them, and all of them apart: here
 * they are joined, too, so that nobody takes the last for the only one. Source: as of `readEnvelope`.
 */
function headersOf(event: unknown): unknown {
  const headers = ownField(event, 'headers');
  const apart = ownField(event, 'multiValueHeaders');
  if (typeof headers !== 'object' || typeof apart !== 'object' || apart === null) return headers;
  const several = Object.entries(apart).flatMap(([name, values]: [string, unknown]) =>
    Array.isArray(values) && values.length > 1 ? [[name, values.join()]] : [],
  );
  return several.length === 0 ? headers : { ...headers, ...Object.fromEntries(several) };
}

/**
 * Source: API Gateway developer guide, "Create AWS Lambda proxy integrations for HTTP APIs", payloads 2.0 and
 * 1.0; "Output from an API Gateway Lambda authorizer" (`principalId`).
 */
function principalOf(context: object): string | undefined {
  const authorizer = ownField(context, 'authorizer');
  const claims = ownField(ownField(authorizer, 'jwt') ?? authorizer, 'claims');
  const found = [
    ownField(ownField(authorizer, 'iam'), 'userArn'),
    ownField(claims, 'sub'),
    ownField(ownField(context, 'identity'), 'userArn'),
    ownField(authorizer, 'principalId'),
  ];
  return found.find((each): each is string => typeof each === 'string' && each !== '');
}

/** Returns the request's JSON as text, that of a direct invocation too. @throws InvalidRequestError where its bytes are no text */
export function requestText(envelope: Envelope): string {
  if (envelope.kind === 'direct') return writtenDown(envelope.event);
  const { body, base64, line } = envelope;
  const text = typeof body === 'string' ? body : '';
  // A call that deletes needs no body. One that is there is read: it might have a `dryRun`.
  if (line.method === 'GET' || (line.method === 'DELETE' && text === '')) return '{}';
  return base64 ? utf8Of(bodyBytes(envelope)) : text;
}

/** The body's bytes as the caller sent them. */
export function bodyBytes({ body, base64 }: Extract<Envelope, { kind: 'http' }>): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body, base64 ? 'base64' : 'utf8') : Buffer.of();
}

function writtenDown(event: unknown): string {
  try {
    return event === undefined ? '' : JSON.stringify(event);
  } catch {
    // Nested deeper than the stack: the runtime reads such an event, but cannot write it.
    throw nestedTooDeeply();
  }
}

function utf8Of(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InvalidRequestError([
      { path: '', value: 'not UTF-8', expected: 'a JSON object in UTF-8' },
    ]);
  }
}

/** Returns the instant in place of the clock, which only `Settings.localClock` allows. @throws InvalidRequestError where it is none */
export function requestedNow(envelope: Envelope): Date | undefined {
  if (envelope.kind === 'direct') return undefined;
  const value = readHeader(envelope.headers, LOCAL_CLOCK_HEADER);
  if (value === undefined) return undefined;
  const at = readInstant(value);
  if (at !== undefined) return at;
  const expected = INSTANT_EXPECTED;
  throw new InvalidRequestError([mistakeAt([LOCAL_CLOCK_HEADER], value, expected)]);
}

/** An instant in place of the clock: `requestedNow`. */
export const LOCAL_CLOCK_HEADER = 'X-Headroom-Now';

/** What a function returns: HTTP's envelope, or the answer or problem itself. */
export type Reply = APIGatewayProxyStructuredResultV2 | Readonly<Record<string, unknown>>;

/** What HTTP says of an answer beside its body. */
export type Framing = {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Says the version of what is answered, a strong validator: RFC 9110, 8.8.3. */
export function tagged(version: number | string, language?: string): Framing {
  return { headers: { etag: `"${version}"`, ...present({ 'content-language': language }) } };
}

/** Puts an answer in the envelope in which its request came. */
export function answerIn(
  envelope: Envelope,
  answer: object,
  requestId: string,
  { status = 200, headers = {} }: Framing = {},
): Reply {
  return envelope.kind === 'direct'
    ? answer
    : http(status, 'application/json', answer, requestId, headers);
}

/** Puts a problem in the envelope in which its request came. @param afterSeconds when the same call may succeed */
export function problemIn(
  envelope: Envelope,
  { status, body }: Problem,
  requestId: string,
  afterSeconds: number | undefined,
): Reply {
  if (envelope.kind === 'direct') return body;
  return http(status, 'application/problem+json', body, requestId, {
    ...(afterSeconds === undefined ? {} : { 'retry-after': String(afterSeconds) }),
    ...(status === 401 ? { 'www-authenticate': 'Headroom-Signature' } : {}), // RFC 9110, 15.5.2
  });
}

function http(
  statusCode: number,
  contentType: string,
  body: object,
  requestId: string,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyStructuredResultV2 {
  // The request's id stands in the log and in audit rows, too: callers keep it with their answer.
  const common = { 'cache-control': 'no-store', 'x-request-id': requestId };
  return {
    statusCode,
    headers: { 'content-type': contentType, ...common, ...headers },
    body: `${JSON.stringify(body)}\n`, // a terminal's next line then stands by itself
  };
}

/** The answer of API Gateway's HTTP APIs to an unknown path: it has neither a code nor a request's id. */
export const NO_SUCH_PATH: APIGatewayProxyStructuredResultV2 = {
  statusCode: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'Not Found' }),
};

/** The first line of a request as it is signed. */
type RequestLine = { readonly method: string; readonly target: string };

/**
 * Works out a request's method and target from API Gateway's event, payload 2.0 or 1.0.
 *
 * The path is the route's, `/v1/check`, with each parameter as `encodeURIComponent` writes it: HTTP APIs decode
 * `rawPath`, and function URLs do not. The query is as `URLSearchParams` writes it.
 */
export function readRequestLine(event: unknown): RequestLine {
  const http = ownField(ownField(event, 'requestContext'), 'http');
  const method = textOrNone(ownField(http, 'method') ?? ownField(event, 'httpMethod'));
  const query = readQuery(event).toString();
  return { method, target: `${pathOf(event)}${query === '' ? '' : `?${query}`}` };
}

function pathOf(event: unknown): string {
  const [, routePath] = textOrNone(ownField(event, 'routeKey')).split(' ');
  const template = routePath ?? ownField(event, 'resource');
  if (typeof template !== 'string') return textOrNone(ownField(event, 'rawPath'));
  const parameters = ownField(event, 'pathParameters');
  return template.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
    // A text that is no UTF-16 cannot be written: nobody signed it, and nothing has this name.
    const text = Buffer.from(textOrNone(ownField(parameters, name)), 'utf8').toString('utf8');
    return encodeURIComponent(text);
  });
}

/** Payload 1.0 has the query in parts only. */
function readQuery(event: unknown): URLSearchParams {
  const raw = ownField(event, 'rawQueryString');
  if (typeof raw === 'string') return new URLSearchParams(raw);
  const parts = ownField(event, 'multiValueQueryStringParameters');
  if (typeof parts !== 'object' || parts === null) return new URLSearchParams();
  const pairs = Object.entries(parts).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value): [string, string] => [
      name,
      textOrNone(value),
    ]),
  );
  return new URLSearchParams(pairs);
}

/** Finds a header. Names of headers have no case. */
export function readHeader(headers: unknown, name: string): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const own = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase());
  return own === undefined ? undefined : ownField(headers, own);
}

function textOrNone(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
