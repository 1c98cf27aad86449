import { MongoClient } from 'mongodb';
import { ensureIndexes, INDEXES } from '../lib/store/indexes.ts';

/** Reaching a cluster for the first time takes a second or two; longer is a wrong address. */
const TIMEOUT_MS = 5_000;

/** Makes the indexes in the database that the environment names, and says which there are. */
async function run(uri: string, databaseName: string): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: TIMEOUT_MS });
  try {
    await ensureIndexes(client.db(databaseName));
  } finally {
    await client.close();
  }
  for (const { collection, options } of INDEXES) {
    console.log(`${databaseName}.${collection}: index ${options.name} is there`);
  }
}

const uri = process.env.MONGODB_URI;
if (uri === undefined || uri === '') {
  console.error('MONGODB_URI is not set; it names the database that needs its indexes.');
  process.exit(1);
}
try {
  await run(uri, process.env.MONGODB_DATABASE ?? 'headroom');
} catch (error) {
  console.error(`The indexes were not made: ${error instanceof Error ? error.message : 'unknown'}`);
  process.exit(1);
}
