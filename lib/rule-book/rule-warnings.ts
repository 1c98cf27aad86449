import { isDeepStrictEqual } from 'node:util';
import type { StoredRule } from '../rule-file/rule-set.ts';
import { readStoredRule } from '../rule-file/rule-list.ts';
import type { RuleChange } from '../changes/rule-change.ts';
import { amountWarnings } from './amount-warnings.ts';
import type { Warning } from './name-warnings.ts';
import { nameWarnings } from './name-warnings.ts';
import { pairsSentences } from './pairs-warnings.ts';
import { ruleSentences } from './rules-finding.ts';

type Compared = Pick<RuleChange, 'id' | 'before' | 'after'>;

/**
 * Warns of what may be meant otherwise in a set of rules that comes in place of another one. Nobody is warned once
 * more of what was there before. In a first set each name and time is new, so that being alone says nothing.
 */
export function ruleWarnings(
  before: readonly StoredRule[],
  rules: readonly StoredRule[],
  homeKinds: readonly string[],
  at: Date,
): readonly Warning[] {
  const were = new Map(before.map((rule) => [rule.id, rule]));
  const changes = rules
    .map((after): Compared => {
      const was = were.get(after.id);
      return { id: after.id, after, ...(was === undefined ? {} : { before: was }) };
    })
    .filter((one) => !isDeepStrictEqual(one.before, one.after));
  const changed = changes.flatMap(({ after }) => after ?? []);
  const isFirst = before.length === 0;
  const sentences = (set: readonly StoredRule[]): readonly string[] => {
    const read = set.flatMap((rule) => readStoredRule(rule) ?? []);
    return [...ruleSentences(read, { at, isFirst }), ...pairsSentences(read, homeKinds, at)];
  };
  const known = new Set(sentences(before));
  return [
    ...changes.flatMap((one) => amountWarnings(one, rules)).map((says) => ({ says })),
    ...nameWarnings(changed, rules, before, homeKinds),
    ...sentences(rules)
      .filter((says) => !known.has(says))
      .map((says) => ({ says })),
  ];
}
