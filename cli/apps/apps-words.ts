import { OPERATIONS, RIGHTS, APP_ID_PATTERN } from '../../lib/shared/app.ts';
import { UsageError } from '../database-command.ts';

/**
 * Reads what an application may call: `all`, or a list.
 *
 * @throws UsageError
 */
export function readOperations(text: string): readonly string[] {
  return text === 'all' ? OPERATIONS : listOf(text, OPERATIONS, 'operation', 'all, or some');
}

/**
 * Reads a list of rights.
 *
 * @throws UsageError
 */
export function readRights(text: string): readonly string[] {
  return listOf(text, RIGHTS, 'right', 'one or more');
}

/**
 * Reads the id of an application.
 *
 * @throws UsageError
 */
export function readId(id: string | undefined): string {
  if (id !== undefined && APP_ID_PATTERN.test(id)) return id;
  throw new UsageError(
    `${id === undefined ? 'The application is missing' : `"${id}" is no application's id`}; expected 1 to 64 lower-case letters, digits and hyphens.`,
  );
}

/** The names that a text lists, in their own order. */
function listOf(
  text: string,
  names: readonly string[],
  noun: string,
  expected: string,
): readonly string[] {
  const named = text.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !names.includes(name));
  if (unknown === undefined) return names.filter((name) => named.includes(name));
  throw new UsageError(`"${unknown}" is no ${noun}; expected ${expected} of ${names.join(', ')}.`);
}
