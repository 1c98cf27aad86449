import type { ReconcileOptions } from '../reconcile/reconcile.ts';
import { DATABASE_HELP, JSON_OPTION, working, type Register } from '../command.ts';

/** `headroom reconcile`. */
export const reconcile: Register = (program) => {
  program
    .command('reconcile')
    .summary("compare the sums with the audit's rows, and mend them")
    .description(
      "Compares counters with the audit's rows and the documents' own holds, and prints every sum, and every number of open holds, that differs.",
    )
    .option('--subject <kind:id>', 'only one document (all)')
    .option('--since <instant>', 'the start of complete rows; earlier windows are skipped')
    .option('--wait <duration>', 'the wait for late rows (PT1S); PT0S if nothing calls')
    .option('--repair', 'correct each of them, in one update for each document')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
Ends with 0 if all agree, 1 if one differs or was corrected, 2 if it
could not compare.`,
    )
    .action(
      working(
        'Not reconciled',
        () => import('../reconcile/reconcile.ts'),
        ({ reconcileDocuments }, db, options: ReconcileOptions) => reconcileDocuments(db, options),
      ),
    );
};
