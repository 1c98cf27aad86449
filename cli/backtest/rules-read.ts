import { readFileSync } from 'node:fs';
import { parseRules } from '../../lib/rule-file/rule-list.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { digitsOf } from '../../lib/shared/currency.ts';
import { CommandError } from '../command-error.ts';
import { fileReason } from '../file-reason.ts';
import type { Digits } from '../money.ts';
import { parseRuleFile } from '../rules/rule-file.ts';

/**
 * The rules of a file.
 *
 * @param notDone how the sentence begins that says why it was not done: `Not tested`
 * @throws CommandError
 */
export function readRules(file: string, notDone: string): readonly Rule[] {
  try {
    return parseRules(parseRuleFile(readFileSync(file, 'utf8'), file), file);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandError(`${notDone}: ${file} cannot be read: ${fileReason(error)}.`);
  }
}

/** The digits of currencies: ISO's, and otherwise those that rules say themselves. */
export function digitsBy(rules: readonly Rule[]): Digits {
  return (currency) => digitsOf(currency, rules.find((rule) => rule.currency === currency)?.digits);
}
