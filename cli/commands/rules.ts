import type { Command } from 'commander';
import { DATABASE_HELP, ending, JSON_OPTION, type Register } from '../command.ts';

/** The help option that the group leaves to `cli/rules/rules.ts`, and its commands have. */
const HELP = ['-h, --help', 'display help for command'] as const;

/**
 * `headroom rules`. `cli/rules/rules.ts` reads its words once more, and does the work. This file has
 * their help and completion. Only `validate` needs no database.
 */
export const rules: Register = (program) => {
  const group = program
    .command('rules')
    .summary('the stored rules: import, export, diff, undo, history')
    .enablePositionalOptions()
    .helpOption(false)
    .allowUnknownOption()
    .argument('[words...]')
    .action(ending(run));
  storing(passing(group, 'import', '<file>', 'Stores the rules of a file, checked as a whole.'))
    .option('--reason <text>', 'why: stored with the change')
    .option('--by <name>', 'who: stored with the change')
    .option('--dry-run', 'only print the changes');
  storing(
    passing(group, 'diff', '<file>', 'Prints the changes that an import of the file would make.'),
  );
  passing(group, 'undo', '', 'Stores the rules as they were before the last change.')
    .option('--begin-anew', 'reset sums of rules to zero')
    .option('--reason <text>', 'why: stored with the change')
    .option('--by <name>', 'who: stored with the change')
    .option('--dry-run', 'only print the changes');
  passing(group, 'export', '', 'Prints the stored rules as a file.').option(
    '--into <file>',
    'write them into a file, and keep its comments',
  );
  passing(group, 'history', '[id]', 'Prints the last changes of one rule or all rules.');
  group
    .command('validate')
    .helpOption(...HELP)
    .description('Checks a rule file like import, without a database.')
    .argument('<file>')
    .addHelpText('after', '\nEnds with 0 if it is right, 1 if not, 2 if it cannot be read.')
    .action(
      ending(async (path: string) => {
        const { validateRuleFile } = await import('../rules/validate-rules.ts');
        return Promise.resolve(validateRuleFile(path));
      }),
    );
};

/** The consents that a change needs if it takes something away. */
function storing(command: Command): Command {
  return command
    .option('--drop', 'delete rules that the file leaves out')
    .option('--begin-anew', 'reset sums of rules to zero');
}

/** A command whose words are handed on as they are. */
function passing(group: Command, name: string, takes: string, description: string): Command {
  const command = group
    .command(name)
    .helpOption(...HELP)
    .description(description);
  if (takes !== '') command.argument(takes);
  return command
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action(ending(async () => run([name, ...command.args, ...optionWords(command.opts())])));
}

/** Options as they were said: `{ beginAnew: true }` is `--begin-anew`. */
function optionWords(options: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(options).map(([name, value]) => {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? flag : `${flag}=${String(value)}`;
  });
}

async function run(words: readonly string[]): Promise<number> {
  const { runDatabaseCommand } = await import('../database-command.ts');
  const { rulesCommand } = await import('../rules/rules.ts');
  return runDatabaseCommand(rulesCommand, words);
}
