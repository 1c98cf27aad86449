import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram, urlOf } from './start-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');

it('npm start without a server of yours runs one, and prints how the commands reach it', async () => {
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
  const reconcile = (...asked: readonly string[]) => {
    const program = ['bin/headroom.mjs', 'reconcile', ...asked];
    const { status, stdout } = spawnSync(process.execPath, program, {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, MONGODB_URI: uri, MONGODB_DATABASE: name },
    });
    return { status, stdout };
  };
  expect(reconcile('--subject', 'user:u-1')).toEqual({
    status: 0,
    stdout: '1 document and 1 row: no difference\n',
  });
  // The samples' users too, the one of tomorrow among them.
  expect(reconcile()).toEqual({
    status: 0,
    stdout: '3 documents and 7 rows: no difference\n',
  });
  program.process.kill('SIGTERM');
  expect(await program.code).toBe(0);
  rmSync(join(ROOT, '.headroom', `port-${new URL(url).port}`), { recursive: true });
}, 120_000);
