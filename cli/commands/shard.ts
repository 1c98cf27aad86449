import type { ShardOptions } from '../shard/shard.ts';
import { DATABASE_HELP, JSON_OPTION, working, type Register } from '../command.ts';

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
      working(
        'Not spread',
        () => import('../shard/shard.ts'),
        ({ shardDatabase }, db, options: ShardOptions) => shardDatabase(db, options),
      ),
    );
};
