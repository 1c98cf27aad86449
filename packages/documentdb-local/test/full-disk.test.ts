import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reasonIn, waitUntilReady } from '../src/postgres.ts';

/** As PostgreSQL refuses a connection where the disk is full: an ErrorResponse. */
function refusal(): Buffer {
  const fields = ['SFATAL', 'C53100', 'Mcould not write init file: No space left on device', ''];
  const body = Buffer.from(`${fields.join('\0')}\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from('E'), length, body]);
}

it('a start on a full disk is not waited for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'full-'));
  let refused = 0;
  const server = createServer((socket) => {
    refused += 1;
    socket.once('data', () => socket.end(refusal()));
  });
  try {
    server.listen(join(folder, '.s.PGSQL.5432'));
    await once(server, 'listening');
    // Nothing else of the process is looked at here.
    const running = { pid: 1, exitCode: null, signalCode: null } as ChildProcess;
    await expect(waitUntilReady(folder, running, () => undefined)).rejects.toThrow('No space left');
    expect(refused).toBe(1);
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});

it('the message names the line that ended PostgreSQL, whatever its log has after it', () => {
  const log = [
    '2026-11-24 20:20:50.945 GMT [2006] LOG:  shutting down',
    '2026-11-24 20:20:50.945 GMT [2006] PANIC:  could not write to file "x": No space left on device',
    '2026-11-24 20:20:50.950 GMT [1997] LOG:  checkpointer process (PID 2006) was terminated by signal 6: Aborted',
    '2026-11-24 20:20:50.950 GMT [1997] LOG:  terminating any other active server processes',
    '2026-11-24 20:20:50.956 GMT [1997] LOG:  abnormal database system shutdown',
    '2026-11-24 20:20:51.027 GMT [1997] LOG:  database system is shut down',
  ].join('\n');
  expect(reasonIn(log)).toMatch(/PANIC: {2}could not write to file "x": No space left on device$/);
  expect(reasonIn('postgres: could not access the file')).toBe(
    'postgres: could not access the file',
  );
});
