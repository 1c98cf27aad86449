import type { SuggestOptions } from '../backtest/suggest.ts';
import { CHART_OPTION, DATABASE_HELP, JSON_OPTION, working, type Register } from '../command.ts';

/** `headroom suggest`. */
export const suggest: Register = (program) => {
  program
    .command('suggest <rule>')
    .summary('the maximum by which few subjects are refused')
    .description(
      "Finds the least maximum of a rule by which at most a share of its subjects would have been refused, from the audit's rows. Changes nothing.",
    )
    .requiredOption('--from <instant>', 'the first instant: 2026-10-01T00:00:00+08:00')
    .option('--to <instant>', 'the first instant that is left out (two minutes ago)')
    .requiredOption('--share <share>', 'of subjects that may be refused: 1%, at most 50%')
    .option('--file <file>', 'the rule of a file, not of the database')
    .option(...CHART_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action(
      working(
        'Not suggested',
        () => import('../backtest/suggest.ts'),
        ({ suggestMaximum }, db, rule: string, options: SuggestOptions) =>
          suggestMaximum(db, rule, options),
      ),
    );
};
