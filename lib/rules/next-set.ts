import type { Authorship } from '../shared/actor.ts';
import type { RuleReader } from './generation.ts';
import { generationsAfter } from './generation.ts';
import type { KeptRule, RuleSet, RuleVersion, StoredRule } from './rule-set.ts';
import { isSameJson } from './rule-set.ts';
import { present } from '../shared/present.ts';

/**
 * Works out the set that rules make in place of another, and the changes that make it.
 *
 * A rule that stays as it was keeps its version, and a counter that goes on its generation.
 *
 * @param rules every rule that there is to be, each id once
 */
export function nextSet(
  before: RuleSet,
  rules: readonly StoredRule[],
  author: Authorship,
  read: RuleReader,
): { readonly set: RuleSet; readonly versions: readonly RuleVersion[] } {
  const version = before.revision + 1;
  // No rule counted before the first set, so no counter needs another name.
  const begins = before.revision === 0 ? undefined : version;
  const generationOf = generationsAfter(before.rules, begins, read);
  const were = new Map(before.rules.map((kept) => [kept.rule.id, kept]));
  const sorted = [...rules].sort((one, other) => (one.id < other.id ? -1 : 1));
  const kept = sorted.map((rule): KeptRule => {
    const was = were.get(rule.id);
    return was !== undefined && isSameJson(was.rule, rule)
      ? was
      : { rule, version, ...generationOf(rule), ...author };
  });
  const are = new Map(kept.map((each) => [each.rule.id, each]));
  const changed = [...new Set([...were.keys(), ...are.keys()])]
    .sort()
    .filter((id) => were.get(id) !== are.get(id));
  const versions = changed.map((id): RuleVersion => {
    const [was, is] = [were.get(id)?.rule, are.get(id)?.rule];
    return { id, version, ...author, ...present({ before: was, after: is }) };
  });
  return { set: { ...before, revision: version, rules: kept }, versions };
}
