import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { OWN_WRITES } from '../../lib/mongo/client.ts';
import { useFolder } from '../support/folder.ts';
import { runCommand } from '../support/run-command.ts';
import { endOf, startProgram, urlOf } from './start-program.ts';
import type { Program } from './start-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TIMEOUT_MS = 600_000;
/** The files that `npm start` reads; the packages are linked. */
const SOURCES = [
  'bin',
  'cli',
  'contract',
  'infra',
  'tools',
  'package-lock.json',
  'packages',
  'lib',
  'docs/rules.schema.json',
  'functions',
  'examples',
  'serverless.yml',
  'package.json',
];
const LOADED = /check is loaded/g;

describe('npm start in a clone, without a server of yours', { timeout: TIMEOUT_MS }, () => {
  const clone = useFolder();
  let program: Program;
  let url: string;

  beforeAll(async () => {
    for (const name of SOURCES) cpSync(join(ROOT, name), clone.path(name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), clone.path('node_modules'));
    edit('functions/check.ts', 'loadZones();', "console.error('check is loaded');\nloadZones();");
    const settings = { MONGODB_URI: '', MONGODB_DATABASE: 'start-own' };
    program = startProgram(settings, { folder: clone.path('') });
    url = await urlOf(program);
  }, TIMEOUT_MS);

  function edit(file: string, before: string, after: string): void {
    const text = clone.read(file);
    if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
    clone.write(file, text.replace(before, after));
  }

  async function check(orderId: string, subjects: Readonly<Record<string, string>>) {
    const transaction = { orderId, type: 'PAYMENT', subjects, amount: 100, currency: 'CNY' };
    const body = JSON.stringify(transaction);
    return (await fetch(`${url}/v1/check`, { method: 'POST', body })).status;
  }

  async function wrongAnswer(): Promise<string> {
    return (await fetch(`${url}/v1/check`, { method: 'POST', body: '{' })).text();
  }

  it('runs a database of its own, and prints how the commands reach it', async () => {
    expect(await check('o-1', { user: 'u-1' })).toBe(200);
    const [, uri = '', name = ''] =
      /^ +Database +MONGODB_URI='(\S+)' MONGODB_DATABASE=(\S+)$/m.exec(program.output()) ?? [];
    const reconcile = (...asked: readonly string[]) =>
      runCommand('reconcile', asked, { MONGODB_URI: uri, MONGODB_DATABASE: name });
    expect(await reconcile('--subject', 'user:u-1')).toEqual({
      code: 0,
      out: '1 document and 1 row: no difference\n',
      err: '',
    });
    // The samples' users too, the one of tomorrow among them.
    expect(await reconcile()).toMatchObject({
      code: 0,
      out: '3 documents and 7 rows: no difference\n',
    });
  });

  it('deletes nothing that a call of a past time wrote, for its database never sweeps', async () => {
    const [, uri = ''] = /MONGODB_URI='(\S+)'/.exec(program.output()) ?? [];
    const client = new MongoClient(uri, OWN_WRITES);
    try {
      const told = await client.db('admin').command({ getParameter: 1, ttlMonitorEnabled: 1 });
      expect(told).toMatchObject({ ttlMonitorEnabled: false });
    } finally {
      await client.close();
    }
  });

  it('is found by commands in the same folder that are told nothing', async () => {
    const run = (words: readonly string[], set = {}) =>
      new Promise<{ readonly code: unknown; readonly out: string; readonly err: string }>((end) => {
        const options = { cwd: clone.path(''), env: { PATH: process.env.PATH, ...set } };
        const program = ['bin/headroom.mjs', ...words];
        execFile(process.execPath, program, options, (error, out, err) => {
          end({ code: error?.code ?? 0, out, err });
        });
      });
    const port = new URL(url).port;
    const found = `MONGODB_URI is not set: this uses start-own of npm start on port ${port}.\n`;
    expect(program.output()).toContain(`PORT=${port} npx --no-install headroom usage user:u-1`);
    const usage = await run(['usage', 'user:u-1']);
    expect(usage).toMatchObject({ code: 0, err: found });
    expect(usage.out).toMatch(/^user-day +user:u-1 /m);
    expect(await run(['rules', 'export'], { PORT: port })).toMatchObject({ code: 0, err: found });
    const other = await run(['usage', 'user:u-1'], { PORT: '1' });
    expect(other.err).toMatch(/^MONGODB_URI is not set\./);
    expect(await run(['rules', 'validate', 'examples/rules.yaml'])).toMatchObject({ err: '' });
    const empty = await run(['usage', 'user:u-1'], { MONGODB_DATABASE: 'nothing-here' });
    expect(empty.err).toContain('The database nothing-here is empty. Is MONGODB_DATABASE right?\n');
    expect((await run(['history', 'transactions', 'user:u-1'])).out).toContain('o-1');
  });

  it('serves 60 checks at once by the code that is loaded already', async () => {
    expect(program.output().match(LOADED)).toHaveLength(1);
    const users = Array.from({ length: 60 }, (_, index) => `burst-${index}`);
    const burst = () => Promise.all(users.map((user) => check(user, { user })));
    let statuses = await burst();
    // On a machine without free processor time a call may end undecided; its caller repeats it.
    for (let repeats = 0; repeats < 3 && statuses.includes(503); repeats++)
      statuses = await burst();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(program.output().match(LOADED)).toHaveLength(1);
  });

  it('keeps no place for callers who went away', async () => {
    const gone = Array.from({ length: 60 }, (_, index) =>
      fetch(`${url}/v1/transactions/gone-${index}`, { signal: AbortSignal.timeout(5) }),
    );
    const outcomes = await Promise.allSettled(gone);
    expect(outcomes.map(({ status }) => status)).toContain('rejected');
    expect(await check('stays', { user: 'stays' })).toBe(200);
  });

  it('runs edited code of lib/ with the next call, over HTTP and by direct invocation', async () => {
    edit('contract/problem-kinds.ts', 'The request is not valid', 'Edited once');
    expect(await wrongAnswer()).toContain('Edited once');
    const [, endpoint = ''] = /--endpoint-url (\S+)/.exec(program.output()) ?? [];
    edit('contract/problem-kinds.ts', 'Edited once', 'Edited twice');
    const invoke = `${endpoint}/2015-03-31/functions/headroom-local-check/invocations`;
    const direct = await fetch(invoke, { method: 'POST', body: '{}' });
    expect(await direct.text()).toContain('Edited twice');
  });

  it('says what is wrong with an edit, serves what was there before, and goes on when it is mended', async () => {
    edit('contract/problem-kinds.ts', 'Edited twice', "Edited thrice' +");
    expect(await wrongAnswer()).toContain('Edited twice');
    expect(program.output()).toMatch(/ERROR[^]*contract\/problem-kinds\.ts/);
    edit('contract/problem-kinds.ts', "Edited thrice' +", 'Edited thrice');
    expect(await wrongAnswer()).toContain('Edited thrice');
  });

  it('takes its processes and its database along where it is killed, and can prepare nothing', async () => {
    const end = await endOf(program, (pid) => process.kill(pid, 'SIGKILL'));
    expect(end).toEqual({ code: null, left: [] });
  });
});
