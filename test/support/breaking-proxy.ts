import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to the database that can lose an answer. */
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
  const target = new URL(databaseUri.replace(/^mongodb:/, 'http:'));
  const sockets = new Set<Socket>();
  let toLose = 0;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isLosing = false;
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
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
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
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true&retryWrites=true`,
    loseAnswers(count) {
      toLose = count;
    },
    lostCount: () => lost,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
