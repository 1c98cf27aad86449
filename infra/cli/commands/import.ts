import { ending, type Register } from '../command.ts';
import type { CallOptions } from '../calls.ts';
import { CALL_HELP } from './usage.ts';

type Options = CallOptions & {
  readonly column?: readonly string[];
  readonly set?: readonly string[];
  readonly ignore?: readonly string[];
  readonly delimiter: string;
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly progress?: string;
};

/** `headroom import`. */
export const importPayments: Register = (program) => {
  program
    .command('import')
    .summary('count the payments of a file that were never checked')
    .description('Counts each payment of a file once, at its own time. Goes on where it ended.')
    .argument('<file>', 'CSV, or of JSON lines: .jsonl or .ndjson')
    .option('--dry-run', 'only look for what is wrong in the file')
    .option('--column <field=name>', 'a column of another name: orderId=order_no', collected)
    .option('--set <field=text>', 'the same in all rows: currency=CNY', collected)
    .option('--ignore <name>', 'a column that is nothing', collected)
    .option('--delimiter <character>', 'between columns', ',')
    .option('--skip-invalid', 'leave wrong rows out: they go to NAME.rejected.csv')
    .option('--progress <file>', 'where it notes how far it is (FILE.progress)')
    .option('--app <id>', "whose orders they are, without --url: default's")
    .option('--url <address>', 'send to a deployment: everything before /v1')
    .option('--json', 'print what became of the rows as JSON')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (path: string, options: Options) => {
        const { calling } = await import('../calls.ts');
        const { importFile } = await import('../../import/import.ts');
        const { currencyWarnings } = await import('../../import/rule-currencies.ts');
        const { readImportOptions } = await import('../../import/import-options.ts');
        const wanted = readImportOptions(path, options);
        const { url, app } = options;
        const calls = {
          deadlineMs: CALL_DEADLINE_MS,
          ...(url === undefined ? {} : { url }),
          ...(app === undefined ? {} : { app }),
        };
        return importFile(
          wanted,
          (work) => calling('Not imported', calls, work),
          (found) => currencyWarnings(found, calls),
        );
      }),
    );
};

/** Longer than a primary takes to be replaced: an import goes on by itself. */
const CALL_DEADLINE_MS = 60_000;

/** An option that may stand several times. */
function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
