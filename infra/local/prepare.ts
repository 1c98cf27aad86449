import { MongoClient } from 'mongodb';
import { ensureIndexes } from '../../lib/store/indexes.ts';
import { replaceRules } from '../../lib/store/rules.ts';
import type { RuleFile } from './rule-file.ts';

export { appsKeyOf } from './apps-key.ts';
export { makeSampleApplication } from './sample-application.ts';

const TIMEOUT_MS = 15_000;

/** Makes a database ready for the functions: its indexes, and these rules in place of any other. */
export async function prepareDatabase(
  uri: string,
  databaseName: string,
  rules: RuleFile,
): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: TIMEOUT_MS });
  try {
    const db = client.db(databaseName);
    await ensureIndexes(db);
    await replaceRules(db, rules);
  } finally {
    await client.close();
  }
}
