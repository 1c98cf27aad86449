import type { LambdaHandler } from '../../lib/http/handler.ts';

export type RoutedCall = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** As it is deployed: `/v1/rules/{id}`. */
  readonly route: string;
  /** The parameters of its path, not encoded. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type RoutedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The event that an HTTP API makes of a call, payload 2.0. */
export function routedEvent(call: RoutedCall): object {
  const { method, route, parameters = {}, query = '', body, headers } = call;
  const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
  return {
    version: '2.0',
    routeKey: `${method} ${route}`,
    rawPath: path,
    rawQueryString: query,
    headers: { 'content-type': 'application/json', ...headers },
    requestContext: { http: { method, path } },
    ...(Object.keys(parameters).length === 0 ? {} : { pathParameters: parameters }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

export async function callRoute(handler: LambdaHandler, call: RoutedCall): Promise<RoutedAnswer> {
  return answerTo(handler, routedEvent(call));
}

export async function answerTo(handler: LambdaHandler, event: object): Promise<RoutedAnswer> {
  const reply = await handler(event, { awsRequestId: 'request-1' });
  if (typeof reply.body !== 'string' || typeof reply.statusCode !== 'number')
    throw new Error('an answer over HTTP has a status and a text');
  const headers = reply.headers as RoutedAnswer['headers']; // of a reply over HTTP
  const body = JSON.parse(reply.body) as RoutedAnswer['body']; // an answer is an object
  return { status: reply.statusCode, headers, body };
}
