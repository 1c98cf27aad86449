import type { CallOptions } from '../calls.ts';
import { asking, collected, ending, type Register } from '../command.ts';
import type { GivenOptions } from '../import/import-options.ts';

/** `headroom import`. */
export const importPayments: Register = (program) => {
  const command = program
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
    .option('--app <id>', 'the owner of the orders, without --url (default)');
  asking(command, 'the results as JSON').action(
    ending(async (path: string, options: GivenOptions) => {
      const { calling } = await import('../calls.ts');
      const { importFile } = await import('../import/import.ts');
      const { currencyWarnings } = await import('../import/rule-currencies.ts');
      const { readImportOptions } = await import('../import/import-options.ts');
      const wanted = readImportOptions(path, options);
      const { url, app } = options;
      const calls: CallOptions = {
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
