import { DATABASE_HELP, ending, JSON_OPTION, type Register } from '../command.ts';

type Options = { readonly print?: boolean; readonly json?: boolean };

/** `headroom shard`. */
export const shard: Register = (program) => {
  program
    .command('shard')
    .summary('spread the collections over the shards of a cluster')
    .description(
      'Makes a sharded cluster ready: makes the indexes, and spreads every collection that grows, counters by the hash of their subject, audit rows by the hash of their order. Run again, it does what is missing. Where the right is lacking it prints the commands for somebody who has it.',
    )
    .option('--print', 'only print the commands, for mongosh')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
Ends with 0 where everything is spread, 2 where not, or there is no cluster.`,
    )
    .action(
      ending(async ({ print = false, json = false }: Options) => {
        const { onDatabase } = await import('../../database-command.ts');
        const { shardDatabase } = await import('../../shard/shard.ts');
        return onDatabase('Not spread', (db) => shardDatabase(db, { print, json }));
      }),
    );
};
