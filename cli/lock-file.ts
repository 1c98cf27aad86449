import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAlive, readStart } from './process-identity.ts';

/** Each try either takes the lock or meets a living owner, unless the lock changed hands meanwhile. */
const TRIES_MAX = 5;

type Owner = { readonly pid: number; readonly start: string };

/** The error where a living process has the lock. */
type Refusal = (pid: number) => Error;

/**
 * Makes a file that says that this process has something for itself.
 *
 * The lock of a process that is gone is taken over; a process that got the number of a dead one is
 * not mistaken for it (on Linux).
 *
 * @param lock path of the file, in a folder that is there
 * @returns a function that gives it free
 * @throws what `heldBy` makes when a living process holds it
 */
export async function takeLock(lock: string, heldBy: Refusal): Promise<() => Promise<void>> {
  await take(lock, heldBy);
  return () => rm(lock, { force: true });
}

/**
 * Makes a lock this process's.
 *
 * A dead owner's lock is replaced, never cleared away: another process could have it by then. Only the
 * owner of a second lock may replace it, so nobody else changes it meanwhile. The second lock is taken
 * in the same way, because its owner may have died, too.
 */
async function take(lock: string, heldBy: Refusal): Promise<void> {
  const own = `${lock}.${randomUUID()}`;
  const mine: Owner = { pid: process.pid, start: readStart(process.pid) };
  const text = JSON.stringify(mine);
  try {
    await writeFile(own, text);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (await appears(lock, own, text)) return;
      const found = await readText(lock);
      if (found === undefined) continue;
      expectDead(found, heldBy);
      const replacing = `${lock}.${createHash('sha256').update(found).digest('hex').slice(0, 16)}`;
      await take(replacing, heldBy);
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
  throw heldBy(ownerIn((await readText(lock)) ?? '').pid);
}

/** Disks that know no hard links, such as those of cameras and some that are shared. */
const WITHOUT_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** @returns false where the lock is taken */
async function appears(lock: string, own: string, text: string): Promise<boolean> {
  try {
    // A hard link appears with its content and only where nothing is: no half-written lock is seen.
    await link(own, lock);
    return true;
  } catch (error) {
    if (!WITHOUT_LINKS.has(codeOf(error))) return isFree(error);
  }
  return writeFile(lock, text, { flag: 'wx' }).then(() => true, isFree);
}

function isFree(error: unknown): false {
  if (codeOf(error) === 'EEXIST') return false;
  throw error;
}

/** Node's errors of system calls carry a code. */
function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** @throws Error where the owner that a lock names is running */
function expectDead(text: string, heldBy: Refusal): void {
  const owner = ownerIn(text);
  if (isRunning(owner)) throw heldBy(owner.pid);
}

function ownerIn(text: string): Owner {
  try {
    // Written by takeLock alone, whole by way of the hard link.
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
