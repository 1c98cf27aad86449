import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { CALL_NAMES } from '../support/function-names.ts';
import { useFolder } from '../support/folder.ts';
import { withinOneDay } from '../support/midnight.ts';
import { runCommand } from '../support/run-command.ts';
import { environmentOf, useDatabase } from '../support/database.ts';
import { endOf, startProgram, urlOf } from './start-program.ts';
import type { Program } from './start-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TIMEOUT_MS = 600_000;

const folder = useFolder();
const database = useDatabase();
const mongodbUri = inject('mongodbUri');

const answerSchema = z.looseObject({
  decision: z.string().optional(),
  code: z.string().optional(),
});

async function post(url: string, call: string, body: object, now?: string) {
  const response = await fetch(`${url}/v1/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(now && { 'x-headroom-now': now }) },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...answerSchema.parse(await response.json()) };
}

/** The parts that `fetch` does not let callers set: the host, the origin, and the target as a whole. */
function sendRaw(
  target: string,
  options: {
    readonly method: string;
    /** By name, or names and values in turns, where one name stands twice. */
    readonly headers: Readonly<Record<string, string>> | readonly string[];
    readonly path?: string;
  },
): Promise<{ readonly status: number | undefined; readonly head: string; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const { method, headers, path = new URL(target).pathname } = options;
    const sent = request(target, { method, path, headers }, (response) => {
      let body = '';
      response.on('data', (data: Buffer) => (body += data.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode, head: response.rawHeaders.join(), body });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('npm start', { timeout: TIMEOUT_MS }, () => {
  let program: Program;
  let url: string;

  beforeAll(async () => {
    const earlier: Program[] = [];
    // It sends its samples now.
    await withinOneDay(async () => {
      for (const one of earlier.splice(0)) await endOf(one, (pid) => process.kill(pid, 'SIGTERM'));
      program = startProgram(environmentOf(database));
      earlier.push(program);
      url = await urlOf(program);
    });
  }, TIMEOUT_MS);

  it('passes the smoke test', async () => {
    const { code, out, err } = await runCommand('smoke', ['--url', url]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^All 6 calls are right, for user:smoke-[0-9a-f]{8}\.$/m);
  });

  it('says which database it uses, how many rules it loaded and where the functions are', () => {
    expect(program.output()).toMatch(/^Database: (MongoDB|DocumentDB) \S+/m);
    expect(program.output()).toMatch(/^Rules: 14 from examples\/rules\.yaml$/m);
    const [, names = ''] = /^Functions: (.*) at http:\/\/127/m.exec(program.output()) ?? [];
    expect(names.split(', ').sort()).toEqual([...CALL_NAMES].sort());
  });

  it('shows transactions that are allowed, repeated, confirmed, refused, rolled back, and one of tomorrow', () => {
    const answers = program.output().match(/^ +← .*$/gm) ?? [];
    expect(answers).toEqual([
      expect.stringMatching(/← 200 allowed; held until .*Z; headroom now 20,000.00 by single/),
      expect.stringMatching(/← 200 allowed; repeated; held until/),
      expect.stringMatching(/← 200 confirmed/),
      expect.stringMatching(/← 200 allowed; held until .*user-day-trial exceeded-shadow/),
      expect.stringMatching(/← 200 refused; .*user-day exceeded, retryAt \d{4}-.*Z/),
      expect.stringMatching(/← 200 rolledBack/),
      expect.stringMatching(/← 200 allowed; held until/),
      expect.stringMatching(/← 200 allowed; held until/),
    ]);
  });

  it('never shows the address of a server of yours, which may hold a password', () => {
    expect(program.output()).not.toContain(new URL(mongodbUri).host);
  });

  it('keeps the terminal readable: no log, no table of routes, no stack trace', () => {
    expect(program.output()).not.toMatch(/"level"|│|\n {4}at |offline/i);
  });

  it('describes the calls, for programs and for people', async () => {
    const document: unknown = await (await fetch(`${url}/openapi.json`)).json();
    expect(document).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/' }] });
    const page = await fetch(`${url}/openapi`);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain('/openapi/swagger-ui-bundle.js');
    expect(program.output()).toContain(`${url}/openapi`);
  });

  it('tells what became of an order, whatever its id looks like', async () => {
    const orderId = 'o 7/ü?';
    const check = { orderId, type: 'PAYMENT', subjects: { user: 'u-7' }, amount: 100 };
    await post(url, 'check', { ...check, currency: 'CNY' });
    const response = await fetch(`${url}/v1/transactions/${encodeURIComponent(orderId)}`);
    const status: unknown = await response.json();
    expect(status).toMatchObject({ orderId, state: 'held', history: [{ outcome: 'held' }] });
    expect(program.output()).toContain(`curl -s ${url}/v1/transactions/order-1`);
  });

  it('takes the time from the header, so that anyone can try tomorrow', async () => {
    const check = (orderId: string) => ({
      orderId,
      type: 'SMS',
      subjects: { user: 'u-2' },
      amount: 0,
      currency: 'XXX',
      capture: true,
    });
    // After every day of the samples: a later instant ends the windows before it.
    const [one, next] = ['2100-03-02T04:00:00Z', '2100-03-03T04:00:00Z'];
    for (const order of ['s-1', 's-2', 's-3', 's-4', 's-5']) {
      expect(await post(url, 'check', check(order), one)).toMatchObject({ decision: 'allowed' });
    }
    expect(await post(url, 'check', check('s-6'), one)).toMatchObject({ decision: 'refused' });
    expect(await post(url, 'check', check('s-6'), next)).toMatchObject({ decision: 'allowed' });
  });

  it('answers direct invocations by the AWS client, without an envelope', async () => {
    const [, endpoint] = /--endpoint-url (http:\/\/127\.0\.0\.1:\d+)/.exec(program.output()) ?? [];
    if (endpoint === undefined) throw new Error(program.output());
    const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
    const lambda = new LambdaClient({ endpoint, region: 'eu-central-1', credentials });
    const request = { orderId: 'd-1', type: 'PAYMENT', subjects: { user: 'u-3' } };
    const { Payload } = await lambda.send(
      new InvokeCommand({
        FunctionName: 'headroom-local-check',
        Payload: JSON.stringify({ ...request, amount: 100, currency: 'CNY' }),
      }),
    );
    lambda.destroy();
    expect(JSON.parse(Payload?.transformToString() ?? '')).toMatchObject({ decision: 'allowed' });
  });

  it('settles the order that it left held, by the line that it prints, on new data', async () => {
    const [, endpoint = '', event = ''] =
      /Messages +curl -s (\S+) -d '(.*)'$/m.exec(program.output()) ?? [];
    const [, orderId = '', user = ''] =
      /\\"orderId\\":\\"(\S+?)\\".*\\"user\\":\\"(\S+?)\\"/.exec(event) ?? [];
    const response = await fetch(endpoint, { method: 'POST', body: event });
    expect(await response.json()).toEqual({ batchItemFailures: [] });
    expect(await post(url, 'confirm', { orderId, subjects: { user } })).toMatchObject({
      state: 'confirmed',
      repeated: true,
    });
  });

  it('settles messages as a queue would deliver them', async () => {
    for (const orderId of ['e-1', 'e-2']) {
      const check = { orderId, type: 'PAYMENT', subjects: { user: 'u-7' }, amount: 100 };
      await post(url, 'check', { ...check, currency: 'CNY' });
    }
    const [, endpoint] = /Messages +curl -s (\S+) -d/.exec(program.output()) ?? [];
    if (endpoint === undefined) throw new Error(program.output());
    const body = readFileSync(join(ROOT, 'examples', 'settlement-messages.json'));
    const response = await fetch(endpoint, { method: 'POST', body });
    expect(await response.json()).toEqual({ batchItemFailures: [{ itemIdentifier: 'poison' }] });
    const settled = { subjects: { user: 'u-7' } };
    expect(await post(url, 'confirm', { orderId: 'e-1', ...settled })).toMatchObject({
      state: 'confirmed',
      repeated: true,
    });
    expect(await post(url, 'rollback', { orderId: 'e-2', ...settled })).toMatchObject({
      state: 'rolledBack',
      repeated: true,
    });
  });

  it.each([
    { method: 'POST', path: '/v1/check/', why: 'a path with a slash at its end is another path' },
    { method: 'POST', path: '/v1//check', why: 'so is one with two' },
    { method: 'POST', path: '/V1/check', why: 'so is one in capitals' },
    { method: 'GET', path: '/v1/check', why: 'a route has a method' },
    { method: 'HEAD', path: '/v1/transactions/o-1', why: 'HEAD is not GET' },
    { method: 'OPTIONS', path: '/v1/check', why: 'no browser is let in' },
    { method: 'GET', path: '/v1/transactions/', why: 'an order has a name' },
  ])('knows no $method $path, as API Gateway does not: $why', async ({ method, path }) => {
    const response = await fetch(`${url}${path}`, { method });
    expect(response.status).toBe(404);
    expect([...response.headers.keys()].join()).not.toContain('access-control');
    const body = await response.text();
    expect(body).toBe(method === 'HEAD' ? '' : '{"message":"Not Found"}');
  });

  it.each(['%', '%zz', '%FF', '%ED%A0%80'])(
    'takes %s for no path, which is no fault',
    async (id) => {
      const response = await fetch(`${url}/v1/transactions/${id}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ message: 'Bad Request' });
    },
  );

  it('leads from its address to the page of the calls', async () => {
    const response = await fetch(`${url}/`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/openapi');
  });

  it.each([
    { origin: 'http://127.0.0.1:8080', why: 'another site of this machine' },
    { origin: 'https://evil.example', why: 'a site of the web' },
    { origin: 'null', why: 'a file, or a frame that hides where it is from' },
    { host: 'evil.example:3000', why: 'a name that somebody pointed at this machine' },
  ])('refuses on both ports what comes from elsewhere: $why', async ({ why, ...headers }) => {
    expect(why).not.toBe('');
    const [, lambda = ''] = /Messages +curl -s (http:\/\/\S+?)\/2015/.exec(program.output()) ?? [];
    const call = '/2015-03-31/functions/headroom-local-check/invocations';
    for (const target of [`${url}/v1/check`, `${url}/v1/transactions/o-1`, `${lambda}${call}`]) {
      const { status, head, body } = await sendRaw(target, { method: 'POST', headers });
      expect(status).toBe(403);
      expect(head.toLowerCase()).not.toContain('access-control');
      const [name = '', value = ''] = Object.entries(headers)[0] ?? [];
      expect(body.toLowerCase()).toContain(`${name} is \\"${value}\\", expected `);
    }
  });

  it.each(['Host', 'X-Actor'])('refuses a call that has two headers %s', async (name) => {
    const { host } = new URL(url);
    const headers = ['host', host, name, name === 'Host' ? host : 'jane', 'x-actor', 'joe'];
    const asked = await sendRaw(`${url}/v1/transactions/o-1`, { method: 'GET', headers });
    expect(asked).toMatchObject({
      status: 400,
      body: `{"message":"${name} is sent twice, expected once: nobody can tell which one is meant."}\n`,
    });
  });

  it('lets in its own page, by each name of this machine', async () => {
    const { port } = new URL(url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'localhost:8080']) {
      const headers = { host, origin: `http://${host}` };
      const { status } = await sendRaw(`${url}/v1/transactions/o-1`, { method: 'GET', headers });
      expect(status).toBe(200);
    }
  });

  it('takes a target with its host in it, as proxies are sent one', async () => {
    const target = `${url}/v1/transactions/o-1`;
    const own = await sendRaw(target, { method: 'GET', headers: {}, path: target });
    expect(own).toMatchObject({ status: 200, body: expect.stringContaining('"state"') as string });
    const path = 'http://evil.example/v1/transactions/o-1';
    expect(await sendRaw(target, { method: 'GET', headers: {}, path })).toMatchObject({
      status: 403,
    });
  });

  it('says that a target without a path is not found', async () => {
    const asked = await sendRaw(url, { method: 'OPTIONS', headers: {}, path: '*' });
    expect(asked).toMatchObject({ status: 404, body: '{"message":"Not Found"}' });
  });

  it('refuses a port that is taken, in one sentence', async () => {
    const { port } = new URL(url);
    const settings = { MONGODB_URI: mongodbUri, PORT: port };
    const { code, out, err } = await runCommand('start', [], settings);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trim()).toBe(
      `Port ${port} on this machine is taken, perhaps by another Headroom; choose one with PORT=${Number(port) + 1} npm start.`,
    );
  });
});

it(
  'npm start ends in order where nobody reads on: npm start | head',
  async () => {
    const program = startProgram(environmentOf(database));
    while (!program.output().includes('Database: ')) await delay(20);
    program.process.stdout?.destroy();
    expect(await program.code).toBe(0);
  },
  TIMEOUT_MS,
);

describe('npm start, when something is wrong', { timeout: TIMEOUT_MS }, () => {
  it.each(['--help', '-h'])('helps with %s, and starts nothing', async (asked) => {
    const { code, out, err } = await runCommand('start', [asked], { MONGODB_URI: mongodbUri });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const setting of ['PORT', 'LAMBDA_PORT', 'RULES_FILE', 'MONGODB_URI', 'VERBOSE', 'AUTH'])
      expect(out).toMatch(new RegExp(`^  ${setting} `, 'm'));
    expect(out).not.toMatch(/^Database:/m);
  });

  it('takes no parameters, which would be ignored', async () => {
    const parameters = ['--port', '3001'];
    const { code, out, err } = await runCommand('start', parameters, { MONGODB_URI: mongodbUri });
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: "Unknown option '--port'.\nRun it with --help to see all options.\n",
    });
  });

  it.each([
    { settings: { PORT: 'http' }, says: 'PORT is "http"; expected a port' },
    { settings: { PORT: '65536' }, says: 'PORT is "65536"; expected a port' },
    { settings: { RULES_FILE: 'no-such.yaml' }, says: 'no-such.yaml cannot be read' },
    {
      settings: { AUDIT: 'on' },
      says: 'The settings are wrong:\n  - AUDIT is "on", expected one of off, best-effort, session\n',
    },
    {
      settings: { AUTH: 'hmca', STORE_TIMEOUT_MS: '5s' },
      says: '  - STORE_TIMEOUT_MS is "5s", expected a whole number from 100 to 20000\n  - AUTH is "hmca", expected one of none, hmac\n',
    },
  ])('ends with one sentence for $settings', async ({ settings, says }) => {
    const { code, out, err } = await runCommand('start', [], {
      MONGODB_URI: mongodbUri,
      ...settings,
    });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(says);
    expect(err).not.toContain('    at ');
  });

  it('lists every mistake of a rule file and starts nothing', async () => {
    const file = folder.write(
      'rules.yaml',
      'rules:\n  - { id: A, per: [user], window: lifetime, max: { count: 1 } }\n  - { id: b, per: [user], window: { unit: fortnight, timeZone: Asia/Shanghai }, max: { count: -1 } }\n',
    );
    const settings = { MONGODB_URI: mongodbUri, RULES_FILE: file };
    const { code, out, err } = await runCommand('start', [], settings);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    for (const mistake of ['rules[0].id', 'rules[b].window.unit', 'rules[b].max.count'])
      expect(err).toContain(mistake);
    expect(err).not.toContain('    at ');
  });
});
