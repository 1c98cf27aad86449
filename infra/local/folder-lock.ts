import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile, link } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalDatabaseError } from './engine.ts';
import { isAlive, readStart } from './process-identity.ts';

const LOCK_FILE = 'database.lock';

/** Each try either takes the lock, meets a living owner, or clears one dead owner away. */
const TRIES_MAX = 5;

type Owner = { readonly pid: number; readonly start: string };

/**
 * Takes the folder for this process, so that two servers never write the same data.
 *
 * The lock of a process that is gone is taken over; a process that got the number of a dead one is
 * not mistaken for it (on Linux). Behind this lock, which explains itself, stand the engines' own.
 *
 * @returns a function that gives the folder free
 * @throws LocalDatabaseError when a living process holds it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, LOCK_FILE);
  const own = join(folder, `${LOCK_FILE}.${randomUUID()}`);
  const mine: Owner = { pid: process.pid, start: readStart(process.pid) };
  await writeFile(own, JSON.stringify(mine));
  try {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      // A hard link appears with its content and only where nothing is: no half-written lock is seen.
      const taken = await link(own, lock).then(() => true, isTaken);
      if (taken) return () => rm(lock, { force: true });
      await clearDeadOwner(folder, lock);
    }
  } finally {
    await rm(own, { force: true });
  }
  throw new LocalDatabaseError(
    `The lock ${lock} changes hands too often: start one database at a time.`,
  );
}

function isTaken(error: unknown): false {
  // Node's errors of system calls carry a code.
  if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
  throw error;
}

async function clearDeadOwner(folder: string, lock: string): Promise<void> {
  const owner = await readOwner(lock);
  if (owner === undefined) return;
  if (isRunning(owner))
    throw new LocalDatabaseError(
      `A local database already runs on ${folder} (process ${owner.pid}): stop it first, or use another folder.`,
    );
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(() => undefined);
  const moved = await readOwner(aside);
  // Somebody else cleared it and took the lock in between: give that lock back.
  if (moved !== undefined && isRunning(moved)) await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
}

async function readOwner(file: string): Promise<Owner | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    // Written by lockFolder alone, whole by way of the hard link.
    return JSON.parse(text) as Owner;
  } catch {
    return { pid: 0, start: '' };
  }
}

function isRunning(owner: Owner): boolean {
  if (owner.pid <= 0 || !isAlive(owner.pid)) return false;
  const start = readStart(owner.pid);
  return start === '' || owner.start === '' || start === owner.start;
}
