import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { takeLock } from '../../cli/lock-file.ts';
import { LocalDatabaseError } from './engine.ts';

const LOCK_FILE = 'database.lock';

/**
 * Takes the folder for this process, so that two servers never write the same data. Behind this lock,
 * which explains itself, stand the engines' own.
 *
 * @returns a function that gives the folder free
 * @throws LocalDatabaseError when a living process holds it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  return takeLock(
    join(folder, LOCK_FILE),
    (pid) =>
      new LocalDatabaseError(
        `A local database already runs on ${folder} (process ${pid}): stop it first, or use another folder.`,
      ),
  );
}
