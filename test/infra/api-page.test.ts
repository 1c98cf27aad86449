import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_PAGE_PATHS, apiPageFile, serveApiPage } from '../../infra/local/api-page.ts';

type Server = Parameters<typeof serveApiPage>[0] & {
  readonly info: { readonly uri: string };
  start(): Promise<void>;
  stop(): Promise<void>;
};
// The server that serverless-offline runs the functions on; it has no types here.
const offline = createRequire(import.meta.resolve('serverless-offline'));
const hapi = offline('@hapi/hapi') as {
  server(options: { readonly port: number; readonly host: string }): Server;
};

describe('the page of the calls', () => {
  const server = hapi.server({ port: 0, host: '127.0.0.1' });
  const get = (path: string): Promise<Response> => fetch(`${server.info.uri}${path}`);
  beforeAll(async () => {
    serveApiPage(server);
    await server.start();
  });
  afterAll(() => server.stop());

  it('has the description, whose calls go to the server that it comes from', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      openapi: '3.1.1',
      servers: [{ url: '/' }],
      paths: { '/v1/check': {} },
    });
  });

  it('needs nothing from anywhere else', async () => {
    const page = await (await get('/openapi')).text();
    const needed = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
    const own = needed.filter((address) => address !== 'data:,');
    expect(own).toHaveLength(3);
    for (const path of own) {
      expect(API_PAGE_PATHS).toContain(path);
      expect((await get(path)).status).toBe(200);
    }
    const script = await (await get('/openapi/page.js')).text();
    expect(script).toContain("url: '/openapi.json'");
    expect(script).toContain('validatorUrl: null');
  });

  it('is nothing else: no file of this machine', async () => {
    for (const path of ['/openapi/', '/openapi/package.json', '/openapi/../package.json']) {
      expect(apiPageFile(path)).toBeUndefined();
      expect((await get(path)).status).toBe(404);
    }
  });
});
