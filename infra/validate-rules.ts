import { readFileSync } from 'node:fs';
import { InvalidConfigurationError } from '../lib/domain/errors.ts';
import { parseRuleFile } from '../lib/edge/rule-file.ts';
import { CommandError } from './command-error.ts';

/**
 * Says what is wrong with a rule file, or that nothing is.
 *
 * @returns 0 where it is right, 1 where not
 * @throws CommandError where it cannot be read
 */
export function validateRuleFile(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new CommandError(`Not validated: the rule file cannot be read: ${reason}`);
  }
  try {
    const { length } = parseRuleFile(text, path);
    console.log(`${path}: ${length} ${length === 1 ? 'rule' : 'rules'}, all right`);
    return 0;
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    console.error(error.message);
    return 1;
  }
}
