import type { Subjects } from '../packages/client/src/index.ts';
import { UsageError } from './command-error.ts';

/**
 * Reads subjects as documents are called: `user:u-1 merchant:m-1`.
 *
 * @throws UsageError for a text without a kind, or a kind that stands twice
 */
export function readSubjects(words: readonly string[]): Subjects {
  const subjects = new Map<string, string>();
  for (const word of words) {
    const [, kind, id] = /^([^:]+):(.+)$/s.exec(word) ?? [];
    if (kind === undefined || id === undefined)
      throw new UsageError(
        `${JSON.stringify(word)} is no subject; expected its kind and its id, such as user:u-1.`,
      );
    if (subjects.has(kind)) throw new UsageError(`There are two subjects of kind ${kind}.`);
    subjects.set(kind, id);
  }
  return Object.fromEntries(subjects);
}
