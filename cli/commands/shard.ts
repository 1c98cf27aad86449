import { DATABASE_HELP, ending, JSON_OPTION, type Register } from '../command.ts';

type Options = { readonly print?: boolean; readonly json?: boolean };

/** `headroom shard`. */
export const shard: Register = (program) => {
  program
    .command('shard')
    .summary('spread the collections over the shards of a cluster')
    .description(
      'Makes the indexes of a sharded cluster, and spreads every collection that grows. Counters are spread by the hash of their subject, audit rows by the hash of their order. A second run does the rest. If a right is missing, it prints the commands for an administrator.',
    )
    .option('--print', 'only print the commands, for mongosh')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `${DATABASE_HELP}
Ends with 0 if everything is spread, 2 if not, or without a cluster.`,
    )
    .action(
      ending(async ({ print = false, json = false }: Options) => {
        const { onDatabase } = await import('../database-command.ts');
        const { shardDatabase } = await import('../shard/shard.ts');
        return onDatabase('Not spread', (db) => shardDatabase(db, { print, json }));
      }),
    );
};
