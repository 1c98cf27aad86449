import type { NeededRule, Frozen, Plan } from './plan.ts';
import type { Lacking } from '../rule/require.ts';
import { effectPeriod, inEffect } from '../rule/in-effect.ts';
import type { Terms } from '../rule/own-terms.ts';
import { freezeAt, periodAround } from '../rule/terms.ts';
import type { Counter } from '../counter/kind.ts';
import { documentPlan } from '../document/document-plan.ts';
import { groupedBy } from '../shared/grouped.ts';
import type { Concerned, RuleFacts, RulePart } from './rule-part.ts';
import { common, counterPlan } from './rule-part.ts';

/** A subject of a check, and what is known of its terms. */
export type SubjectTerms = {
  readonly kind: string;
  readonly id: string;
  readonly document: string;
  readonly terms: Terms;
};

/** A rule that concerns an order, and what it makes of that at an instant. */
export type ConcernedPart = Concerned & { readonly partAt: (at: Date) => RulePart };

/** What a stretch of time is worked out from. */
export type StretchSource = {
  readonly concerned: readonly ConcernedPart[];
  readonly withTerms: readonly SubjectTerms[];
  readonly needsRule: NeededRule;
  readonly lacking: readonly Lacking[];
};

/** The time in which no window, rule or term begins or ends, with NO_NAMES. Steps of rolling windows may end in it. */
export function stretchAt(
  { concerned, withTerms, needsRule, lacking }: StretchSource,
  { revision, timesAt, pairsIn }: Pick<RuleFacts, 'revision' | 'timesAt' | 'pairsIn'>,
  at: Date,
): Plan {
  const parts = concerned.map(({ partAt }) => partAt(at));
  const now = parts.filter(({ isNow }) => isNow);
  const toCome = parts.filter(({ isToCome }) => isToCome);
  const rules = askedIn(now);
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
      rules: toCome.length === now.length ? rules : askedIn(toCome),
      lacking: lacking.map(({ rule }) => rule),
    },
    frozen: withTerms.flatMap(({ kind, id, terms }): readonly Frozen[] => {
      const freeze = freezeAt(terms, at);
      return freeze === undefined ? [] : [{ kind, id, freeze }];
    }),
    byKind: new Map(
      [...countersOf(now)].map(([kind, counters]) => {
        const planned = documentPlan(from, until, counters);
        const ofPairs = counters.some(({ isOfPair }) => isOfPair === true);
        return [kind, ofPairs ? { ...planned, pairs: pairsIn(kind) } : planned];
      }),
    ),
  };
}

function askedIn(parts: readonly RulePart[]) {
  return parts.filter(({ isAsked }) => isAsked).map(({ applied }) => applied);
}

/** Counters by the subject kind that has their document. Rules that share one come together. */
function countersOf(now: readonly RulePart[]): ReadonlyMap<string, readonly Counter[]> {
  const counted = now.filter(({ counter }) => counter !== undefined);
  const byKind = new Map<string, Counter[]>();
  for (const [first, ...others] of groupedBy(
    counted,
    ({ counter }) => counter?.key ?? '',
  ).values()) {
    if (first?.counter === undefined) continue;
    const counter = others.length === 0 ? first.counter : counterPlan([first, ...others]);
    const [owner] = first.applied.rule.per;
    const counters = byKind.get(owner);
    if (counters === undefined) byKind.set(owner, [counter]);
    else counters.push(counter);
  }
  return byKind;
}
