import { DATABASE_HELP, ending, JSON_OPTION, type Register } from '../command.ts';

type Options = { readonly subject?: string; readonly json?: boolean };

/** `headroom verify`. */
export const verify: Register = (program) => {
  program
    .command('verify')
    .summary('look whether an audit row was altered, added or taken away')
    .description(
      "Looks whether an audit row of AUDIT=session was altered, added or taken away, in the chain of one subject's document or in every chain, and names the first row of each that is broken.",
    )
    .option('--subject <kind:id>', 'one document; every chain where nothing is said')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
Ends with 0 where all are whole, 1 where one is broken, 2 if not verified.`,
    )
    .action(
      ending(async ({ subject, json = false }: Options) => {
        const { onDatabase } = await import('../../database-command.ts');
        const { verifyChains } = await import('../../verify.ts');
        return onDatabase('Not verified', (db) => verifyChains(db, subject, json));
      }),
    );
};
