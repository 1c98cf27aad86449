import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Names of this machine, from itself and from its containers. A port may be one that is forwarded. */
export const OWN_HOST =
  /^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\]|host\.(docker|containers)\.internal)(:\d+)?$/i;

/** A target with the host in it, as it is sent to a proxy (RFC 9112, 3.2.2): the host, and the rest. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Headers that a request has once. Node takes the first Host of two (RFC 9112, 3.2: it must be refused). */
const SINGLE = ['Host', 'X-Actor'] as const;

const EVENTS = ['request', 'checkContinue'] as const;

/**
 * Has every HTTP server of this process refuse what a web site sends through a browser of this machine:
 * nobody signs here, and a simple POST needs nobody's leave. A request of its own page, and one without
 * `Origin`, is let in; a name that somebody else has pointed at this machine is not.
 *
 * Source: Fetch standard, "Origin header"; MDN, "Simple requests".
 */
export function refuseForeignCallers(): void {
  const guarded = new WeakSet<Server>();
  // It comes before the request does, of each server: that of direct invocations is handed to nobody.
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { readonly server: Server }; // Node documentation, "Diagnostics Channel"
    if (guarded.has(server)) return;
    guarded.add(server);
    guard(server);
  });
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function guard(server: Server): void {
  for (const event of EVENTS) {
    const listeners = server.listeners(event) as Listener[]; // of these two events
    server.removeAllListeners(event);
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      const { url = '', rawHeaders } = request;
      const twice = SINGLE.find((name) => linesOf(rawHeaders, name) > 1);
      if (twice !== undefined) {
        refuse(
          response,
          400,
          `${twice} is sent twice, expected once: nobody can tell which one is meant.`,
        );
        return;
      }
      const [, host = request.headers.host, rest = url] = ABSOLUTE.exec(url) ?? [];
      const foreign = foreignIn(host, request.headers.origin);
      if (foreign !== undefined) {
        refuse(response, 403, foreign);
        return;
      }
      request.url = rest.startsWith('/') ? rest : `/${rest}`; // `*`, say, is a path that is not there
      for (const listener of listeners) listener.call(server, request, response);
    });
  }
}

/** In how many lines a header was sent: names and values stand in turns. */
export function linesOf(rawHeaders: readonly string[], name: string): number {
  const isNamed = (text: string, index: number): boolean =>
    index % 2 === 0 && text.toLowerCase() === name.toLowerCase();
  return rawHeaders.filter(isNamed).length;
}

/** Names the foreign part of a request, in a sentence; undefined where there is none. */
function foreignIn(host: string | undefined, origin: string | undefined): string | undefined {
  if (host !== undefined && !OWN_HOST.test(host))
    return `Host is ${JSON.stringify(host)}, expected 127.0.0.1 or localhost: npm start answers only this machine.`;
  if (origin === undefined || origin.toLowerCase() === `http://${host ?? ''}`.toLowerCase())
    return undefined;
  return `Origin is ${JSON.stringify(origin)}, expected none, or the page of these calls: npm start answers no other web site.`;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const headers = { 'Content-Type': 'application/json', Connection: 'close' };
  response.writeHead(status, headers).end(`${JSON.stringify({ message })}\n`);
}
