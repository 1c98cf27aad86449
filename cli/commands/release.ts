import { ending, JSON_OPTION, DATABASE_HELP, type Register } from '../command.ts';
import type { ReleaseOptions } from '../release/release.ts';

/** `headroom release`. */
export const release: Register = (program) => {
  program
    .command('release')
    .summary('give back the open holds of one application in one document')
    .description(
      'Prints how many holds of an application are open in the document of a subject, and gives them back with --give-back.',
    )
    .requiredOption('--app <id>', 'the application that has the orders: shop')
    .requiredOption('--subject <kind:id>', 'the document: merchant:m-1')
    .option('--lasting <duration>', 'only holds that last for so much longer: PT1H')
    .option('--give-back', 'roll back each of these orders')
    .option('--reason <text>', 'why: stored with each rollback')
    .option('--by <name>', 'who: stored with each rollback')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
Set AUDIT, CONSISTENCY and HOME_KINDS as the functions have them. A payment that
is confirmed after that is ALREADY_ROLLED_BACK, and does not count.
Ends with 0 if no such hold is left, 1 if some are, 2 if it could not be done.`,
    )
    .action(
      ending(async (options: ReleaseOptions) => {
        const { orNotDone, overDatabase } = await import('../calls.ts');
        const { releaseHolds } = await import('../release/release.ts');
        return orNotDone('Not released', () =>
          overDatabase((service) => releaseHolds(service, options), options.app),
        );
      }),
    );
};
