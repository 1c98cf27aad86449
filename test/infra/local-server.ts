import { createRequire } from 'node:module';
import { afterAll, beforeAll } from 'vitest';
import type { serveApiPage } from '../../infra/local/api-page.ts';

type Server = Parameters<typeof serveApiPage>[0] & {
  readonly info: { readonly uri: string };
  start(): Promise<void>;
  stop(): Promise<void>;
};
// The server that serverless-offline runs the functions on; it has no types here.
const offline = createRequire(import.meta.resolve('serverless-offline'));
const hapi = offline('@hapi/hapi') as { server(options: object): Server };

/** Serves pages while a test file runs; what is given fetches a path, and follows no redirect. */
export function useLocalServer(serve: (server: Server) => void, options: object = {}) {
  const server = hapi.server({ port: 0, host: '127.0.0.1', ...options });
  beforeAll(async () => {
    serve(server);
    await server.start();
  });
  afterAll(() => server.stop());
  return (path: string): Promise<Response> =>
    fetch(`${server.info.uri}${path}`, { redirect: 'manual' });
}
