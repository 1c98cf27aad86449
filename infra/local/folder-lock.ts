import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile, link } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalDatabaseError } from './engine.ts';
import { isAlive, readStart } from './process-identity.ts';

const LOCK_FILE = 'database.lock';

/** Each try either takes the lock or meets a living owner, unless the lock changed hands meanwhile. */
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
  await take(folder, lock);
  return () => rm(lock, { force: true });
}

/**
 * Makes a lock this process's.
 *
 * A dead owner's lock is replaced, never cleared away: another process could have it by then. Only
 * whoever has the lock on replacing it may do so, hence nobody else changes it meanwhile; that lock
 * is taken in the same way, since its owner may have died, too.
 */
async function take(folder: string, lock: string): Promise<void> {
  const own = `${lock}.${randomUUID()}`;
  const mine: Owner = { pid: process.pid, start: readStart(process.pid) };
  await writeFile(own, JSON.stringify(mine));
  try {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      // A hard link appears with its content and only where nothing is: no half-written lock is seen.
      if (await link(own, lock).then(() => true, isTaken)) return;
      const found = await readText(lock);
      if (found === undefined) continue;
      expectDead(folder, found);
      const replacing = `${lock}.${createHash('sha256').update(found).digest('hex').slice(0, 16)}`;
      await take(folder, replacing);
      try {
        if ((await readText(lock)) === found) {
          await rename(own, lock);
          return;
        }
      } finally {
        await rm(replacing, { force: true });
      }
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

function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** @throws LocalDatabaseError where the owner that a lock names is running */
function expectDead(folder: string, text: string): void {
  const owner = ownerIn(text);
  if (isRunning(owner))
    throw new LocalDatabaseError(
      `A local database already runs on ${folder} (process ${owner.pid}): stop it first, or use another folder.`,
    );
}

function ownerIn(text: string): Owner {
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
