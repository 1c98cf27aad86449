import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import { ensureIndexes, INDEXES } from '../lib/store/indexes.ts';
import { runDatabaseCommand } from './database-command.ts';

const USAGE = `npm run indexes

Makes the collections and indexes that are missing, and names all of them. Run it once before the
first call, and after an update that changes them; it takes nothing away.`;

/** Makes the indexes, and says which there are. */
async function makeIndexes(db: Db): Promise<number> {
  await ensureIndexes(db);
  for (const { collection, options } of INDEXES)
    console.log(`${db.databaseName}.${collection}: index ${options.name} is there`);
  return 0;
}

await runDatabaseCommand({
  usage: USAGE,
  notDone: 'The indexes were not made',
  read(parameters) {
    parseArgs({ args: [...parameters], options: {} });
    return makeIndexes;
  },
});
