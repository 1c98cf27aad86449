import { measureOf } from '../rule/measures/measures.ts';
import type { Rule } from '../rule/rule.ts';
import { sinceOf } from '../rule/windows/windows.ts';

/** Names of rules and orders that are no attributes. */
const OTHER_NAMES = ['type', 'proof'];

/** Kinds of subjects that some rules count for. */
export function kindsOf(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set(rules.flatMap(({ per }) => per));
}

/** The attributes that a rule asks for. @param kinds names that are subjects */
export function attributesAsked(rule: Rule, kinds: ReadonlySet<string>): readonly string[] {
  const { counts, appliesTo, maxBy, require = [], window } = rule;
  const scopes = [counts, appliesTo];
  const names = [
    ...scopes.flatMap(({ is, not }) => [...Object.keys(is), ...Object.keys(not)]),
    maxBy?.amountMinor?.by,
    maxBy?.count?.by,
    ...measureOf(rule).names(rule),
    sinceOf(window)?.attribute,
    ...require,
  ];
  const isAttribute = (name: string): boolean => !OTHER_NAMES.includes(name) && !kinds.has(name);
  return [...new Set(names.filter((name) => name !== undefined).filter(isAttribute))];
}
