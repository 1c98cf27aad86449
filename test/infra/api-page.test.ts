import { describe, expect, it } from 'vitest';
import { API_PAGE_PATHS, apiPageFile, serveApiPage } from '../../infra/local/api-page.ts';
import { useLocalServer } from './local-server.ts';

describe('the page of the calls', () => {
  const get = useLocalServer(serveApiPage);

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
