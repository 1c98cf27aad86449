import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { Answered } from './service-on-database.ts';

/** Calls a route of the function history as an HTTP API does, payload 2.0. */
export async function callHistory(
  handler: LambdaHandler,
  path: '/v1/transactions' | '/v1/usage/history' | '/v1/summary',
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered & { readonly headers: Readonly<Record<string, unknown>> }> {
  const event = {
    version: '2.0',
    routeKey: `GET ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers,
    requestContext: { http: { method: 'GET', path } },
    isBase64Encoded: false,
  };
  const reply = await handler(event, { awsRequestId: 'request-1' });
  if (typeof reply.body !== 'string') throw new Error('an answer over HTTP has a text');
  const body = JSON.parse(reply.body) as Answered['body']; // an answer is an object
  const given = reply.headers as Readonly<Record<string, unknown>>; // of a reply over HTTP
  return { status: Number(reply.statusCode), headers: given, body };
}
