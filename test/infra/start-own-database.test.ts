import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { endOf, startProgram, urlOf } from './start-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');

it('npm start without a server of yours runs one, prints how the commands reach it, and ends with its functions', async () => {
  const program = startProgram({ MONGODB_URI: '', MONGODB_DATABASE: 'start-own' });
  const url = await urlOf(program);
  const check = { orderId: 'o-1', type: 'PAYMENT', subjects: { user: 'u-1' }, amount: 100 };
  await fetch(`${url}/v1/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...check, currency: 'CNY' }),
  });
  const [, uri = '', name = ''] =
    /^ +Commands +MONGODB_URI='(\S+)' MONGODB_DATABASE=(\S+) npm run reconcile -- --subject user:u-1$/m.exec(
      program.output(),
    ) ?? [];
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
  // The database ends with the program, too.
  const end = await endOf(program, (_, below) => {
    const server = below.find(({ line }) => line.includes('functions-server.ts'));
    if (server === undefined) throw new Error(below.map(({ line }) => line).join('\n'));
    process.kill(server.pid, 'SIGKILL');
  });
  expect(end).toEqual({ code: 1, left: [] });
  expect(program.output()).toMatch(/The functions' server ended with SIGKILL\.\s*$/);
  rmSync(join(ROOT, '.headroom', `port-${new URL(url).port}`), { recursive: true });
}, 120_000);
