import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from '../../../infra/local/folder-lock.ts';
import { readStart } from '../../../cli/process-identity.ts';

const ROUNDS = 40;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headroom-lock-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const lock = () => join(folder, 'database.lock');

function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid;
}

describe('a folder', () => {
  it('is locked once, and free again afterwards', async () => {
    const unlock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(
      `A local database already runs on ${folder} (process ${process.pid}): stop it first, or use another folder.`,
    );
    await unlock();
    expect(await readdir(folder)).toEqual([]);
    await (
      await lockFolder(folder)
    )();
  });

  it('that is missing is made', async () => {
    const unlock = await lockFolder(join(folder, 'deep', 'er'));
    expect(existsSync(join(folder, 'deep', 'er', 'database.lock'))).toBe(true);
    await unlock();
  });

  // prettier-ignore
  it.each([
    { whose: 'a process that is gone', content: () => JSON.stringify({ pid: deadPid(), start: '' }) },
    { whose: 'an earlier process with the number of a living one', content: () => JSON.stringify({ pid: process.pid, start: 'another boot/1' }) },
    { whose: 'nobody that can be read', content: () => '{"pid":' },
  ])('locked by $whose is taken over', async ({ content }) => {
    await writeFile(lock(), content());
    const unlock = await lockFolder(folder);
    expect(existsSync(lock())).toBe(true);
    await unlock();
    expect(await readdir(folder)).toEqual([]);
  });

  it('with a dead lock is taken over by one of many at once, every time', async () => {
    const dead = JSON.stringify({ pid: deadPid(), start: '' });
    for (let round = 0; round < ROUNDS; round += 1) {
      await writeFile(lock(), dead);
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () => lockFolder(folder)),
      );
      const unlocks = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(unlocks).toHaveLength(1);
      for (const unlock of unlocks) await unlock();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('is taken over although an earlier takeover died half-way', async () => {
    const dead = JSON.stringify({ pid: deadPid(), start: '' });
    await writeFile(lock(), dead);
    const digest = createHash('sha256').update(dead).digest('hex').slice(0, 16);
    await writeFile(`${lock()}.${digest}`, JSON.stringify({ pid: deadPid(), start: 'x' }));
    const unlock = await lockFolder(folder);
    expect(await readdir(folder)).toEqual(['database.lock']);
    await unlock();
  });
});

it('a process has a start of its own where the system tells it', () => {
  const start = readStart(process.pid);
  expect(start === '' || /^[0-9a-f-]{36}\/\d+$/.test(start)).toBe(true);
});
