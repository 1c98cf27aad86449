import { isDeepStrictEqual } from 'node:util';
import type { Authorship } from '../shared/actor.ts';
import { present } from '../shared/present.ts';
import { counterScope } from '../rule/counter.ts';
import { counterDifferences } from '../rule-file/fields/fields.ts';
import { readStoredRule } from '../rule-file/rule-list.ts';
import type { OverridesFate, Owners } from './override-names.ts';
import { overrideNames } from './override-names.ts';
import type { Rule } from '../rule/rule.ts';
import { isLive } from '../rule/rule.ts';
import type { KeptRule, RuleSet, StoredRule } from '../rule-file/rule-set.ts';
import { isCounted } from '../rule/windows/windows.ts';

/**
 * What a change of a rule means for its sum. `begins`: it had none, and begins at zero. `anew`: it had one in
 * another counter, and begins at zero. `joins`: it takes that of other rules in its new counter. `ends`: it
 * counts nothing after; `none`: nor before.
 */
export const COUNTER_FATES = ['kept', 'begins', 'anew', 'joins', 'ends', 'none'] as const;

/** What a change of the set does to one rule. */
export type RuleChange = {
  readonly id: string;
  readonly kind: 'added' | 'changed' | 'deleted';
  readonly before?: StoredRule;
  readonly after?: StoredRule;
  readonly counter: (typeof COUNTER_FATES)[number];
  /** The parts that changed, if it counted before and counts in another counter now. */
  readonly because: ReturnType<typeof counterDifferences>;
  /** Other rules in the same counter after the change, or in the one that ends. `joins`: those before it. */
  readonly sharedWith: readonly string[];
  /** What becomes of subjects' own maxima of it. */
  readonly overrides: OverridesFate;
  /** Whose these are; absent if nobody has one that is in force or to come, or nobody looked. */
  readonly owners?: Owners;
};

/** A set in place of another, and what becomes of each rule that changes, by their ids. */
export type NextSet = {
  readonly set: RuleSet;
  readonly changes: readonly RuleChange[];
  readonly author: Authorship;
};

/**
 * Works out the set that rules make in place of another, each id once. A counter goes on as long as some rule
 * of each set counts in it; otherwise it begins at zero, in a generation of its own.
 */
export function nextSet(
  before: RuleSet,
  rules: readonly StoredRule[],
  author: Authorship,
): NextSet {
  const version = before.revision + 1;
  // No rule counted before the first set, so no counter needs another name.
  const begins = before.revision === 0 ? undefined : version;
  const were = new Map(before.rules.map((kept) => [kept.rule.id, kept]));
  const are = new Map(rules.map((rule) => [rule.id, rule]));
  const ids = [...new Set([...were.keys(), ...are.keys()])].sort();
  const after = ids.flatMap((id) => are.get(id) ?? []);
  const [counted, counts] = [countingIn(before.rules), countingIn(after.map((rule) => ({ rule })))];
  const names = overrideNames(
    before.rules.map(({ rule, namedAs }) => namedRule(rule, namedAs)),
    after.map((rule) => namedRule(rule)),
    version,
  );
  const kept = after.map((rule): KeptRule => {
    const was = were.get(rule.id);
    if (was !== undefined && isDeepStrictEqual(was.rule, rule)) return was;
    const scope = counts.rules.get(rule.id)?.scope;
    const known =
      scope === undefined ? {} : (counted.counters.get(scope) ?? { generation: begins });
    const name = names.nameOf(rule.id);
    const namedAs = name === rule.id ? undefined : name;
    return { rule, version, ...present({ generation: known.generation, namedAs }), ...author };
  });
  const changes = ids.flatMap((id): readonly RuleChange[] => {
    const [was, is] = [were.get(id)?.rule, are.get(id)];
    if (isDeepStrictEqual(was, is)) return [];
    const kind = was === undefined ? 'added' : is === undefined ? 'deleted' : 'changed';
    return [
      {
        id,
        kind,
        ...present({ before: was, after: is }),
        ...fateOf(id, counted, counts),
        overrides: names.fateOf(id),
      },
    ];
  });
  return { set: { ...before, revision: version, rules: kept }, changes, author };
}

function namedRule(stored: StoredRule, namedAs?: string) {
  return { id: stored.id, ...present({ namedAs, rule: readStoredRule(stored) }) };
}

/** The rules of a set that sum something, by their ids, and who counts in each counter. */
type RulesByCounter = {
  readonly rules: ReadonlyMap<string, { readonly rule: Rule; readonly scope: string }>;
  readonly counters: ReadonlyMap<string, Sharing>;
};
type Sharing = { readonly ids: readonly string[]; readonly generation: number | undefined };

function countingIn(set: readonly Pick<KeptRule, 'rule' | 'generation'>[]): RulesByCounter {
  const rules = new Map<string, { readonly rule: Rule; readonly scope: string }>();
  const counters = new Map<string, Sharing>();
  for (const { rule: stored, generation } of set) {
    const rule = readStoredRule(stored);
    if (rule === undefined || !isLive(rule) || !isCounted(rule.window)) continue;
    const scope = counterScope(rule);
    rules.set(rule.id, { rule, scope });
    counters.set(scope, { ids: [...(counters.get(scope)?.ids ?? []), rule.id], generation });
  }
  return { rules, counters };
}

function fateOf(
  id: string,
  counted: RulesByCounter,
  counts: RulesByCounter,
): Pick<RuleChange, 'counter' | 'because' | 'sharedWith'> {
  const [was, is] = [counted.rules.get(id), counts.rules.get(id)];
  const scope = (is ?? was)?.scope ?? '';
  const sharing = (among: RulesByCounter): readonly string[] =>
    (among.counters.get(scope)?.ids ?? []).filter((other) => other !== id);
  const because = was && is ? counterDifferences(was.rule, is.rule) : [];
  const joins = is !== undefined && was?.scope !== scope && counted.counters.has(scope);
  if (joins) return { counter: 'joins', because, sharedWith: sharing(counted) };
  const ended = was === undefined ? 'none' : 'ends';
  const began = was === undefined ? 'begins' : was.scope === scope ? 'kept' : 'anew';
  return { counter: is === undefined ? ended : began, because, sharedWith: sharing(counts) };
}
