import type { Command } from 'commander';
import { CommandError } from './command-error.ts';

/** Adds a command to the program: its words, its options, and what it does. */
export type Register = (program: Command) => void;

/**
 * Makes the action of a command, as commander wants it. The number that the work gives is the exit code.
 *
 * A command imports its modules when it runs: the driver alone takes longer to load than everything
 * else that `--help` needs.
 */
export function ending<Parameters extends readonly unknown[]>(
  work: (...parameters: Parameters) => Promise<number>,
): (...parameters: Parameters) => Promise<void> {
  return async (...parameters) => {
    try {
      process.exitCode = await work(...parameters);
    } catch (error) {
      const url = parameters.map(urlIn).find((each) => each !== undefined);
      // Only a few members of the answer are looked at before it is printed.
      if (url === undefined || !(error instanceof TypeError || error instanceof RangeError))
        throw error;
      throw new CommandError(
        `The answer from ${url} is no answer of Headroom: check the address, and any proxy in front of it. The call may have taken effect.`,
        { cause: error },
      );
    }
  };
}

/** The address that a command asks; undefined where it asks none. */
function urlIn(parameter: unknown): string | undefined {
  if (typeof parameter !== 'object' || parameter === null || !('url' in parameter))
    return undefined;
  return typeof parameter.url === 'string' ? parameter.url : undefined;
}

/** The option of every command that has something to tell a program. */
export const JSON_OPTION = ['--json', 'print JSON, for programs'] as const;

/** The text below the help of commands that work on the database. */
export const DATABASE_HELP = `
MONGODB_URI and MONGODB_DATABASE (headroom) name the database.`;

/** An option that may stand several times. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
