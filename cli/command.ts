import type { Command } from 'commander';
import type { Db } from 'mongodb';
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

/**
 * Makes the action of a command that works on the database of MONGODB_URI.
 *
 * @param notDone how the sentence begins that says why it was not done: `Not verified`
 * @param load imports what does the work
 */
export function working<Module, Parameters extends readonly unknown[]>(
  notDone: string,
  load: () => Promise<Module>,
  work: (module: Module, db: Db, ...parameters: Parameters) => Promise<number>,
): (...parameters: Parameters) => Promise<void> {
  return ending(async (...parameters: Parameters) => {
    const { onDatabase } = await import('./database-command.ts');
    const module = await load();
    return onDatabase(notDone, (db) => work(module, db, ...parameters));
  });
}

/** The address that a command asks; undefined where it asks none. */
function urlIn(parameter: unknown): string | undefined {
  if (typeof parameter !== 'object' || parameter === null || !('url' in parameter))
    return undefined;
  return typeof parameter.url === 'string' ? parameter.url : undefined;
}

/** The option of every command that has something to tell a program. */
export const JSON_OPTION = ['--json', 'print JSON, for programs'] as const;

/** The option of commands that draw what they tell. */
export const CHART_OPTION = ['--chart <file>', 'write a chart, too: chart.svg'] as const;

/** The text below the help of commands that work on the database. */
export const DATABASE_HELP = `
MONGODB_URI and MONGODB_DATABASE (headroom) name the database.`;

/** The option that gives an attribute. */
export const ATTRIBUTE_OPTION = [
  '--attribute <name=value>',
  'an attribute; repeat the option for more: tier=gold',
  collected,
] as const;

/** The proofs that the payer has given. */
export const PROOF_OPTION = [
  '--proof <name>',
  'a proof of the payer; repeat for more: sca',
  collected,
] as const;

/** The text below the help of commands that make a call. */
const CALL_HELP = `
Without --url it runs the code of the functions on the database of MONGODB_URI.
With --url it signs: by HEADROOM_APP_ID and HEADROOM_SECRET, if set, or for IAM
by HEADROOM_IAM_REGION=eu-central-1, as the AWS command line does.`;

/**
 * Adds the options of a command that makes a call, and what they mean.
 *
 * @param printed what `--json` prints: `the answer of GET /v1/usage`
 * @param end how the command ends, in a line of help
 */
export function asking(command: Command, printed: string, end = ''): Command {
  return command
    .option('--url <address>', 'ask a deployment: everything before /v1')
    .option('--json', `print ${printed}`)
    .addHelpText('after', `${CALL_HELP}${end}`);
}

/** An option that may stand several times. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
