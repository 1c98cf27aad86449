import { CommandError } from '../command-error.ts';
import { fileReason } from '../file-reason.ts';

/** A file beside the imported one could not be written; the message names it, and says why. */
export class UnwrittenError extends CommandError {
  override readonly name = 'UnwrittenError';

  constructor(path: string, cause: unknown) {
    super(`${path} cannot be written: ${fileReason(cause)}.`, { cause });
  }
}
