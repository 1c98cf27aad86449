import type { Command } from 'commander';

/** Adds a command to the program: its words, its options, and what it does. */
export type Register = (program: Command) => void;

/**
 * What a command does, as commander wants it: the number that the work gives is how the process ends.
 *
 * A command takes in what it works with when it runs: the driver alone takes longer than everything
 * else that `--help` needs.
 */
export function ending<Parameters extends readonly unknown[]>(
  work: (...parameters: Parameters) => Promise<number>,
): (...parameters: Parameters) => Promise<void> {
  return async (...parameters) => {
    process.exitCode = await work(...parameters);
  };
}

/** What every command that has something to tell a program can be asked for. */
export const JSON_OPTION = ['--json', 'print JSON, for programs'] as const;

/** What stands below the help of commands that work on the database. */
export const DATABASE_HELP = `
MONGODB_URI and MONGODB_DATABASE (headroom) name the database.`;
