import { DATABASE_HELP, JSON_OPTION, working, type Register } from '../command.ts';

/** `headroom indexes`. */
export const indexes: Register = (program) => {
  program
    .command('indexes')
    .summary('make the collections and indexes that are missing')
    .description(
      'Makes missing collections and indexes, and prints all. Run it before the first call, and after an update that changes them. It deletes nothing.',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', DATABASE_HELP)
    .action(
      working(
        'The indexes were not made',
        () => import('../indexes.ts'),
        ({ makeIndexes }, db, { json = false }: { readonly json?: boolean }) =>
          makeIndexes(db, json),
      ),
    );
};
