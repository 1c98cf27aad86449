import { createServer, request as send } from 'node:http';
import { listening } from './listening.ts';

/** A way to `npm start` by which each call has an instant: no test then depends on the hour. */
export type GivenClock = {
  /** Where calls go, without a slash at the end. */
  readonly url: string;
  stop(): void;
};

/** How much later each call is than the one before: rows have an order, and no window ends meanwhile. */
const STEP_MS = 10;

/**
 * Hands on every request, with an instant for each that says none.
 *
 * @param target where `npm start` answers
 * @param startsAt instant of the first call
 */
export async function startGivenClock(target: string, startsAt: Date): Promise<GivenClock> {
  let nowMs = startsAt.getTime();
  const server = createServer((request, response) => {
    nowMs += STEP_MS;
    const headers = { 'x-headroom-now': new Date(nowMs).toISOString(), ...request.headers };
    const { method, url = '' } = request;
    const sent = send(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    // A caller must see that there is no answer, as it would without this.
    sent.once('error', () => response.destroy());
    response.once('close', () => sent.destroy());
    request.pipe(sent);
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
