import type { TestDatabase } from './database.ts';
import { environmentOf } from './database.ts';
import type { Ended } from './run-command.ts';
import { runCommand } from './run-command.ts';

type Way<By> = {
  readonly by: By;
  readonly run: (
    name: string,
    words: readonly string[],
    set?: Readonly<Record<string, string>>,
  ) => Promise<Ended>;
};

/**
 * The two ways of a command: over the database, and over HTTP.
 *
 * @param urlOf gives the address of the service, once it is there
 * @param always is set over the database
 */
export function waysOf(
  database: TestDatabase,
  urlOf: () => string,
  always: Readonly<Record<string, string>> = {},
): readonly [Way<'the database'>, Way<'--url'>] {
  return [
    {
      by: 'the database',
      run: (name, words, set = {}) =>
        runCommand(name, words, { ...environmentOf(database), ...always, ...set }),
    },
    { by: '--url', run: (name, words, set) => runCommand(name, [...words, '--url', urlOf()], set) },
  ];
}
