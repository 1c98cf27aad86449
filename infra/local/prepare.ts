import { MongoClient } from 'mongodb';
import { isSameJson } from '../../lib/domain/rule-set.ts';
import { ensureIndexes } from '../../lib/store/indexes.ts';
import { digestOf } from '../../lib/domain/digest.ts';
import { loadRules } from '../../lib/store/rules.ts';
import { commandActor } from '../command-actor.ts';
import type { RuleFile } from './rule-file.ts';

export { appsKeyOf } from './apps-key.ts';
export { makeSampleApplication } from './sample-application.ts';

const TIMEOUT_MS = 15_000;

/** What became of a rule file: its rules are stored, or others, which were made from them since. */
export type RulesPrepared = {
  readonly isAsInFile: boolean;
  readonly rules: number;
  readonly revision: number;
};

/**
 * Makes a database ready for the functions: its indexes, and these rules in place of any other, unless
 * they were loaded by an earlier start; then those stay that were changed since.
 */
export async function prepareDatabase(
  uri: string,
  databaseName: string,
  rules: RuleFile,
): Promise<RulesPrepared> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: TIMEOUT_MS });
  try {
    const db = client.db(databaseName);
    await ensureIndexes(db);
    const author = { at: new Date(), by: commandActor(), reason: 'npm start' };
    const set = await loadRules(db, rules, digestOf(JSON.stringify(rules)), author);
    const isAsInFile =
      set.rules.length === rules.length &&
      set.rules.every((kept) => rules.some((rule) => isSameJson(rule, kept.rule)));
    return { isAsInFile, rules: set.rules.length, revision: set.revision };
  } finally {
    await client.close();
  }
}
