import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { parseCheckedRules } from '../../cli/rules/rule-file.ts';
import { readRuleSettings } from '../../lib/edge/settings.ts';
import { StartError } from './start-error.ts';

/** Rules in the form in which they are stored. */
export type RuleFile = ReturnType<typeof parseCheckedRules>;

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
  return parseCheckedRules(text, displayedPath(path), readRuleSettings(process.env).homeKinds);
}
