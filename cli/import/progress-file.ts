import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import * as z from 'zod/mini';
import { CommandError } from '../command-error.ts';
import { fileReason } from '../file-reason.ts';
import { tallySchema } from './tally.ts';
import { UnwrittenError } from './unwritten-error.ts';

const schema = z.object({
  /** SHA-256 of the file. */
  file: z.string(),
  /** Where it is counted, and how its columns are read. */
  how: z.string(),
  /** The rows of the whole file. */
  rows: z.number(),
  /** Rows from the first on that are through. */
  done: z.number(),
  /** Bytes of the file of rows that were not taken, of these rows. */
  rejectedBytes: z.number(),
  tally: tallySchema,
});

/** How far an import has come. */
export type ImportProgress = z.infer<typeof schema>;

/**
 * Reads how far an import has come; undefined where it has not begun.
 *
 * @throws CommandError where the file is something else
 */
export function readProgress(path: string): ImportProgress | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CommandError(`Not imported: ${path} cannot be read: ${fileReason(error)}.`);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new CommandError(
      `Not imported: ${path} is no progress file; name another file with --progress.`,
    );
  }
}

/**
 * Writes it whole: whatever ends the process, the file says what it said, or this.
 *
 * @throws UnwrittenError where it says what it said
 */
export async function writeProgress(path: string, progress: ImportProgress): Promise<void> {
  try {
    await replaceFile(path, progress);
  } catch (error) {
    throw new UnwrittenError(path, error);
  }
}

async function replaceFile(path: string, progress: ImportProgress): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, 'w');
  try {
    await file.writeFile(`${JSON.stringify(progress, undefined, 2)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(next, path);
}
