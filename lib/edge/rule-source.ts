import type { Rule } from '../domain/rule.ts';
import type { FreshSourceOptions } from './fresh-source.ts';
import { freshSource } from './fresh-source.ts';
import { parseRules } from './rule-list.ts';

/** A rule in the form of a rule file, and its version. */
type Versioned = { readonly rule: unknown; readonly version: number };

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
    const version = given[index]?.version;
    return version === undefined ? rule : { ...rule, version };
  });
}
