import type { Command } from 'commander';
import { UsageError } from '../command-error.ts';
import { DATABASE_HELP, ending, JSON_OPTION, working, type Register } from '../command.ts';
import type { ExportOptions, StoreOptions } from '../rules/rules.ts';

const loaded = () => import('../rules/rules.ts');
const NOT_DONE = 'Nothing was done';

/** `headroom rules`. Without a command it exports; with a file alone it imports. */
export const rules: Register = (program) => {
  const group = storing(changing(program.command('rules')))
    .option(...JSON_OPTION)
    .summary('the stored rules: import, export, diff, undo, history')
    .description('Prints the stored rules. With a file, stores its rules, as import does.')
    .enablePositionalOptions()
    .argument('[file]')
    .addHelpText('after', DATABASE_HELP)
    .action(
      working(NOT_DONE, loaded, (work, db, file: string | undefined, options: StoreOptions) => {
        if (file !== undefined) return work.importFile(db, file, options);
        if (options.dryRun === true) throw new UsageError('--dry-run of which file?');
        return work.exportRules(db, options);
      }),
    );
  storing(
    changing(below(group, 'import [file]', 'Stores the rules of a file, checked as a whole.')),
  )
    .option('--pack <name>', 'add published limits instead: pix, us-cash, …')
    .addHelpText(
      'after',
      'Rules keep their sums if subjects, currency, counts, window and refunds stay.',
    )
    .action(
      working(NOT_DONE, loaded, (work, db, file: string | undefined, options: ImportOptions) => {
        const { pack } = options;
        if ((file === undefined) === (pack === undefined))
          throw new UsageError('Expected a file, or --pack with the name of a pack.');
        return pack === undefined
          ? work.importFile(db, file ?? '', options)
          : work.importPack(db, pack, options);
      }),
    );
  storing(below(group, 'diff <file>', 'Prints the changes that an import would make.'))
    .addHelpText('after', 'Ends with 1 if it would change anything.')
    .action(
      working(NOT_DONE, loaded, (work, db, file: string, options: StoreOptions) =>
        work.diffFile(db, file, options),
      ),
    );
  changing(below(group, 'undo', 'Stores the rules as they were before the last change.'))
    .option(...BEGIN_ANEW)
    .action(
      working(NOT_DONE, loaded, (work, db, options: StoreOptions) => work.undoRules(db, options)),
    );
  below(group, 'export', 'Prints the stored rules as a file.')
    .option('--into <file>', 'write them into a file, and keep its comments')
    .action(
      working(NOT_DONE, loaded, (work, db, options: ExportOptions) =>
        work.exportRules(db, options),
      ),
    );
  below(group, 'history [id]', 'Prints the last 100 changes of one rule or all rules.')
    .addHelpText('after', 'Ends with 1 if there never was that rule.')
    .action(
      working(NOT_DONE, loaded, (work, db, id: string | undefined, options: ExportOptions) =>
        work.printHistory(db, id, options),
      ),
    );
  group
    .command('validate <file>')
    .description('Checks a rule file like import, without a database.')
    .addHelpText('after', '\nEnds with 0 if it is right, 1 if not, 2 if it cannot be read.')
    .action(
      ending(async (path: string) => {
        const { validateRuleFile } = await import('../rules/validate-rules.ts');
        return validateRuleFile(path);
      }),
    );
};

type ImportOptions = StoreOptions & { readonly pack?: string };

const BEGIN_ANEW = ['--begin-anew', 'reset sums of rules to zero'] as const;

/** The consents that a change needs if it takes something away. */
function storing(command: Command): Command {
  return command
    .option('--drop', 'delete rules that the file leaves out')
    .option(...BEGIN_ANEW)
    .option('--name-subjects', 'name subjects whose own maxima are concerned');
}

/** The options of a command that changes the stored rules. */
function changing(command: Command): Command {
  return command
    .option('--dry-run', 'only print the changes')
    .option('--reason <text>', 'why: stored with the change')
    .option('--by <name>', 'who: stored with the change');
}

function below(group: Command, words: string, description: string): Command {
  return group
    .command(words)
    .description(description)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP);
}
