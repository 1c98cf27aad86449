import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { addressThrough, urlOf } from './given-server.ts';

/** A way to the database that can lose an answer, or pass it on late. */
export type BreakingProxy = {
  /** The database's address through the proxy. */
  readonly uri: string;
  /**
   * Lets the next requests reach the server and breaks their connections instead of passing the
   * answer on, so many times.
   */
  loseAnswers(count: number): void;
  /** How many answers were lost so far. */
  lostCount(): number;
  /** Keeps back the answer to the next request that passes after so many, for a time. */
  delayAnswer(after: number, delayMs: number): void;
  /** Whether an answer was kept back since, and has been passed on by now. */
  delayed(): { readonly isKept: boolean; readonly isPassedOn: boolean };
  stop(): void;
};

/** How long after a request its answer is certainly there. */
const PATIENCE_MS = 50;

/**
 * Starts a proxy before the database.
 *
 * A broken connection is what a client sees when a server crashes or a network fails after the
 * write: it cannot know whether the write happened.
 *
 * @param name a text in the requests that may lose their answer; others pass unharmed
 */
export async function startBreakingProxy(
  databaseUri: string,
  name: string,
): Promise<BreakingProxy> {
  const target = urlOf(databaseUri);
  const sockets = new Set<Socket>();
  let toLose = 0;
  let lost = 0;
  let delay = { after: Infinity, delayMs: 0 };
  let kept = { isKept: false, isPassedOn: false };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isLosing = false;
    let delayMs: number | undefined;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (toLose > 0 && chunk.includes(name)) {
        toLose -= 1;
        isLosing = true;
      }
      if (chunk.includes(name)) {
        if (delay.after === 0) {
          ({ delayMs } = delay);
          kept = { isKept: true, isPassedOn: false };
        }
        delay = { ...delay, after: delay.after - 1 };
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (delayMs !== undefined) {
        setTimeout(() => {
          client.write(chunk);
          kept = { isKept: true, isPassedOn: true };
        }, delayMs);
        return;
      }
      if (!isLosing) {
        client.write(chunk);
        return;
      }
      lost += 1;
      setTimeout(() => client.destroy(), PATIENCE_MS);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    uri: `${addressThrough(databaseUri, port)}&retryWrites=true`,
    loseAnswers(count) {
      toLose = count;
    },
    lostCount: () => lost,
    delayAnswer(after, delayMs) {
      delay = { after, delayMs };
      kept = { isKept: false, isPassedOn: false };
    },
    delayed: () => kept,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
