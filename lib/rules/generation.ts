import { counterScope } from '../windows/counter.ts';
import type { Rule } from './rule.ts';
import { isLive } from './rule.ts';
import type { KeptRule, StoredRule } from './rule-set.ts';

/** Reads a stored rule; undefined where it is wrong. */
export type RuleReader = (stored: StoredRule) => Rule | undefined;

/** A rule as functions use it, with what the set says of it. */
export function ruleInSet(
  rule: Rule,
  { version, generation }: Pick<KeptRule, 'version' | 'generation'>,
): Rule {
  return { ...rule, version, ...(generation === undefined ? {} : { generation }) };
}

/** The rules of a set that sum something: live, and over more than one transaction. */
export function countingRules(set: readonly KeptRule[], read: RuleReader): readonly Rule[] {
  return set.flatMap((kept) => {
    const rule = read(kept.rule);
    return rule !== undefined && sums(rule) ? [ruleInSet(rule, kept)] : [];
  });
}

function sums(rule: Rule): boolean {
  return isLive(rule) && rule.window.kind !== 'transaction';
}

/**
 * Says of which generation the counters of the rules of the next set are. A counter goes on as long as
 * some rule of each set counts in it; otherwise it begins at zero, in a generation of its own.
 *
 * @param begins the generation of what begins now
 */
export function generationsAfter(
  before: readonly KeptRule[],
  begins: number | undefined,
  read: RuleReader,
): (rule: StoredRule) => Pick<KeptRule, 'generation'> {
  const known = new Map(
    countingRules(before, read).map(({ generation, ...rule }) => [counterScope(rule), generation]),
  );
  return (stored) => {
    const rule = read(stored);
    if (rule === undefined || !sums(rule)) return {};
    const scope = counterScope(rule);
    const generation = known.has(scope) ? known.get(scope) : begins;
    return generation === undefined ? {} : { generation };
  };
}
