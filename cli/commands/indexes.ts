import { DATABASE_HELP, ending, JSON_OPTION, type Register } from '../command.ts';

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
      ending(async ({ json = false }: { readonly json?: boolean }) => {
        const { onDatabase } = await import('../database-command.ts');
        const { makeIndexes } = await import('../indexes.ts');
        return onDatabase('The indexes were not made', (db) => makeIndexes(db, json));
      }),
    );
};
