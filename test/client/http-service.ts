import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Handlers } from '../support/handlers.ts';

/** What becomes of one request before or after the functions. */
export type Fault =
  /** It is cut off before it reaches a function. */
  | 'request-lost'
  /** The function does its work, and the answer is cut off. */
  | 'answer-lost'
  /** It is never answered, and reaches no function. */
  | 'silent'
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
  /** What becomes of the next requests, one each; those after them pass. */
  readonly faults: Fault[];
  stop(): Promise<void>;
};

const STAGE = '/prod';

/** Puts handlers behind a server of this machine. */
export async function startHttpService(handlers: Handlers): Promise<HttpService> {
  const arrived: Arrived[] = [];
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    arrived.push({ method, url, headers, body, atMs: performance.now() });
    const fault = faults.shift();
    if (fault === 'silent') return;
    if (fault === 'request-lost') return void request.socket.destroy();
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const reply = await answerOf(handlers, { method, url, headers, body });
    if (fault === 'answer-lost') return void request.socket.destroy();
    response.writeHead(Number(reply.statusCode), reply.headers as Record<string, string>);
    response.end(reply.body);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}${STAGE}`,
    arrived,
    faults,
    async stop() {
      server.close();
      server.closeAllConnections();
      await delay(0);
    },
  };
}

type Request = Omit<Arrived, 'atMs'>;

function answerOf(handlers: Handlers, request: Request) {
  const [path = '', query = ''] = request.url.slice(STAGE.length).split('?');
  const [, call = '', orderId] = /^\/v1\/(\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const name = call === 'transactions' ? 'status' : call;
  const isKnown = Object.hasOwn(handlers, name) && (name === 'status') === (orderId !== undefined);
  if (!isKnown) return { statusCode: 404, headers: {}, body: '{"message":"Not Found"}' };
  const handler = handlers[name as keyof Handlers]; // as isKnown says
  return handler(eventOf(request, path, query, orderId), { awsRequestId: 'request-1' });
}

/** An event of payload 2.0: the path is decoded, the stage is no part of the route. */
function eventOf(
  { method, headers, body }: Request,
  path: string,
  query: string,
  orderId?: string,
): object {
  const route = orderId === undefined ? path : '/v1/transactions/{orderId}';
  return {
    version: '2.0',
    routeKey: `${method} ${route}`,
    rawPath: decodeURIComponent(path),
    rawQueryString: query,
    headers,
    requestContext: { http: { method, path } },
    ...(orderId === undefined
      ? { body, isBase64Encoded: false }
      : { pathParameters: { orderId: decodeURIComponent(orderId) } }),
  };
}
