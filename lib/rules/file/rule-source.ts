import { ruleInSet } from '../generation.ts';
import type { Rule } from '../rule.ts';
import type { KeptRule } from '../rule-set.ts';
import type { FreshSourceOptions } from '../../http/fresh-source.ts';
import { freshSource } from '../../http/fresh-source.ts';
import { parseRules } from './rule-list.ts';

/** A rule in the form of a rule file, its version and its generation. */
type Versioned = { readonly rule: unknown } & Pick<KeptRule, 'version' | 'generation'>;

/**
 * Gives the rules in force, as `freshSource` does.
 *
 * @param options `load` gives all rules in the form of a rule file, with their versions
 */
export function ruleSource(
  options: Omit<FreshSourceOptions<readonly Versioned[], readonly Rule[]>, 'read'>,
): () => Promise<readonly Rule[]> {
  return freshSource({ ...options, read: versionedRules });
}

/** Rules are read all together, and in order. */
function versionedRules(given: readonly Versioned[]): readonly Rule[] {
  const rules = parseRules(
    given.map(({ rule }) => rule),
    'the database',
  );
  return rules.map((rule, index) => {
    const kept = given[index];
    return kept === undefined ? rule : ruleInSet(rule, kept);
  });
}
