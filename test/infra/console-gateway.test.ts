import type { Server } from 'node:http';
import { request } from 'node:http';
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forwardTo, readBody, RETURNED } from '../../infra/console/forward.ts';
import { createGateway } from '../../infra/console/gateway.ts';
import { type Person, readAddress, readPerson } from '../../infra/console/person.ts';
import type { Application } from '../../packages/client/src/index.ts';
import { createSigner } from '../../packages/client/src/signing.ts';
import { OPERATIONS, RIGHTS } from '../../contract/calls.ts';
import { useHttpService } from '../client/fixture.ts';
import { OPERATIONS as DESCRIBED } from '../openapi/contract.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { handlersOf } from '../support/handlers.ts';
import { listening } from '../support/listening.ts';
import { addApplication, signedServiceOn } from '../support/signed-call.ts';
import { replaceRules, USER_DAY } from '../support/stored-rules.ts';

const JANE = 'jane@example.com';
const database = useDatabase();
const folder = useFolder();
const service = useHttpService(database, () =>
  Promise.resolve(handlersOf(signedServiceOn(database, { REPLAY: 'refuse' }).service)),
);
const servers: Server[] = [];

/** A console of the deployment, on a free port. */
async function gatewayFor(person: Person, app?: Application, aheadMs = 0): Promise<string> {
  const rights = [OPERATIONS, RIGHTS] as const;
  const signing = app ?? (await addApplication(database, `desk-${servers.length}`, ...rights));
  const server = createGateway({
    folder: folder.path(''),
    person,
    forward: forwardTo(
      service.url,
      createSigner(signing, () => Date.now() + aheadMs),
      fetch,
    ),
    report: (line) => told.push(line),
  });
  servers.push(server);
  return `http://127.0.0.1:${await listening(server)}`;
}

/** One behind a login, which is at the same address here. */
async function gatewayBehindLogin(app?: Application, aheadMs?: number): Promise<string> {
  const person = { kind: 'header', name: 'X-Forwarded-Email', origin: '' } as const;
  const found = await gatewayFor(person, app, aheadMs);
  return Object.assign(person, { origin: found }).origin;
}

const told: string[] = [];
let url: string;
beforeAll(() => {
  mkdirSync(folder.path('assets'));
  folder.write('index.html', '<title>Headroom</title>');
});
beforeEach(async () => {
  told.length = 0;
  await replaceRules(database.db, [USER_DAY]);
  url = await gatewayBehindLogin();
});
afterAll(() => {
  for (const server of servers) server.close();
});

const OVERRIDE = '/v1/subjects/user/u-1/overrides/user-day';
const raise = (headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(url + OVERRIDE, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ max: { amount: 900 }, reason: 'a wedding' }),
  });

/** Sends a request as no browser would. */
const sendRaw = (
  path: string,
  headers: readonly string[],
  host = new URL(url).host,
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path, headers: ['Host', host, ...headers] }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });

describe('a call through the gateway of the console', () => {
  it('is signed, and made by the person whom the login names', async () => {
    expect((await raise({ 'x-forwarded-email': JANE, 'x-actor': 'boss@example.com' })).status).toBe(
      200,
    );
    const changes = await fetch(`${url}/v1/subjects/user/u-1/changes?limit=5`, {
      headers: { 'x-forwarded-email': JANE },
    });
    expect(changes.headers.get('cache-control')).toBe('no-store');
    expect(await changes.json()).toMatchObject({
      changes: [{ by: { kind: 'application', person: JANE } }],
    });
  });

  it.each([
    { sent: Buffer.from('王小明').toString('latin1'), is: '王小明', why: 'in UTF-8' },
    { sent: 'Doe, Jane 100%', is: 'Doe, Jane 100%', why: 'with signs that X-Actor encodes' },
    { sent: '%41', is: '%41', why: 'as it is' },
  ])('names the person whom the login names $why', async ({ sent, is }) => {
    expect((await raise({ 'x-forwarded-email': sent })).status).toBe(200);
    const changes = await fetch(`${url}/v1/subjects/user/u-1/changes?limit=1`, {
      headers: { 'x-forwarded-email': sent },
    });
    expect(await changes.json()).toMatchObject({ changes: [{ by: { person: is } }] });
  });

  it('hands on each header that answers have, but what a signer and a maker of something are told', () => {
    const told = ['www-authenticate', 'location'];
    const described = Object.values(DESCRIBED)
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap(({ headers = {} }) => Object.keys(headers))
      .map((name) => name.toLowerCase());
    const expected = new Set([...described, 'content-type']);
    for (const name of told) expect(expected.delete(name)).toBe(true);
    expect([...RETURNED].sort()).toEqual([...expected].sort());
  });

  it('keeps what HTTP says beside it: versions, and what a change is made at', async () => {
    const found = await fetch(`${url}/v1/rules/user-day`, {
      headers: { 'x-forwarded-email': JANE },
    });
    expect(found.headers.get('etag')).toMatch(/^"\d+"$/);
    expect((await raise({ 'x-forwarded-email': JANE, 'if-match': '"7"' })).status).toBe(412);
  });

  // prettier-ignore
  it.each([
    { status: 401, headers: {},                                                                   why: 'nobody is signed in' },
    { status: 401, headers: { 'x-actor': JANE },                                                  why: 'a browser may say what it wants' },
    { status: 403, headers: { 'x-forwarded-email': JANE, origin: 'https://evil.example.com' },    why: 'another site uses the cookie' },
    { status: 403, headers: { 'x-forwarded-email': JANE, 'sec-fetch-site': 'cross-site' },        why: 'another site asks' },
    { status: 403, headers: { 'x-forwarded-email': JANE, 'sec-fetch-site': 'same-site' },         why: 'a sibling of its site asks' },
    { status: 403, headers: { 'x-forwarded-email': JANE, origin: 'null' },                        why: 'a page without an origin asks' },
  ])('is $status and reaches nobody where $why', async ({ status, headers }) => {
    expect((await raise(headers)).status).toBe(status);
    expect(service.arrived).toEqual([]);
  });

  it('is taken from the console’s own page', async () => {
    expect(
      (await raise({ 'x-forwarded-email': JANE, origin: url, 'sec-fetch-site': 'same-origin' }))
        .status,
    ).toBe(200);
  });

  // prettier-ignore
  it.each([
    { status: 400, path: '/v1/rules',            headers: ['X-Forwarded-Email', JANE, 'x-forwarded-email', 'boss@example.com'], why: 'two people are named' },
    { status: 400, path: '/v1/../secrets',       headers: ['X-Forwarded-Email', JANE],                                          why: 'dots lead out' },
    { status: 400, path: '/v1/%2e%2e/secrets',   headers: ['X-Forwarded-Email', JANE],                                          why: 'hidden dots lead out' },
    { status: 404, path: '/internal',            headers: ['X-Forwarded-Email', JANE],                                          why: 'it is no call' },
    { status: 413, path: '/v1/rules',            headers: ['X-Forwarded-Email', JANE, 'Content-Length', '6291457'],             why: 'it is larger than a function takes' },
    { status: 400, path: '/v1/rules',            headers: ['X-Forwarded-Email', JANE, 'Host', 'evil.example.com'],              why: 'two hosts are named' },
  ])('is $status and reaches nobody where $why: $path', async ({ status, path, headers }) => {
    expect(await sendRaw(path, headers)).toBe(status);
    expect(service.arrived).toEqual([]);
  });

  it('is 403 under another name that leads to it, whose page could name anybody', async () => {
    expect(await sendRaw('/v1/rules', ['X-Forwarded-Email', JANE], 'evil.example.com')).toBe(403);
    expect(service.arrived).toEqual([]);
  });

  it('is signed at the hour of the deployment where the clock here is wrong', async () => {
    url = await gatewayBehindLogin(undefined, 3_600_000);
    expect((await raise({ 'x-forwarded-email': JANE })).status).toBe(200);
  });

  it('is 502 where the deployment does not answer', async () => {
    service.faults.push('request-lost');
    expect((await raise({ 'x-forwarded-email': JANE })).status).toBe(502);
    expect(told).toEqual([expect.stringMatching(/^No answer: /)]);
  });

  it('is 502, and not 401, where the application is not known: to sign in again would not help', async () => {
    url = await gatewayBehindLogin({ id: 'gone', secret: 'hrs_1' });
    expect((await raise({ 'x-forwarded-email': JANE })).status).toBe(502);
    expect(told).toEqual([expect.stringContaining('HEADROOM_SECRET')]);
  });
});

it('reads no body to its end that is larger than a function takes', async () => {
  const mebibyte = new Uint8Array(1024 * 1024);
  expect(await readBody(Array<Uint8Array>(6).fill(mebibyte))).toHaveLength(6 * 1024 * 1024);
  expect(await readBody([...Array<Uint8Array>(6).fill(mebibyte), Uint8Array.of(1)])).toBe(
    undefined,
  );
});

describe('the page behind the gateway', () => {
  it('is the console, which a login stands before', async () => {
    const page = await fetch(`${url}/`);
    expect(page.url).toBe(`${url}/console/`);
    expect(await page.text()).toContain('Headroom');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const setup = await (await fetch(`${url}/console/console.json`)).json();
    expect(setup).toEqual({ api: '/', signIn: 'login' });
  });
});

it('without a login, it lets in this machine alone', async () => {
  url = await gatewayFor({ kind: 'always', person: JANE });
  expect((await raise({})).status).toBe(200);
  expect(await sendRaw('/v1/caller', [], 'evil.example.com')).toBe(403);
});

describe('headroom console', () => {
  const at = 'https://limits-console.example.com';
  it('takes a person of this machine, or a header of the login at an address', () => {
    expect(readPerson({ by: JANE })).toEqual({ kind: 'always', person: JANE });
    const login = { kind: 'header', name: 'X-Forwarded-Email', origin: at };
    expect(readPerson({ personHeader: 'X-Forwarded-Email', at: `${at}/` })).toEqual(login);
  });

  // prettier-ignore
  it.each([
    { words: {},                                               says: /^Who acts/ },
    { words: { by: JANE, personHeader: 'X-Person', at },       says: /^Who acts/ },
    { words: { by: JANE, at },                                 says: /belong together/ },
    { words: { personHeader: 'X-Person' },                     says: /belong together/ },
    { words: { personHeader: 'X Person', at },                 says: /^--person-header is "X Person"/ },
    { words: { personHeader: 'X-Person', at: 'example.com' },  says: /^--at is "example.com"/ },
    { words: { by: 'Jan\u0000' },                                   says: /^--by is "Jan\\u0000"/ },
  ])('refuses $words', ({ words, says }) => {
    expect(() => readPerson(words)).toThrow(says);
  });

  it.each(['limits.example.com', 'ftp://limits.example.com', 'https://me@limits.example.com'])(
    'refuses the deployment %s',
    (text) => {
      expect(() => readAddress('--url', text)).toThrow(/^--url is /);
    },
  );
});
