import { DATABASE_HELP, JSON_OPTION, working, type Register } from '../command.ts';

type Options = { readonly subject?: string; readonly json?: boolean };

/** `headroom verify`. */
export const verify: Register = (program) => {
  program
    .command('verify')
    .summary('find audit rows that were changed, added or deleted')
    .description(
      'Finds audit rows of AUDIT=session that were changed, added or deleted. Reads the chain of one document, or every chain. Prints the first broken row of each.',
    )
    .option('--subject <kind:id>', 'only one document (all chains)')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
Ends with 0 if all chains are whole, 1 if one is broken, 2 if not verified.`,
    )
    .action(
      working(
        'Not verified',
        () => import('../verify.ts'),
        ({ verifyChains }, db, { subject, json = false }: Options) =>
          verifyChains(db, subject, json),
      ),
    );
};
