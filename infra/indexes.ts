import type { Db } from 'mongodb';
import { ensureIndexes, INDEXES } from '../lib/store/indexes.ts';
import { printJson } from './cli/output.ts';

/** Makes the indexes that are missing, and says which there are. */
export async function makeIndexes(db: Db, isJson: boolean): Promise<number> {
  await ensureIndexes(db);
  if (isJson)
    printJson(INDEXES.map(({ collection, keys, options }) => ({ collection, keys, ...options })));
  else
    for (const { collection, options } of INDEXES)
      console.log(`${db.databaseName}.${collection}: index ${options.name} is there`);
  return 0;
}
