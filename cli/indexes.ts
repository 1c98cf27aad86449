import type { Db } from 'mongodb';
import { ensureIndexes, INDEXES, PLAIN_COLLECTIONS } from '../lib/health/mongo-indexes.ts';
import { printJson } from './output.ts';
import { CommandError } from './command-error.ts';
import { featureVersion, isTooOld, MAJOR_LEAST } from '../lib/health/mongo-server-health.ts';

/**
 * Makes the collections and indexes that are missing, and says which there are.
 *
 * @throws CommandError where the server cannot have them all
 */
export async function makeIndexes(db: Db, isJson: boolean): Promise<number> {
  const feature = await featureVersion(db);
  if (feature !== undefined && isTooOld(feature))
    throw new CommandError(
      `The indexes were not made. The feature compatibility version of the server is ${feature}, expected ${MAJOR_LEAST}.0 or newer. Older versions allow no two indexes of the same keys. Raise it (setFeatureCompatibilityVersion), then run this again. Nothing was changed.`,
    );
  await ensureIndexes(db);
  if (isJson)
    printJson([
      ...PLAIN_COLLECTIONS.map((collection) => ({ collection })),
      ...INDEXES.map(({ collection, keys, options }) => ({ collection, keys, ...options })),
    ]);
  else {
    for (const name of PLAIN_COLLECTIONS)
      console.log(`${db.databaseName}.${name}: collection is there`);
    for (const { collection, options } of INDEXES)
      console.log(`${db.databaseName}.${collection}: index ${options.name} is there`);
  }
  return 0;
}
