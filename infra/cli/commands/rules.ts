import type { Command } from 'commander';
import { DATABASE_HELP, ending, type Register } from '../command.ts';

/** What the group leaves to `infra/rules.ts`, its commands have. */
const HELP = ['-h, --help', 'display help for command'] as const;

/**
 * `headroom rules`. What its words mean `infra/rules.ts` knows, which `npm run rules` calls by the same
 * words; only `validate` needs no database.
 */
export const rules: Register = (program) => {
  const group = program
    .command('rules')
    .summary('store the rules of a file, print those that are stored')
    .enablePositionalOptions()
    .helpOption(false)
    .allowUnknownOption()
    .argument('[words...]')
    .action(ending(run));
  passing(group, 'import', '<file>', 'store the rules of a file', (words) => words);
  passing(group, 'diff', '<file>', 'say what a file would change', (words) => [
    ...words,
    '--dry-run',
  ]);
  passing(group, 'export', '', 'print the rules that are stored, as a file', () => []);
  group
    .command('validate')
    .helpOption(...HELP)
    .description('Reads a rule file as storing it would, without a database.')
    .argument('<file>')
    .addHelpText(
      'after',
      '\nEnds with 0 where it is right, 1 where not, 2 where it cannot be read.',
    )
    .action(
      ending(async (path: string) => {
        const { validateRuleFile } = await import('../../validate-rules.ts');
        return Promise.resolve(validateRuleFile(path));
      }),
    );
};

/** A command that says the same in other words. */
function passing(
  group: Command,
  name: string,
  takes: string,
  description: string,
  wordsOf: (words: readonly string[]) => readonly string[],
): void {
  const command = group
    .command(name)
    .helpOption(...HELP)
    .description(`${description}.`);
  if (takes !== '') command.argument(takes);
  command.addHelpText('after', DATABASE_HELP).action(
    // Commander gives each argument, then the options and the command.
    ending((...given: readonly unknown[]) =>
      run(wordsOf(given.filter((each) => typeof each === 'string'))),
    ),
  );
}

async function run(words: readonly string[]): Promise<number> {
  const { runDatabaseCommand } = await import('../../database-command.ts');
  const { rulesCommand } = await import('../../rules.ts');
  return runDatabaseCommand(rulesCommand, words);
}
