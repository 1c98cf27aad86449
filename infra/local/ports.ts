import { createServer, type AddressInfo } from 'node:net';

/** The only address that anything here listens on: this machine, nobody else's. */
export const LOCALHOST = '127.0.0.1';

/**
 * Listens on a port for a moment.
 *
 * @param port 0 for any free one
 * @returns the port, or undefined when somebody else listens there
 */
export function probePort(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(port, LOCALHOST, () => {
      // A TCP server's address is an object; only a pipe's is text.
      const { port: found } = server.address() as AddressInfo;
      server.close(() => {
        resolve(found);
      });
    });
  });
}
