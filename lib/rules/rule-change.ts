import type { CounterPart } from '../windows/counter.ts';
import { counterDifferences, counterScope } from '../windows/counter.ts';
import type { RuleReader } from './generation.ts';
import { countingRules } from './generation.ts';
import type { Rule } from './rule.ts';
import type { KeptRule, StoredRule } from './rule-set.ts';
import { isSameJson } from './rule-set.ts';
import { present } from '../shared/present.ts';

/**
 * What a change of a rule means for what it counts. `kept`: what was counted counts on. `begins`: it
 * counted nothing before, and begins at zero. `anew`: it counted in another counter, and begins at zero.
 * `joins`: it has what other rules counted in the counter. `ends`: it counts nothing after. `none`: it
 * counts nothing before and after.
 */
export const COUNTER_FATES = ['kept', 'begins', 'anew', 'joins', 'ends', 'none'] as const;
/** What a change of a rule means for what it counts. */
export type CounterFate = (typeof COUNTER_FATES)[number];

/** What a change of the set does to one rule. */
export type RuleChange = {
  readonly id: string;
  readonly kind: 'added' | 'changed' | 'deleted';
  readonly before?: StoredRule;
  readonly after?: StoredRule;
  readonly counter: CounterFate;
  /** The parts that changed, if the rule counted before and counts in another counter now. */
  readonly because: readonly CounterPart[];
  /**
   * Other rules of the set that count in the same counter after the change; in the one that ends. Of
   * `joins`, those that counted in it before.
   */
  readonly sharedWith: readonly string[];
};

/** Rules that count, by their ids, and who counts in each counter. */
type Counting = {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly idsByScope: ReadonlyMap<string, readonly string[]>;
};

/**
 * Says what becomes of each rule that is not the same in both, in the order of their ids.
 *
 * @param after a whole set, as `nextSet` makes it
 */
export function changesBetween(
  before: readonly KeptRule[],
  after: readonly KeptRule[],
  read: RuleReader,
): readonly RuleChange[] {
  const were = new Map(before.map(({ rule }) => [rule.id, rule]));
  const are = new Map(after.map(({ rule }) => [rule.id, rule]));
  const [counted, counts] = [countingIn(before, read), countingIn(after, read)];
  const ids = [...new Set([...were.keys(), ...are.keys()])].sort();
  return ids.flatMap((id) => {
    const [was, is] = [were.get(id), are.get(id)];
    if (isSameJson(was, is)) return [];
    return [
      {
        id,
        kind: was === undefined ? 'added' : is === undefined ? 'deleted' : 'changed',
        ...present({ before: was, after: is }),
        ...counterChange(id, counted, counts),
      },
    ];
  });
}

function countingIn(set: readonly KeptRule[], read: RuleReader): Counting {
  const rules = new Map(countingRules(set, read).map((rule) => [rule.id, rule]));
  const idsByScope = new Map<string, string[]>();
  for (const [id, rule] of rules)
    idsByScope.set(counterScope(rule), [...(idsByScope.get(counterScope(rule)) ?? []), id]);
  return { rules, idsByScope };
}

function counterChange(
  id: string,
  counted: Counting,
  counts: Counting,
): Pick<RuleChange, 'counter' | 'because' | 'sharedWith'> {
  const [was, is] = [counted.rules.get(id), counts.rules.get(id)];
  const counter = fateOf(was, is, counted);
  const rule = is ?? was;
  const sharing = (counter === 'joins' ? counted : counts).idsByScope;
  const ids = (rule && sharing.get(counterScope(rule))) ?? [];
  return {
    counter,
    because: was === undefined || is === undefined ? [] : counterDifferences(was, is),
    sharedWith: ids.filter((other) => other !== id),
  };
}

function fateOf(was: Rule | undefined, is: Rule | undefined, counted: Counting): CounterFate {
  if (is === undefined) return was === undefined ? 'none' : 'ends';
  const scope = counterScope(is);
  if (was !== undefined && counterScope(was) === scope) return 'kept';
  if (counted.idsByScope.has(scope)) return 'joins';
  return was === undefined ? 'begins' : 'anew';
}
