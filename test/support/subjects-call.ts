import type { LambdaHandler } from '../../lib/edge/handler.ts';
import type { RulesAnswer } from './rules-call.ts';

/** A call of a subject's terms as a caller sends it. */
export type SubjectsCall = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: 'terms' | 'changes' | 'overrides' | 'freeze';
  /** Not encoded. */
  readonly kind?: string;
  readonly id?: string;
  readonly rule?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The event that an HTTP API makes of a call, payload 2.0. */
export function subjectsEvent(call: SubjectsCall): object {
  const { method, path, kind = 'user', id = 'u-1', rule, query = '', body, headers } = call;
  const last = path === 'overrides' ? 'overrides/{rule}' : path;
  const route = `/v1/subjects/{kind}/{id}/${last}`;
  const names = { kind, id, ...(rule === undefined ? {} : { rule }) };
  const rawPath = route.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof names) =>
    encodeURIComponent(names[name] ?? ''),
  );
  return {
    version: '2.0',
    routeKey: `${method} ${route}`,
    rawPath,
    rawQueryString: query,
    headers: { 'content-type': 'application/json', ...headers },
    requestContext: { http: { method, path: rawPath } },
    pathParameters: names,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

/** Sends a call to the function of subjects' terms. */
export async function callSubjects(
  handler: LambdaHandler,
  call: SubjectsCall,
): Promise<Omit<RulesAnswer, 'etag'>> {
  const reply = await handler(subjectsEvent(call), { awsRequestId: 'request-1' });
  if (typeof reply.body !== 'string') throw new Error('an answer over HTTP has a text');
  const body = JSON.parse(reply.body) as RulesAnswer['body']; // an answer is an object
  return { status: Number(reply.statusCode), body };
}
