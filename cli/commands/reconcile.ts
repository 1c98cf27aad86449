import type { ReconcileOptions } from '../reconcile/reconcile.ts';
import { DATABASE_HELP, ending, JSON_OPTION, type Register } from '../command.ts';

type Options = {
  readonly subject?: string;
  readonly since?: string;
  readonly wait?: string;
  readonly repair?: boolean;
  readonly json?: boolean;
};

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
      ending(async ({ subject, since, wait, repair = false, json = false }: Options) => {
        const { onDatabase } = await import('../database-command.ts');
        const { reconcileDocuments } = await import('../reconcile/reconcile.ts');
        const asked = { subject, ...(await readAsked(since, wait)), repair, json };
        return onDatabase('Not reconciled', (db) => reconcileDocuments(db, asked));
      }),
    );
};

/** @throws UsageError where an instant or a duration cannot be understood */
async function readAsked(
  since: string | undefined,
  wait: string | undefined,
): Promise<Pick<ReconcileOptions, 'since' | 'lateMs'>> {
  const { INSTANT_EXPECTED, readInstant } = await import('../../lib/schema/instant.ts');
  const { durationMs } = await import('../../lib/shared/duration.ts');
  const { RECENT_MS } = await import('../../lib/audit/reconcile/mongo-reconciling.ts');
  const { UsageError } = await import('../database-command.ts');
  const sinceAt = since === undefined ? undefined : readInstant(since);
  if (since !== undefined && sinceAt === undefined)
    throw new UsageError(`--since is ${JSON.stringify(since)}, expected ${INSTANT_EXPECTED}.`);
  const lateMs = wait === undefined ? undefined : durationMs(wait);
  if (wait !== undefined && (lateMs === undefined || lateMs > RECENT_MS))
    throw new UsageError(
      `--wait is ${JSON.stringify(wait)}, expected a duration of at most PT1M, such as PT1S.`,
    );
  return { since: sinceAt, lateMs };
}
