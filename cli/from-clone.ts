import { CommandError } from './command-error.ts';

/**
 * Loads a part of the program that only a clone has.
 *
 * @param what why the clone is needed: how the sentence begins
 * @throws CommandError where the program was installed without its repository
 */
export async function fromClone<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new CommandError(`${what}: run it in a clone of the repository.`, { cause: error });
  }
}
