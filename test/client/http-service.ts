import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Handlers } from '../support/handlers.ts';
import { listening } from '../support/listening.ts';

/** The fate of one request before or after the functions. */
export type Fault =
  /** It is cut off before it reaches a function. */
  | 'request-lost'
  /** The function does its work, and the answer is cut off. */
  | 'answer-lost'
  /** The function does its work, and half of the answer comes. */
  | 'half-lost'
  /** It is never answered, and reaches no function. */
  | 'silent'
  /** Its answer begins at once, and a byte more comes every 100 ms, for ever. */
  | 'slow'
  /** Its answer is as fast as can be, and never ends. */
  | 'endless'
  /** Something before the functions answers. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

/** A request as it arrived. */
export type Arrived = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
};

/** The real handlers behind HTTP, as an HTTP API of API Gateway puts them there. */
export type HttpService = {
  /** With a stage, which routes do not have. */
  readonly url: string;
  /** Everything that arrived, in order. */
  readonly arrived: Arrived[];
  /** The fate of the next requests, one each; those after them pass. */
  readonly faults: Fault[];
  /** Paths of which every request is lost, such as `/v1/confirm`. */
  readonly lost: Set<string>;
  stop(): Promise<void>;
};

type Request = Omit<Arrived, 'atMs'>;
type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** Starts a server on whose way each request has the fate that is said of its URL. */
export async function startFaultyServer(
  fateOf: (url: string) => Fault | undefined,
  answerTo: (request: Request) => Promise<Answer>,
): Promise<Pick<HttpService, 'url' | 'arrived' | 'stop'>> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    arrived.push({ method, url, headers, body, atMs: performance.now() });
    const fault = fateOf(url);
    if (fault === 'silent') return;
    if (fault === 'request-lost') return void request.socket.destroy();
    if (fault === 'slow' || fault === 'endless') return foreverTo(response, fault);
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const answer = await answerTo({ method, url, headers, body });
    if (fault === 'answer-lost') return void request.socket.destroy();
    response.writeHead(answer.status, answer.headers);
    if (fault !== 'half-lost') return void response.end(answer.body);
    const half = String(answer.body).slice(0, 20);
    response.write(half, () => request.socket.destroy());
  };
  return {
    url: `http://127.0.0.1:${await listening(server)}`,
    arrived,
    async stop() {
      server.close();
      server.closeAllConnections();
      await delay(0);
    },
  };
}

/** Answers until the caller goes. */
async function foreverTo(response: ServerResponse, fault: 'slow' | 'endless'): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  const [bytes, pauseMs] = fault === 'slow' ? [1, 100] : [100_000, 0];
  while (!response.destroyed) {
    response.write(' '.repeat(bytes));
    await delay(pauseMs);
  }
}

const STAGE = '/prod';

/** Puts handlers behind a server of this machine. */
export async function startHttpService(handlers: Partial<Handlers>): Promise<HttpService> {
  const faults: Fault[] = [];
  const lost = new Set<string>();
  const server = await startFaultyServer(
    (url) => (lost.has(url.slice(STAGE.length)) ? 'request-lost' : faults.shift()),
    async (request) => {
      const { statusCode, headers, body } = await answerOf(handlers, request);
      return { status: Number(statusCode), headers: headers as Answer['headers'], body };
    },
  );
  return { ...server, url: `${server.url}${STAGE}`, faults, lost };
}

const TERMS = '/v1/subjects/{kind}/{id}';
/** Routes with something in their path; all others are the path itself. */
const TEMPLATES = [
  '/v1/transactions/{orderId}',
  `${TERMS}/terms`,
  `${TERMS}/changes`,
  `${TERMS}/freeze`,
  `${TERMS}/overrides/{rule}`,
  '/v1/proposals/{id}',
  '/v1/proposals/{id}/approve',
  '/v1/proposals/{id}/reject',
  '/v1/backtests/{id}',
  '/v1/backtests/{id}/orders',
  '/v1/rules/{id}',
  '/v1/rules/{id}/versions',
] as const;

type Route = { readonly route: string; readonly parameters?: Readonly<Record<string, string>> };

/** The route of a path, and what stands in it, decoded. */
function routeOf(path: string): Route {
  const parts = path.split('/');
  for (const route of TEMPLATES) {
    const names = route.split('/');
    const isOf = names.every((name, index) => name.startsWith('{') || name === parts[index]);
    if (!isOf || names.length !== parts.length || parts.includes('', 1)) continue;
    const given = names.flatMap((name, index): [string, string][] =>
      name.startsWith('{') ? [[name.slice(1, -1), decodeURIComponent(parts[index] ?? '')]] : [],
    );
    return { route, parameters: Object.fromEntries(given) };
  }
  return { route: path };
}

/** Functions whose routes all have something in their path, those that have routes of both kinds, and others. */
const OF_TEMPLATES: ReadonlySet<string> = new Set(['status', 'subjects']);
const OF_BOTH: ReadonlySet<string> = new Set(['rules', 'proposals', 'backtests']);
/** Functions that their paths do not name. */
const OTHERWISE_NAMED: Readonly<Record<string, string>> = {
  transactions: 'status',
  caller: 'proposals',
};
const OF_HISTORY: ReadonlySet<string> = new Set([
  '/v1/transactions',
  '/v1/usage/history',
  '/v1/summary',
]);

function answerOf(handlers: Partial<Handlers>, request: Request) {
  const [path = '', query = ''] = request.url.slice(STAGE.length).split('?');
  const found = routeOf(path);
  const [, call = '', ...more] = found.route.split('/').slice(1);
  const isHistory = OF_HISTORY.has(found.route);
  const name = isHistory ? 'history' : (OTHERWISE_NAMED[call] ?? call);
  const isTemplate = found.parameters !== undefined;
  // Its own, and a handler by its name.
  const handler = Object.hasOwn(handlers, name) ? handlers[name as keyof Handlers] : undefined;
  const isKnown =
    handler !== undefined &&
    (isHistory || OF_BOTH.has(name) || isTemplate === OF_TEMPLATES.has(name)) &&
    (isHistory || isTemplate || more.length === 0);
  if (!isKnown) return { statusCode: 404, headers: {}, body: '{"message":"Not Found"}' };
  return handler(eventOf(request, path, query, found), { awsRequestId: 'request-1' });
}

/** An event of payload 2.0: the path is decoded, the stage is no part of the route. */
function eventOf(
  { method, headers, body }: Request,
  path: string,
  query: string,
  { route, parameters }: Route,
): object {
  return {
    version: '2.0',
    routeKey: `${method} ${route}`,
    rawPath: decodeURIComponent(path),
    rawQueryString: query,
    headers,
    requestContext: { http: { method, path } },
    ...(parameters === undefined ? {} : { pathParameters: parameters }),
    ...(method === 'GET' ? {} : { body, isBase64Encoded: false }),
  };
}
