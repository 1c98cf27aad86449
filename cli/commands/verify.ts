import { DATABASE_HELP, JSON_OPTION, working, type Register } from '../command.ts';

type Options = {
  readonly subject?: string;
  readonly gaps?: boolean;
  readonly json?: boolean;
};

/** `headroom verify`. */
export const verify: Register = (program) => {
  program
    .command('verify')
    .summary('find audit rows that were changed, added or deleted')
    .description(
      'Finds audit rows of AUDIT=session that were changed, added or deleted. Reads the chain of one document, or every chain. Prints the first broken row of each.',
    )
    .option('--subject <kind:id>', 'only one document (all chains)')
    .option('--gaps', 'with any AUDIT: documents whose numbered writes lack rows')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
Ends with 0 if nothing is wrong, 1 if a row is missing or altered, 2 otherwise.`,
    )
    .action(
      working(
        'Not verified',
        async () => ({ ...(await import('../verify.ts')), ...(await import('../gaps.ts')) }),
        ({ verifyChains, printGaps }, db, { subject, gaps = false, json = false }: Options) =>
          (gaps ? printGaps : verifyChains)(db, subject, json),
      ),
    );
};
