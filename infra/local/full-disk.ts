import { messageOf } from './engine.ts';

/** Node's code, and MongoDB's OutOfDiskSpace. */
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 14_031]);

/**
 * Says that a disk is full, where an error or its cause is about that; undefined elsewhere.
 *
 * @param folder where the clone is, with the local database's data in it
 */
export function fullDiskSentence(error: unknown, folder: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const isFull =
    ('code' in error && CODES.has(error.code)) || /no space left on device/i.test(error.message);
  if (!isFull) return fullDiskSentence(error.cause, folder);
  return `A disk is full (${messageOf(error)}). Make room on the disk of ${folder}, or of your server, and start again.`;
}
