import type { CounterPart } from './counter.ts';
import { counterDifferences, counterScope } from './counter.ts';
import type { Rule } from './rule.ts';
import { isLive } from './rule.ts';
import type { KeptRule, StoredRule } from './rule-set.ts';
import { isSameJson } from './rule-set.ts';

/**
 * What a change of a rule means for what it counts: `kept`, what was counted counts on; `anew`, it
 * begins again from zero; `begins` and `ends`, it counted nothing before or counts nothing after;
 * `none`, it counts nothing before and after.
 */
export type CounterFate = 'kept' | 'anew' | 'begins' | 'ends' | 'none';

/** What a change of the set does to one rule. */
export type RuleChange = {
  readonly id: string;
  readonly kind: 'added' | 'changed' | 'deleted';
  readonly before?: StoredRule;
  readonly after?: StoredRule;
  readonly counter: CounterFate;
  /** Of a rule that counts anew, what of its counter is another. */
  readonly because: readonly CounterPart[];
  /** Other rules of the set that count in the same counter after the change; in the one that ends. */
  readonly sharedWith: readonly string[];
};

/** Reads a stored rule; undefined where it is wrong. */
export type RuleReader = (stored: StoredRule) => Rule | undefined;

/**
 * Says what becomes of each rule that is not the same in both, in the order of their ids.
 *
 * @param after a whole set, in the order of its ids
 */
export function changesBetween(
  before: readonly KeptRule[],
  after: readonly StoredRule[],
  read: RuleReader,
): readonly RuleChange[] {
  const were = new Map(before.map(({ rule }) => [rule.id, rule]));
  const are = new Map(after.map((rule) => [rule.id, rule]));
  const counting = new Map<string, string[]>();
  for (const rule of after.flatMap((stored) => countingRule(read(stored)) ?? []))
    counting.set(counterScope(rule), [...(counting.get(counterScope(rule)) ?? []), rule.id]);
  const ids = [...new Set([...were.keys(), ...are.keys()])].sort();
  return ids.flatMap((id) => {
    const [was, is] = [were.get(id), are.get(id)];
    return isSameJson(was, is) ? [] : [changeOf(id, was, is, counting, read)];
  });
}

function changeOf(
  id: string,
  before: StoredRule | undefined,
  after: StoredRule | undefined,
  counting: ReadonlyMap<string, readonly string[]>,
  read: RuleReader,
): RuleChange {
  const was = before && countingRule(read(before));
  const is = after && countingRule(read(after));
  const because = was === undefined || is === undefined ? [] : counterDifferences(was, is);
  const shared = is ?? was;
  const sharing = shared === undefined ? [] : (counting.get(counterScope(shared)) ?? []);
  return {
    id,
    kind: before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed',
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    counter: fateOf(was, is, because),
    because,
    sharedWith: sharing.filter((other) => other !== id),
  };
}

function fateOf(
  was: Rule | undefined,
  is: Rule | undefined,
  because: readonly CounterPart[],
): CounterFate {
  if (was === undefined) return is === undefined ? 'none' : 'begins';
  if (is === undefined) return 'ends';
  return because.length === 0 ? 'kept' : 'anew';
}

/** A rule that sums something: live, and over more than one transaction. */
function countingRule(rule: Rule | undefined): Rule | undefined {
  return rule !== undefined && isLive(rule) && rule.window.kind !== 'transaction'
    ? rule
    : undefined;
}
