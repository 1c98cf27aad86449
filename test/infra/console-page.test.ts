import { mkdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleFile, consoleFolder } from '../../infra/local/console-files.ts';
import { serveConsole } from '../../infra/local/console-page.ts';
import { useFolder } from '../support/folder.ts';
import { useLocalServer } from './local-server.ts';

const folder = useFolder();
beforeAll(() => {
  mkdirSync(folder.path('assets'));
  folder.write('index.html', '<title>Headroom</title>');
  folder.write('assets/index-1.js', 'export {};');
  folder.write('secret.txt', 'no file of the console');
});

describe('the console, as npm start serves it', () => {
  const get = useLocalServer(
    (server) => {
      serveConsole(server, folder.path(''), undefined);
    },
    { router: { stripTrailingSlash: true } },
  );

  it('is a page below /console/, to which the address without a slash leads', async () => {
    expect((await get('/console')).headers.get('location')).toBe('/console/');
    const page = await get('/console/');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Headroom');
  });

  it('admits its own scripts and styles, and calls its own API alone', async () => {
    for (const path of ['/console/', '/console/assets/index-1.js', '/console/console.json']) {
      const policy = (await get(path)).headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).toContain("connect-src 'self'");
      expect(policy).not.toMatch(/unsafe|data:|https:/);
    }
  });

  it('sets no cookie', async () => {
    expect((await get('/console/')).headers.get('set-cookie')).toBeNull();
  });

  it.each([
    'secret.txt',
    '..%2Fpackage.json',
    'assets/..%2Fsecret.txt',
    'assets/none.js',
    'a/b/c.js',
  ])('has no file %s', async (name) => {
    expect((await get(`/console/${name}`)).status).toBe(404);
  });

  it('asks for a name where calls are not signed', async () => {
    expect(await (await get('/console/console.json')).json()).toEqual({ api: '/', signIn: 'name' });
  });
});

describe('where calls are signed', () => {
  const app = { id: 'sample', secret: 's' };
  const get = useLocalServer((server) => {
    serveConsole(server, folder.path(''), app);
  });

  it('the application of this start signs those of the console', async () => {
    const setup = await (await get('/console/console.json')).json();
    expect(setup).toEqual({ api: '/', signIn: 'name', app });
  });
});

describe('while it is not built', () => {
  it('its page says so, and comes again by itself', () => {
    const unbuilt = folder.path('unbuilt');
    expect(consoleFile(unbuilt, '', {})).toMatchObject({ status: 503 });
    expect(String(consoleFile(unbuilt, '', {})?.body)).toContain('http-equiv="refresh"');
    expect(consoleFile(unbuilt, 'assets/index-1.js', {})).toBeUndefined();
  });

  it('its place is named by its sources', () => {
    expect(consoleFolder()).toMatch(/console-[0-9a-f]{16}$/);
    expect(consoleFolder()).toBe(consoleFolder());
  });
});
