import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { OWN_WRITES } from '../../../lib/mongo/client.ts';
import { endOf, startProgram, urlOf } from '../../../test/infra/start-program.ts';
import type { Program } from '../../../test/infra/start-program.ts';
import { listening } from '../../../test/support/listening.ts';
import { APPS_KEY_TEXT } from '../../../test/support/signed-call.ts';
import type {} from '../../../test/support/global-setup.ts';
import { built, launch } from './browser.ts';

/*
 * The worked example of docs/console.md, whole: a provider of OpenID Connect, oauth2-proxy as
 * examples/console configures it, `headroom console`, and a deployment whose calls are signed.
 */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const EXAMPLE = join(ROOT, 'examples', 'console');
const VERSION = 'v7.15.6';
const MINUTES = 900_000;
const JANE = 'jane@example.com';

const go = (...words: readonly string[]) => spawnSync('go', words, { encoding: 'utf8' });
/** The proxy is a program in Go; where there is no Go, this test says so. */
const HAS_GO = go('version').status === 0;

it(`oauth2-proxy is the one that is tried, ${VERSION}; Go is ${HAS_GO ? 'here' : 'not here, so nothing is signed in'}`, () => {
  const compose = readFileSync(join(EXAMPLE, 'compose.yaml'), 'utf8');
  const { services } = parse(compose) as {
    readonly services: { readonly login: { image: string } };
  };
  expect(services.login.image).toBe(`quay.io/oauth2-proxy/oauth2-proxy:${VERSION}`);
});

/** Builds the proxy once for each version. */
function proxyProgram(): string {
  const folder = join(ROOT, 'node_modules', '.cache', 'headroom', `oauth2-proxy-${VERSION}`);
  const program = join(folder, 'oauth2-proxy');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const made = spawnSync('go', ['install', `github.com/oauth2-proxy/oauth2-proxy/v7@${VERSION}`], {
    encoding: 'utf8',
    env: { ...process.env, GOBIN: folder },
  });
  if (made.status !== 0) throw new Error(made.stderr);
  return program;
}

const children: ChildProcess[] = [];

/** Starts a program, and waits until it prints what a pattern finds. */
async function started(
  program: string,
  words: readonly string[],
  pattern: RegExp,
  set: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program, words, { cwd: ROOT, env: { ...process.env, ...set } });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  for (;;) {
    const [, found] = pattern.exec(output) ?? [];
    if (found !== undefined) return found;
    if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
    await delay(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  return port;
}

describe.runIf(HAS_GO)('the console behind a login', () => {
  const databaseName = `login-${randomUUID().slice(0, 8)}`;
  let program: Program;
  let browser: Browser;
  /** Where people go. */
  let url: string;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    await built();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    program = startProgram({
      ...{ MONGODB_URI: inject('mongodbUri'), MONGODB_DATABASE: databaseName },
      ...{ AUTH: 'hmac', APPS_KEY: APPS_KEY_TEXT, REPLAY: 'refuse' },
    });
    const deployment = await urlOf(program);
    const [secret = ''] = /hrs_[\w-]+/.exec(program.output()) ?? [];
    const redirect = `${url}/oauth2/callback`;
    const client = { id: 'headroom-console', secret: randomBytes(16).toString('hex') };
    const [issuer, gateway, launched] = await Promise.all([
      started(
        process.execPath,
        [join(import.meta.dirname, 'oidc-provider.mjs'), client.id, client.secret, redirect],
        /issuer (\S+)/,
      ),
      started(
        process.execPath,
        [
          'bin/headroom.mjs',
          'console',
          '--url',
          deployment,
          '--port',
          '0',
          ...['--person-header', 'X-Forwarded-Email', '--at', url],
        ],
        /leads to (\S+)/,
        { HEADROOM_APP_ID: 'sample', HEADROOM_SECRET: secret },
      ),
      launch(),
    ]);
    browser = launched;
    // Only what is of this machine differs from the example: addresses, and that nothing ends TLS.
    await started(
      proxyProgram(),
      [
        ...['--config', join(EXAMPLE, 'oauth2-proxy.cfg')],
        ...['--oidc-issuer-url', issuer, '--redirect-url', redirect],
        ...['--http-address', `127.0.0.1:${port}`, '--upstream', gateway],
        '--cookie-secure=false',
      ],
      /(listening on|mapping path)/i,
      {
        OAUTH2_PROXY_CLIENT_SECRET: client.secret,
        OAUTH2_PROXY_COOKIE_SECRET: randomBytes(32).toString('base64url'),
      },
    );
  }, MINUTES);
  afterAll(async () => {
    await browser.close();
    for (const child of children) child.kill('SIGTERM');
    await endOf(program, (pid) => process.kill(pid, 'SIGINT'));
    const client = new MongoClient(inject('mongodbUri'), OWN_WRITES);
    await client.db(databaseName).dropDatabase();
    await client.close();
  }, MINUTES);
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en' });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
  });
  afterEach(() => context.close());

  /** Signs in at the provider's own pages, and comes back. */
  async function signIn(person: string): Promise<void> {
    await page.goto(`${url}/`);
    await page.locator('input[name=login]').fill(person);
    await page.locator('input[name=password]').fill('whatever');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: /continue/i }).click();
    await page.waitForURL(`${url}/console/**`);
  }

  /** Calls the API as the console's page does, with its cookie. */
  const asked = (path: string, init: RequestInit = {}) =>
    page.evaluate(
      async ([target, options]) => {
        const response = await fetch(target, options);
        return { status: response.status, body: (await response.json()) as unknown };
      },
      [path, init] as const,
    );

  it('lets in a person who signs in, and Headroom knows who it is, whatever the page says', async () => {
    await signIn(JANE);
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText(JANE).first().waitFor();
    const put = {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        'x-actor': 'boss@example.com',
        'x-forwarded-email': 'boss@example.com',
      },
      body: JSON.stringify({ reason: 'stolen card' }),
    };
    expect(await asked('/v1/subjects/user/u-1/freeze', put)).toMatchObject({ status: 200 });
    expect(await asked('/v1/subjects/user/u-1/changes?limit=1')).toMatchObject({
      body: { changes: [{ by: { kind: 'application', id: 'sample', person: JANE } }] },
    });
  });

  it('lets in nobody from elsewhere', async () => {
    await page.goto(`${url}/`);
    await page.locator('input[name=login]').fill('eve@evil.example');
    await page.locator('input[name=password]').fill('whatever');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: /continue/i }).click();
    await page.getByText('403').first().waitFor();
  });

  it('answers 401 where nobody is signed in, whoever a header names', async () => {
    for (const headers of [{}, { 'x-forwarded-email': JANE }, { 'x-actor': JANE }])
      expect((await fetch(`${url}/v1/caller`, { headers, redirect: 'manual' })).status).toBe(401);
  });

  it('takes no call of another site, though the cookie comes with it', async () => {
    await signIn(JANE);
    const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`);
    expect(
      (await context.cookies()).every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax'),
    ).toBe(true);
    const call = (headers: Readonly<Record<string, string>>) =>
      fetch(`${url}/v1/caller`, { headers: { cookie: cookies.join('; '), ...headers } });
    expect((await call({})).status).toBe(200);
    expect((await call({ origin: 'https://evil.example' })).status).toBe(403);
  });

  it('says that the session has ended, and offers to sign in again', async () => {
    await signIn(JANE);
    await page.getByRole('link', { name: 'Rules' }).waitFor();
    await context.clearCookies();
    await page.goto(`${url}/console/#/subject?kind=user&id=u-1`); // of the same page, which loads nothing
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.locator('input[name=login]').waitFor();
  });
});
