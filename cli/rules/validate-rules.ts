import { readFileSync } from 'node:fs';
import { InvalidConfigurationError } from '../../lib/shared/errors.ts';
import { parseCheckedRules } from './rule-file.ts';
import { visible } from '../output.ts';
import { CommandError } from '../command-error.ts';
import { fileReason } from '../file-reason.ts';
import { numbered } from '../../lib/shared/numbered.ts';
import { readRuleSettings } from '../../lib/edge/settings.ts';
import { ruleWarnings } from '../../lib/rule-book/rule-warnings.ts';

/**
 * Says what is wrong with a rule file, or that nothing is; warns of payments whose amount nothing limits.
 *
 * @returns 0 where it is right, 1 where not
 * @throws CommandError where it cannot be read
 */
export function validateRuleFile(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`Not validated: ${path} cannot be read: ${fileReason(error)}.`);
  }
  try {
    const { homeKinds } = readRuleSettings(process.env);
    const rules = parseCheckedRules(text, path, homeKinds);
    const warnings = ruleWarnings([], rules, homeKinds, new Date());
    for (const { says } of warnings) console.log(visible(`Warning: ${says}`));
    const end =
      warnings.length === 0 ? 'all right' : `no mistake, ${numbered(warnings.length, 'warning')}`;
    console.log(`${path}: ${numbered(rules.length, 'rule')}, ${end}`);
    return 0;
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    console.error(error.message);
    return 1;
  }
}
