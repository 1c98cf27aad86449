import { MongoClient } from 'mongodb';
import { createIndexesHandler } from '../lib/edge/indexes-handler.ts';
import { readDatabaseSettings } from '../lib/edge/settings.ts';
import { ensureIndexes } from '../lib/health/mongo-indexes.ts';
import { OWN_WRITES } from '../lib/mongo/client.ts';

const { mongodbUri, mongodbDatabase } = readDatabaseSettings(process.env);

/** A stack waits for the answer; a database that is being made may take some seconds to answer. */
const SELECTION_MS = 20_000;

/** Makes the collections and indexes that are missing, for a stack that deploys or by direct invocation. */
export const handler = createIndexesHandler(async () => {
  // Unlike the client of a call it has no socket timeout: an index of many rows takes minutes to build.
  const client = new MongoClient(mongodbUri, {
    ...OWN_WRITES,
    appName: 'headroom-indexes',
    serverSelectionTimeoutMS: SELECTION_MS,
  });
  try {
    await ensureIndexes(client.db(mongodbDatabase));
  } finally {
    await client.close();
  }
});
