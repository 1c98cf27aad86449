import type { Fault, HttpService } from './http-service.ts';
import { startFaultyServer } from './http-service.ts';

/** A way to a server on which requests and answers go wrong. */
export type FaultyWay = Pick<HttpService, 'url' | 'arrived' | 'stop'> & {
  /** The fate of the next requests to each path, one each; those after them pass. */
  readonly faults: Map<string, Fault[]>;
};

/** The headers that the server is to see; all others are of one connection. */
const PASSED = ['content-type', 'content-digest', 'signature-input', 'signature'];

/** Opens a way to a server of this machine. */
export async function openFaultyWay(server: string): Promise<FaultyWay> {
  const faults = new Map<string, Fault[]>();
  const way = await startFaultyServer(
    (url) => faults.get(url)?.shift(),
    async ({ method, url, headers, body }) => {
      const passed = PASSED.flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value] as const] : [];
      });
      const answer = await fetch(`${server}${url}`, {
        method,
        headers: Object.fromEntries(passed),
        ...(method === 'GET' ? {} : { body }),
      });
      const type = answer.headers.get('content-type') ?? 'application/json';
      const text = await answer.text();
      return { status: answer.status, headers: { 'content-type': type }, body: text };
    },
  );
  return { ...way, faults };
}
