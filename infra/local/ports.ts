import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The only address that anything here listens on: this machine, nobody else's. */
export const LOCALHOST = '127.0.0.1';

/** Below those that systems give to outgoing connections: one of these could take a port before it is used. */
const [FREE_FROM, FREE_BEYOND] = [20_000, 32_768];
const TRIES_MAX = 100;

/**
 * Listens on a port for a moment.
 *
 * @param port 0 for any free one
 * @returns the port, or undefined when somebody else listens there
 */
export async function probePort(port: number): Promise<number | undefined> {
  if (port !== 0) return (await isFree(port)) ? port : undefined;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = randomInt(FREE_FROM, FREE_BEYOND);
    if (await isFree(found)) return found;
  }
  return undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, LOCALHOST, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
