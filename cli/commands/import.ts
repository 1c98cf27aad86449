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
    .description('Counts each payment of a file once, at its own time. A second run continues.')
    .argument('<file>', 'CSV, or JSON lines: .jsonl or .ndjson')
    .option('--dry-run', 'only look for mistakes in the file')
    .option('--column <field=name>', 'a column with another name: orderId=order_no', collected)
    .option('--set <field=text>', 'a value for all rows: currency=CNY', collected)
    .option('--ignore <name>', 'a column to leave out', collected)
    .option('--delimiter <character>', 'between columns', ',')
    .option('--skip-invalid', 'leave wrong rows out: they go to NAME.rejected.csv')
    .option('--progress <file>', 'the file for its progress (FILE.progress)')
    .option('--app <id>', 'the owner of the orders, without --url (default)')
    .option('--url <address>', 'send to a deployment: everything before /v1')
    .option('--json', 'print the results as JSON')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (path: string, options: Options) => {
        const { calling } = await import('../calls.ts');
        const { importFile } = await import('../import/import.ts');
        const { currencyWarnings } = await import('../import/rule-currencies.ts');
        const { readImportOptions } = await import('../import/import-options.ts');
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
