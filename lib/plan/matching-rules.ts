import { byStretch } from '../rule/by-stretch.ts';
import { effectPeriod, inEffect, inEffectBetween } from '../rule/in-effect.ts';
import { isCounted } from '../rule/windows/windows.ts';
import type { AppliedRule, Frozen, NeededRule, Plan } from './plan.ts';
import type { Concerned, RuleFacts, RulePart } from './rule-part.ts';
import { NO_NAMES, common, counterPlan } from './rule-part.ts';
import type { Lacking } from '../rule/require.ts';
import type { Rule } from '../rule/rule.ts';
import { documentKind, sharesDocument } from '../rule/rule.ts';
import type { Terms } from '../rule/own-terms.ts';
import { freezeAt, periodAround } from '../rule/terms.ts';
import type { Subjects } from '../shared/request.ts';
import { groupedBy } from '../shared/grouped.ts';
import { fixedBucket } from '../counter/bucket.ts';
import type { Counter } from '../counter/kind.ts';
import { documentPlan, withCounters } from '../document/document-plan.ts';

/** A subject of a check, and what is known of its terms. */
export type SubjectTerms = {
  readonly kind: string;
  readonly id: string;
  readonly document: string;
  readonly terms: Terms;
};

/** A rule that concerns an order, and what it makes of that at an instant. */
export type ConcernedPart = Concerned & { readonly partAt: (at: Date) => RulePart };

/** The rules whose sums an order enters, with their plans. */
export class MatchingRules {
  readonly signature: string;
  readonly concerned: readonly ConcernedPart[];
  readonly withTerms: readonly SubjectTerms[];
  readonly needsRule: NeededRule;
  readonly lacking: readonly Lacking[];
  readonly #stretchAt: (at: Date) => Plan;
  /** Rules whose counters' keys name further subjects, and their keys of no names. */
  readonly #ofSeveral: readonly { readonly rule: Rule; readonly key: string }[];
  readonly #kinds: readonly string[] | undefined;
  readonly #facts: RuleFacts;

  constructor(
    signature: string,
    source: Pick<MatchingRules, 'concerned' | 'withTerms' | 'needsRule' | 'lacking'>,
    facts: RuleFacts,
  ) {
    const { concerned } = source;
    this.signature = signature;
    this.concerned = concerned;
    this.withTerms = source.withTerms;
    this.needsRule = source.needsRule;
    this.lacking = source.lacking;
    this.#facts = facts;
    this.#ofSeveral = concerned
      .filter(({ rule }) => sharesDocument(rule) && isCounted(rule.window))
      .map(({ rule }) => ({ rule, key: facts.counterOf(rule, NO_NAMES) }));
    this.#stretchAt = byStretch(
      (at) => stretchAt(this, facts, at),
      ({ from, until }) => ({ start: from, until }),
    );
    const isSteady = concerned.every(({ rule }) => !rule.from && !rule.to && !rule.when);
    this.#kinds = isSteady ? this.#kindsBetween(0, 0) : undefined;
  }

  get size(): number {
    return 1 + this.concerned.length;
  }

  /** The plan of a stretch of time, with the counters of some subjects. */
  planAt(at: Date, subjects: Subjects): Plan {
    const plan = this.#stretchAt(at);
    if (this.#ofSeveral.length === 0) return plan;
    return withKeys(
      plan,
      new Map(this.#ofSeveral.map(({ rule, key }) => [key, this.#facts.counterOf(rule, subjects)])),
    );
  }

  /** The kinds of documents that have the counters, or the terms, of rules in effect within a tolerance of an instant. */
  kindsNear(at: Date, toleranceMs: number): readonly string[] {
    const ms = at.getTime();
    return this.#kinds ?? this.#kindsBetween(ms - toleranceMs, ms + toleranceMs);
  }

  #kindsBetween(earliest: number, latest: number): readonly string[] {
    const counted = this.concerned.filter(
      ({ rule }) =>
        isCounted(rule.window) && inEffectBetween(rule, earliest, latest, this.#facts.timesAt),
    );
    return [...new Set(counted.flatMap(({ rule }) => [rule.per[0], documentKind(rule)]))];
  }
}

/** The time in which no window, rule or term begins or ends, with NO_NAMES. Steps of rolling windows may end in it. */
function stretchAt(
  { concerned, withTerms, needsRule, lacking }: MatchingRules,
  { revision, timesAt, pairsIn, stillRead }: RuleFacts,
  at: Date,
): Plan {
  const parts = concerned.map(({ partAt }) => partAt(at));
  const now = parts.filter(({ isNow }) => isNow);
  const toCome = parts.filter(({ isToCome }) => isToCome);
  const rules = askedRules(now);
  const { start: from, until } = common([
    ...parts,
    ...lacking.map(({ rule }) => effectPeriod(rule, at, timesAt)),
    ...withTerms.flatMap(({ terms: { freeze } }) =>
      freeze === undefined ? [] : [periodAround(freeze, at)],
    ),
  ]);
  return {
    from,
    until,
    revision,
    rules,
    needsRule,
    singles: rules
      .filter(({ kind, isStrict }) => kind === 'single' && isStrict)
      .map(({ rule }) => rule),
    concerned: now.filter(({ isAsked, applied }) => isAsked || applied.kind === 'counted').length,
    lacking: lacking.filter(({ rule }) => inEffect(rule, at, timesAt)),
    outlook: {
      rules: toCome.length === now.length ? rules : askedRules(toCome),
      lacking: lacking.map(({ rule }) => rule),
    },
    frozen: withTerms.flatMap(({ kind, id, terms }): readonly Frozen[] => {
      const freeze = freezeAt(terms, at);
      return freeze === undefined ? [] : [{ kind, id, freeze }];
    }),
    byKind: new Map(
      [...countersNow(now)].map(([kind, counters]) => {
        const planned = documentPlan(from, until, counters, stillRead);
        const ofPairs = counters.some(({ isOfPair }) => isOfPair);
        return [kind, ofPairs ? { ...planned, pairs: pairsIn(kind) } : planned];
      }),
    ),
  };
}

function askedRules(parts: readonly RulePart[]) {
  return parts.filter(({ isAsked }) => isAsked).map(({ applied }) => applied);
}

/** Counters by the kind of their documents. Rules that share one come together. */
function countersNow(now: readonly RulePart[]): ReadonlyMap<string, readonly Counter[]> {
  const counted = now.filter(({ counter }) => counter !== undefined);
  const byKind = new Map<string, Counter[]>();
  for (const [first, ...others] of groupedBy(
    counted,
    ({ counter }) => counter?.key ?? '',
  ).values()) {
    if (first?.counter === undefined) continue;
    const counter = others.length === 0 ? first.counter : counterPlan([first, ...others]);
    const kind = first.applied.stands;
    const counters = byKind.get(kind);
    if (counters === undefined) byKind.set(kind, [counter]);
    else counters.push(counter);
  }
  return byKind;
}

/** A plan in which some counters have other keys. @param keys by the key that is there */
function withKeys(plan: Plan, keys: ReadonlyMap<string, string>): Plan {
  const applied = (rules: readonly AppliedRule[]) => rules.map((rule) => ruleWith(rule, keys));
  const rules = applied(plan.rules);
  const { outlook } = plan;
  return {
    ...plan,
    rules,
    outlook: {
      ...outlook,
      rules: outlook.rules === plan.rules ? rules : applied(outlook.rules),
    },
    byKind: new Map(
      [...plan.byKind].map(([kind, planned]) => [
        kind,
        planned.counters.some(({ key }) => keys.has(key))
          ? withCounters(
              planned,
              planned.counters.map((counter) => counterWith(counter, keys)),
            )
          : planned,
      ]),
    ),
  };
}

function ruleWith(applied: AppliedRule, keys: ReadonlyMap<string, string>): AppliedRule {
  if (applied.kind !== 'counted') return applied;
  const counter = keys.get(applied.counter);
  return counter === undefined ? applied : { ...applied, counter };
}

function counterWith(counter: Counter, keys: ReadonlyMap<string, string>): Counter {
  const key = keys.get(counter.key);
  if (key === undefined) return counter;
  const { bucket } = counter;
  if (bucket.kind !== 'fixed') return { ...counter, key };
  const { start, until } = bucket.reference;
  return { ...counter, key, bucket: fixedBucket(key, start, until) };
}
