import { COUNTER_SUM_MAX, NEVER } from '../shared/bounds.ts';
import type { Period } from '../rule/zoned.ts';
import { nameDigest } from '../rule/counter.ts';
import type { AppliedRule, Frozen, NeededRule, Plan } from './plan.ts';
import type { Subjects } from '../shared/request.ts';
import type { Lacking } from '../rule/require.ts';
import type { Rule } from '../rule/rule.ts';
import { isStrict, limits } from '../rule/rule.ts';
import { raisedFor } from '../rule/passing.ts';
import type { TimesAt } from '../rule/in-effect.ts';
import { effectPeriod, inEffect } from '../rule/in-effect.ts';
import type { Terms } from '../rule/terms.ts';
import { freezeAt, overridesOf, periodAround, underTerms } from '../rule/terms.ts';
import type { CountedWindow, Window } from '../rule/windows/windows.ts';
import { isCounted, isExact, stepsOf, windowEnd } from '../rule/windows/windows.ts';
import { keepMsOf } from '../rule/windows/window-kind.ts';
import type { BucketPlan, CounterPlan } from '../document/document-plan.ts';
import { documentPlan, fixedBucket, mostCounted } from '../document/document-plan.ts';

/** A rule whose sum a transaction enters, and whether its maximum is asked for it. */
export type Concerned = { readonly rule: Rule; readonly isAsked: boolean };

/** A subject of a check, and what is known of its terms. */
export type SubjectTerms = {
  readonly kind: string;
  readonly id: string;
  readonly document: string;
  readonly terms: Terms;
};

/** What a stretch of time is worked out from. */
export type StretchSource = {
  readonly concerned: readonly Concerned[];
  /** Those that are part of a counter's key, at least. */
  readonly subjects: Subjects;
  readonly withTerms: readonly SubjectTerms[];
  readonly needsRule: NeededRule;
  readonly lacking: readonly Lacking[];
};

/** Knows the windows of rules, and the keys of their counters. */
export type RuleFacts = {
  readonly revision: number | undefined;
  readonly periodOf: (window: CountedWindow, at: Date) => Period;
  readonly counterOf: (rule: Rule, subjects: Subjects) => string;
  readonly timesAt: TimesAt;
};

/** The time in which no window, rule or term begins or ends. Steps of rolling windows may end in it. */
export function stretchAt(source: StretchSource, facts: RuleFacts, at: Date): Plan {
  const { concerned, subjects, withTerms, needsRule, lacking } = source;
  const termsFor = ({ per: [owner] }: Rule): Terms | undefined =>
    withTerms.find(({ kind }) => kind === owner)?.terms;
  const toCome = concerned
    .filter(({ rule: { to = NEVER } }) => at < to)
    .map(({ rule, isAsked }): Applied => {
      const own = raisedFor(underTerms(rule, termsFor(rule), at));
      const isNow = inEffect(rule, at, facts.timesAt);
      const applied = isNow
        ? appliedRule(own, subjects, facts, at)
        : withoutWindow(own, subjects, facts);
      return { isAsked, isNow, applied };
    });
  const all = toCome.filter(({ isNow }) => isNow);
  const rules = askedIn(all);
  const bounds = [
    ...[...concerned, ...lacking].map(({ rule }) => effectPeriod(rule, at, facts.timesAt)),
    ...countedIn(all).flatMap(({ rule, window }) =>
      // A window that comes once has no bounds: it is open before its instant, and its rule ends with it.
      window === undefined || windowEnd(rule.window) !== undefined
        ? []
        : [{ start: window.start, until: window.end }],
    ),
    ...(withTerms.length === 0 ? [] : termsPeriods(concerned, withTerms, termsFor, at)),
  ];
  const from = new Date(Math.max(0, ...bounds.map(({ start }) => start.getTime())));
  const until = new Date(Math.min(NEVER.getTime(), ...bounds.map((one) => one.until.getTime())));
  return {
    from,
    until,
    revision: facts.revision,
    rules,
    needsRule,
    singles: rules.flatMap(({ kind, rule }) => (kind === 'single' && isStrict(rule) ? [rule] : [])),
    concerned: all.filter(({ isAsked, applied }) => isAsked || applied.kind === 'counted').length,
    lacking: lacking.filter(({ rule }) => inEffect(rule, at, facts.timesAt)),
    outlook: { rules: askedIn(toCome), lacking: lacking.map(({ rule }) => rule) },
    frozen: withTerms.flatMap(({ kind, id, terms }): readonly Frozen[] => {
      const freeze = freezeAt(terms, at);
      return freeze === undefined ? [] : [{ kind, id, freeze }];
    }),
    byKind: new Map(
      [...countersOf(all)].map(([kind, counters]) => [
        kind,
        documentPlan({ from, until, counters }),
      ]),
    ),
  };
}

type Applied = Pick<Concerned, 'isAsked'> & {
  /** Whether it is in effect. */
  readonly isNow: boolean;
  readonly applied: AppliedRule;
};

function askedIn(all: readonly Applied[]): readonly AppliedRule[] {
  return all.flatMap(({ isAsked, applied }) => (isAsked ? [applied] : []));
}

/** Applies a rule to an order at an instant. */
export function appliedRule(
  rule: Rule,
  subjects: Subjects,
  facts: RuleFacts,
  at: Date,
): AppliedRule {
  const { window } = rule;
  const applied = withoutWindow(rule, subjects, facts);
  if (applied.kind === 'single' || !isCounted(window) || stepsOf(window) !== undefined)
    return applied;
  const { start, until } = facts.periodOf(window, at);
  return { ...applied, window: { start, end: until } };
}

function withoutWindow(rule: Rule, subjects: Subjects, facts: RuleFacts): AppliedRule {
  if (!isCounted(rule.window)) return { kind: 'single', rule };
  return { kind: 'counted', rule, counter: facts.counterOf(rule, subjects) };
}

function termsPeriods(
  concerned: readonly Concerned[],
  withTerms: readonly SubjectTerms[],
  termsFor: (rule: Rule) => Terms | undefined,
  at: Date,
): readonly Period[] {
  const freezes = withTerms.flatMap(({ terms }) => terms.freeze ?? []);
  const overrides = concerned.flatMap(({ rule }) => overridesOf(termsFor(rule), rule));
  return [...freezes, ...overrides].map((stretch) => periodAround(stretch, at));
}

type Counted = Extract<AppliedRule, { readonly kind: 'counted' }> & Pick<Concerned, 'isAsked'>;

function countedIn(all: readonly Applied[]): readonly Counted[] {
  return all.flatMap(({ isAsked, applied }) =>
    applied.kind === 'counted' ? [{ ...applied, isAsked }] : [],
  );
}

/** Counters by the subject kind that has their document. Rules that share one come together. */
function countersOf(all: readonly Applied[]): ReadonlyMap<string, readonly CounterPlan[]> {
  const byKind = new Map<string, Map<string, Counted[]>>();
  for (const one of countedIn(all)) {
    const [owner] = one.rule.per;
    const counters = byKind.get(owner) ?? new Map<string, Counted[]>();
    counters.set(one.counter, [...(counters.get(one.counter) ?? []), one]);
    byKind.set(owner, counters);
  }
  return new Map(
    [...byKind].map(([kind, counters]) => [kind, [...counters.values()].map(counterPlan)]),
  );
}

function steppedBucket(window: Window): BucketPlan {
  const steps = stepsOf(window);
  if (steps === undefined) throw new RangeError('another window has one bucket');
  return { kind: 'stepped', stepMs: steps.stepMs, keepMs: keepMsOf(steps) };
}

function counterPlan(sharing: readonly Counted[]): CounterPlan {
  const [first] = sharing;
  if (first === undefined) throw new RangeError('a counter has a rule that counts in it');
  const { counter: key, window: stretch, rule } = first;
  const { window } = rule;
  const isTrial = sharing.every((one) => one.rule.mode === 'shadow');
  const enforced = sharing.flatMap((one) =>
    one.isAsked && isStrict(one.rule) ? [one.rule.max] : [],
  );
  const { distinct } = rule;
  const countMax = mostCounted(rule);
  // Where nothing is refused, an order is left out of what is full.
  const shadow = isTrial || (distinct !== undefined && sharing.every((one) => !limits(one.rule)));
  const counts = sharing.map((one) => one.rule.max.count ?? countMax);
  return {
    key,
    bucket:
      stretch === undefined ? steppedBucket(window) : fixedBucket(key, stretch.start, stretch.end),
    sumsAmounts: rule.currency !== undefined,
    maxAmountMinor: Math.min(
      COUNTER_SUM_MAX,
      ...enforced.map(({ amountMinor = COUNTER_SUM_MAX }) => amountMinor),
    ),
    maxCount: Math.min(
      countMax,
      ...enforced.map(({ count = countMax }) => count),
      // On trial, a counter that keeps each payment or value must not fill the document: it ends at its largest maximum.
      ...(isTrial && (isExact(window) || distinct !== undefined) ? [Math.max(...counts)] : []),
    ),
    shadow,
    ...(distinct === undefined ? {} : { distinct: nameDigest(distinct) }),
  };
}
