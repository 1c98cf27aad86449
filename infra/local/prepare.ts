import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { MongoClient } from 'mongodb';
import { parseRuleFile } from '../../lib/edge/rule-file.ts';
import { ensureIndexes } from '../../lib/store/indexes.ts';
import { replaceRules } from '../../lib/store/rules.ts';
import { StartError } from './start-error.ts';

/** Rules in the form in which they are stored. */
type RuleFile = ReturnType<typeof parseRuleFile>;

const TIMEOUT_MS = 15_000;

/** A path as people write it: from here when it is below, whole otherwise. */
export function displayedPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}

/**
 * Reads and checks the rule file.
 *
 * @param path absolute
 * @throws StartError when it cannot be read
 * @throws InvalidConfigurationError listing every mistake in it
 */
export async function readRuleFile(path: string): Promise<RuleFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new StartError(
      `The rule file ${displayedPath(path)} cannot be read; RULES_FILE names it.`,
      {
        cause: error,
      },
    );
  }
  return parseRuleFile(text, displayedPath(path));
}

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
