import type { BacktestOptions } from '../backtest/backtest.ts';
import { CHART_OPTION, DATABASE_HELP, JSON_OPTION, working, type Register } from '../command.ts';

/** `headroom backtest`. */
export const backtest: Register = (program) => {
  program
    .command('backtest [file]')
    .summary('what rules would have decided; the maximum that few meet')
    .description(
      "Decides the checks of the audit's rows again, under the rules of a file and under those of their time. Changes nothing.",
    )
    .option('--put <file>', 'in place of a file: the rules of the time, with this')
    .option('--drop <id>', 'the rules of the time, without this')
    .requiredOption('--from <instant>', 'the first instant: 2026-10-01T00:00:00+08:00')
    .option('--to <instant>', 'the first instant that is left out (two minutes ago)')
    .option('--subject <kind:id>', 'only rows of this subject: user:u-1')
    .option('--freed <outcome>', 'what newly allowed orders become: unpaid or paid', 'unpaid')
    .option('--rows-per-second <number>', 'read no more of them')
    .option(...CHART_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
It reads from a secondary, if there is one.`,
    )
    .action(
      working(
        'Not tested',
        () => import('../backtest/backtest.ts'),
        ({ backtestFile }, db, file: string | undefined, options: BacktestOptions) =>
          backtestFile(db, file, options),
      ),
    );
};
