import type { LambdaHandler } from '../../lib/edge/handler.ts';

/** A call of rules as a caller sends it. */
export type RulesCall = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Below `/v1/rules`, where there is one; as it is called, not encoded. */
  readonly id?: string;
  readonly versions?: boolean;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An answer over HTTP. */
export type RulesAnswer = {
  readonly status: number;
  readonly etag: unknown;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The event that an HTTP API makes of a call, payload 2.0. */
export function rulesEvent({ method, id, versions, query = '', body, headers }: RulesCall): object {
  const parts = [
    '/v1/rules',
    ...(id === undefined ? [] : ['{id}']),
    ...(versions ? ['versions'] : []),
  ];
  const route = parts.join('/');
  const path = route.replace('{id}', encodeURIComponent(id ?? ''));
  return {
    version: '2.0',
    routeKey: `${method} ${route}`,
    rawPath: path,
    rawQueryString: query,
    headers: { 'content-type': 'application/json', ...headers },
    requestContext: { http: { method, path } },
    ...(id === undefined ? {} : { pathParameters: { id } }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

/** Sends a call to the function of rules. */
export async function callRules(handler: LambdaHandler, call: RulesCall): Promise<RulesAnswer> {
  const reply = await handler(rulesEvent(call), { awsRequestId: 'request-1' });
  if (typeof reply.body !== 'string' || typeof reply.statusCode !== 'number')
    throw new Error('an answer over HTTP has a status and a text');
  const headers = reply.headers as Readonly<Record<string, unknown>> | undefined; // of a reply over HTTP
  const body = JSON.parse(reply.body) as RulesAnswer['body']; // an answer is an object
  return { status: reply.statusCode, etag: headers?.etag, body };
}
