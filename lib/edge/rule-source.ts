import type { Rule } from '../domain/rule.ts';
import type { FreshSourceOptions } from './fresh-source.ts';
import { freshSource } from './fresh-source.ts';
import { parseRules } from './rule-list.ts';

/**
 * Gives the rules in force, as `freshSource` does.
 *
 * @param options `load` gives all rules in the form of a rule file
 */
export function ruleSource(
  options: Omit<FreshSourceOptions<readonly unknown[], readonly Rule[]>, 'read'>,
): () => Promise<readonly Rule[]> {
  return freshSource({ ...options, read: (given) => parseRules(given, 'the database') });
}
