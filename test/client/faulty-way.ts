import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Arrived, Fault } from './http-service.ts';

/** A way to a server on which requests and answers go wrong. */
export type FaultyWay = {
  readonly url: string;
  /** Everything that arrived, in order. */
  readonly arrived: Arrived[];
  /** The fate of the next requests to each path, one each; those after them pass. */
  readonly faults: Map<string, Fault[]>;
  stop(): void;
};

/** The headers that the server is to see; all others are of one connection. */
const PASSED = ['content-type', 'x-app-id', 'x-timestamp', 'x-signature'];

/** Opens a way to a server of this machine. */
export async function openFaultyWay(server: string): Promise<FaultyWay> {
  const arrived: Arrived[] = [];
  const faults = new Map<string, Fault[]>();
  const way = createServer((request, response) => {
    void pass(request, response);
  });
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    arrived.push({ method, url, headers, body, atMs: performance.now() });
    const fault = faults.get(url)?.shift();
    if (fault === 'silent') return;
    if (fault === 'request-lost') return void request.socket.destroy();
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const passed = PASSED.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = await fetch(`${server}${url}`, {
      method,
      headers: Object.fromEntries(passed),
      ...(method === 'GET' ? {} : { body }),
    });
    const answered = await answer.text();
    if (fault === 'answer-lost') return void request.socket.destroy();
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(answered);
  };
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  const { port } = way.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    faults,
    stop() {
      way.close();
      way.closeAllConnections();
    },
  };
}
