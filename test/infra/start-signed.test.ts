import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { APPS_KEY_TEXT } from '../support/signed-call.ts';
import { startProgram, urlOf } from './start-program.ts';
import type { Program } from './start-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TIMEOUT_MS = 120_000;
const CLIENTS = {
  'examples/signed-call.mjs': [process.execPath, 'examples/signed-call.mjs'],
  'examples/signed-call.sh': ['bash', 'examples/signed-call.sh'],
} as const;

const databaseName = `start-${randomUUID().slice(0, 8)}`;
const mongodbUri = inject('mongodbUri');

/** What a signing client says, called with a secret. */
function callWith(client: keyof typeof CLIENTS, secret: string, ...parameters: readonly string[]) {
  const [program, file] = CLIENTS[client];
  const { stdout, stderr } = spawnSync(program, [file, ...parameters], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HEADROOM_APP_ID: 'sample', HEADROOM_SECRET: secret },
  });
  return stdout + stderr;
}

describe('npm start with AUTH=hmac', { timeout: TIMEOUT_MS }, () => {
  let program: Program;
  let url: string;
  let secret: string;

  beforeAll(async () => {
    program = startProgram({
      MONGODB_URI: mongodbUri,
      MONGODB_DATABASE: databaseName,
      AUTH: 'hmac',
      APPS_KEY: APPS_KEY_TEXT,
    });
    url = await urlOf(program);
    [secret = ''] = /hrs_[\w-]+/.exec(program.output()) ?? [];
  }, TIMEOUT_MS);
  afterAll(async () => {
    program.process.kill('SIGINT');
    await program.code;
    const client = new MongoClient(mongodbUri);
    await client.db(databaseName).dropDatabase();
    await client.close();
  });

  it('signs its samples, and shows a command that does', () => {
    const answers = program.output().match(/^ +← .*$/gm) ?? [];
    expect(answers).toHaveLength(8);
    for (const answer of answers)
      expect(answer).toMatch(/← 200 (allowed|refused|confirmed|rolled)/);
    expect(program.output()).toMatch(
      /HEADROOM_APP_ID=sample HEADROOM_SECRET=hrs_\S+ node examples\/signed-call\.mjs http:/,
    );
  });

  it('takes no call that is not signed', async () => {
    const response = await fetch(`${url}/v1/check`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Headroom-Signature');
    expect(await response.json()).toMatchObject({ code: 'BAD_SIGNATURE' });
  });

  describe.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])('%s', (client) => {
    const check = JSON.stringify({
      orderId: `订单-${client}`,
      type: 'PAYMENT',
      subjects: { user: 'ü "quoted" 👩‍👧' },
      amount: 5,
      currency: 'CNY',
    });

    it('signs what is taken, whatever its text is', () => {
      expect(callWith(client, secret, `${url}/v1/check`, check)).toMatch(/"decision":"allowed"/);
      expect(callWith(client, secret, `${url}/v1/check`, check)).toMatch(/"repeated":true/);
    });

    it('signs the query, too', () => {
      const said = callWith(client, secret, `${url}/v1/check?a=1&b=x`, check);
      expect(said).toMatch(/"repeated":true/);
    });

    it('is refused with another secret', () => {
      const said = callWith(client, `${secret}x`, `${url}/v1/check`, check);
      expect(said).toMatch(/401/);
      expect(said).toMatch(/"code":"BAD_SIGNATURE"/);
    });
  });
});

describe('npm start with AUTH=hmac and no key', { timeout: TIMEOUT_MS }, () => {
  it('says what is missing and how to make it, and starts nothing', async () => {
    const program = startProgram({ MONGODB_URI: mongodbUri, AUTH: 'hmac', APPS_KEY: '' });
    expect(await program.code).toBe(1);
    expect(program.output()).toBe(
      '\nAUTH=hmac needs APPS_KEY, 32 random bytes in base64, as `openssl rand -base64 32` makes them; this one is missing.\n',
    );
  });
});
