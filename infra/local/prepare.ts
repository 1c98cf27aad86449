import { isDeepStrictEqual } from 'node:util';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import { digestOf } from '../../lib/shared/digest.ts';
import { commandActor } from '../../cli/command-actor.ts';
import { loadRules } from '../../cli/rules/load-rules.ts';
import type { RuleFile } from './rule-file.ts';
import { withClient } from './with-client.ts';

export { appsKeyOf } from './apps-key.ts';
export { makeSampleApplication } from './sample-application.ts';

/** The outcome for a rule file: its rules are stored, or others, which were made from them since. */
export type RulesPrepared = {
  readonly isAsInFile: boolean;
  readonly rules: RuleFile;
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
  signal: AbortSignal,
): Promise<RulesPrepared> {
  return withClient(uri, signal, async (client) => {
    const db = client.db(databaseName);
    await ensureIndexes(db);
    const author = { at: new Date(), by: commandActor(), reason: 'npm start' };
    const set = await loadRules(db, rules, digestOf(JSON.stringify(rules)), author);
    const isAsInFile =
      set.rules.length === rules.length &&
      set.rules.every((kept) => rules.some((rule) => isDeepStrictEqual(rule, kept.rule)));
    return { isAsInFile, rules: set.rules.map(({ rule }) => rule), revision: set.revision };
  });
}
