import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeApplication } from '../../lib/callers/applications.ts';
import { appsKeyOf } from '../../infra/local/apps-key.ts';
import { readAppsKey } from '../../lib/callers/sealed-secret.ts';
import { insertApp } from '../../lib/callers/mongo-callers.ts';
import { connect, environmentOf, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { runCommand } from '../support/run-command.ts';
import { APPS_KEY, APPS_KEY_TEXT } from '../support/signed-call.ts';
import { endOf, startProgram, urlOf } from './start-program.ts';
import type { Program } from './start-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TIMEOUT_MS = 600_000;
const CLIENTS = {
  'examples/signed-call.mjs': [process.execPath, 'examples/signed-call.mjs'],
  'examples/signed-call.sh': ['bash', 'examples/signed-call.sh'],
} as const;

const database = useDatabase();

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
    const signing = { AUTH: 'hmac', APPS_KEY: APPS_KEY_TEXT };
    program = startProgram({ ...environmentOf(database), ...signing });
    url = await urlOf(program);
    [secret = ''] = /hrs_[\w-]+/.exec(program.output()) ?? [];
  }, TIMEOUT_MS);

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
      // A check has no query, which only a call whose signature was taken is told.
      expect(said).toMatch(/a is .*, expected no field of a query/);
    });

    it('is refused with another secret', () => {
      const said = callWith(client, `${secret}x`, `${url}/v1/check`, check);
      expect(said).toMatch(/401/);
      expect(said).toMatch(/"code":"BAD_SIGNATURE"/);
    });
  });

  it('ends with Ctrl-C, which a terminal sends to all of its processes, and leaves none', async () => {
    const end = await endOf(program, (pid) => process.kill(-pid, 'SIGINT'));
    expect(end).toEqual({ code: 0, left: [] });
  });
});

describe('npm start with AUTH=hmac and a key', { timeout: TIMEOUT_MS }, () => {
  it('that is none says so, and starts nothing', async () => {
    const set = { ...environmentOf(database), PORT: '0', AUTH: 'hmac', APPS_KEY: 'short' };
    const { code, err } = await runCommand('start', [], set);
    expect(code).toBe(1);
    expect(err).toMatch(/APPS_KEY is a text of 5 characters, expected 32 random bytes in base64/);
  });

  it('that does not open the secrets that are there says whose, and what to do', async () => {
    const { app } = makeApplication(APPS_KEY, 'shop', ['check'], new Date());
    const { db, client } = await connect();
    try {
      await insertApp(db, app);
      const other = Buffer.alloc(32, 9).toString('base64');
      const set = { ...environmentOf({ db }), PORT: '0', AUTH: 'hmac', APPS_KEY: other };
      const { code, err } = await runCommand('start', [], set);
      expect(code).toBe(1);
      expect(err).toContain(
        `APPS_KEY does not open the secrets of the application shop in the database ${db.databaseName}, because another key made them. Every call of these applications would get 401. Start with APPS_KEY set to that key.`,
      );
    } finally {
      await db.dropDatabase();
      await client.close();
    }
  });
});

describe('the key that is kept where APPS_KEY is not set', () => {
  const folder = useFolder();

  it('is made once, also by two starts at once, readable for its owner alone, and lasts', async () => {
    const file = folder.path('deeper/port-3000.apps-key');
    const [one, two] = await Promise.all([appsKeyOf('', file), appsKeyOf('', file)]);
    expect(two).toEqual(one);
    expect(await appsKeyOf('', file)).toEqual(one);
    expect(readAppsKey(one.text)).toEqual(one.key);
    expect(one.file).toBe(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is not asked for, nor made, where APPS_KEY is set', async () => {
    const file = folder.path('none');
    const given = await appsKeyOf(APPS_KEY_TEXT, file);
    expect(given).toEqual({ text: APPS_KEY_TEXT, key: APPS_KEY });
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
  });

  it('that was altered is told as no key, with its file', async () => {
    const file = folder.write('altered', 'short');
    await expect(appsKeyOf('', file)).rejects.toThrow(
      `The file ${file} has a text of 5 characters; expected 32 random bytes in base64, as \`openssl rand -base64 32\` makes them: delete it, and start again.`,
    );
  });
});
