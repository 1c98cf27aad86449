import { ownField } from './mistakes.ts';

/** The first line of a request as it is signed. */
export type RequestLine = { readonly method: string; readonly target: string };

/**
 * Works out a request's method and target from API Gateway's event, payload 2.0 or 1.0.
 *
 * The path is the route's, `/v1/check`, whatever a stage or a domain puts before it, with each
 * parameter as `encodeURIComponent` writes it: so it says what the function works with, while `rawPath`
 * is decoded by HTTP APIs, encoded by function URLs, and decoded twice would be another order's.
 * A call without a route, as of a function URL, has its raw path. The query is as `URLSearchParams`
 * writes it, for what passes it on may write it again.
 * Source: API Gateway developer guide, "Create AWS Lambda proxy integrations for HTTP APIs".
 */
export function readRequestLine(event: unknown): RequestLine {
  const http = ownField(ownField(event, 'requestContext'), 'http');
  const method = textOf(ownField(http, 'method') ?? ownField(event, 'httpMethod'));
  const query = readQuery(event).toString();
  return { method, target: `${pathOf(event)}${query === '' ? '' : `?${query}`}` };
}

function pathOf(event: unknown): string {
  const [, routePath] = textOf(ownField(event, 'routeKey')).split(' ');
  const template = routePath ?? ownField(event, 'resource');
  if (typeof template !== 'string') return textOf(ownField(event, 'rawPath'));
  const parameters = ownField(event, 'pathParameters');
  return template.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
    // A text that is no UTF-16 cannot be written; nobody signed it, and nothing is called so.
    const text = Buffer.from(textOf(ownField(parameters, name)), 'utf8').toString('utf8');
    return encodeURIComponent(text);
  });
}

/** Reads the query, decoded. Payload 1.0 has it in parts only. */
export function readQuery(event: unknown): URLSearchParams {
  const raw = ownField(event, 'rawQueryString');
  if (typeof raw === 'string') return new URLSearchParams(raw);
  const parts = ownField(event, 'multiValueQueryStringParameters');
  if (typeof parts !== 'object' || parts === null) return new URLSearchParams();
  const pairs = Object.entries(parts).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value): [string, string] => [
      name,
      textOf(value),
    ]),
  );
  return new URLSearchParams(pairs);
}

/** Gives a header of a call, whose names have no case; undefined where there is none. */
export function readHeader(headers: unknown, name: string): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const own = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase());
  return own === undefined ? undefined : ownField(headers, own);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
