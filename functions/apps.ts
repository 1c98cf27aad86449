import { createAppsHandler } from '../lib/callers/apps-handler.ts';
import { appStore } from '../lib/callers/mongo-callers.ts';
import { readSettings } from '../lib/edge/settings.ts';
import { createClient } from '../lib/mongo/client.ts';

const settings = readSettings(process.env);
const client = createClient(settings.mongodbUri, settings.storeTimeoutMs);

/** Makes and changes applications by direct invocation, where only functions reach the database. */
export const handler = createAppsHandler(
  appStore(client.db(settings.mongodbDatabase), settings.storeTimeoutMs),
  settings,
);
