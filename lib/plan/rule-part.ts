import { COUNTER_SUM_MAX, NEVER } from '../shared/bounds.ts';
import type { Period } from '../rule/zoned.ts';
import { kindOf } from '../counter/kinds.ts';
import { plain } from '../counter/plain.ts';
import { steps } from '../counter/steps.ts';
import { outcomesText } from '../rule/counter-key.ts';
import type { AppliedRule } from './plan.ts';
import type { Subjects } from '../shared/request.ts';
import type { Rule } from '../rule/rule.ts';
import { documentKind, isStrict, mayRefuse, sharesDocument } from '../rule/rule.ts';
import type { StillRead } from '../rule/counter-key.ts';
import { raisedFor } from '../rule/rule-for-order.ts';
import type { TimesAt } from '../rule/in-effect.ts';
import { effectPeriod, inEffect } from '../rule/in-effect.ts';
import { byStretch } from '../rule/by-stretch.ts';
import type { Terms } from '../rule/own-terms.ts';
import { overridesOf, periodAround, underTerms } from '../rule/terms.ts';
import type { CountedWindow, Window } from '../rule/windows/windows.ts';
import { isCounted, isExact, stepsOf, windowEnd } from '../rule/windows/windows.ts';
import { keepMsOf } from '../rule/windows/window-kind.ts';
import type { BucketPlan, Counter } from '../counter/kind.ts';
import type { PairsRoom } from '../document/document-plan.ts';
import { fixedBucket } from '../counter/bucket.ts';

/** Knows the windows of rules, and the keys of their counters. */
export type RuleFacts = {
  readonly revision: number | undefined;
  readonly periodOf: (window: CountedWindow, at: Date) => Period;
  readonly counterOf: (rule: Rule, subjects: Subjects) => string;
  readonly timesAt: TimesAt;
  /** What documents of a kind have room for, of counters of several subjects. */
  readonly pairsIn: (kind: string) => PairsRoom;
  readonly stillRead: StillRead | undefined;
};

/** A rule whose sum a transaction enters, and whether its maximum is asked for it. */
export type Concerned = { readonly rule: Rule; readonly isAsked: boolean };

/** What one rule makes of an order, in a stretch of time in which nothing of it changes. */
export type RulePart = Period & {
  readonly isAsked: boolean;
  /** It is in effect. */
  readonly isNow: boolean;
  /** It is, or may be later. */
  readonly isToCome: boolean;
  readonly applied: AppliedRule;
  /** What is done to its counter where no other rule shares that; of a rule in effect that counts. */
  readonly counter?: Counter;
};

/** For all orders: a counter of several subjects has the key that it would have if they had no names. */
export const NO_NAMES: Subjects = {};

/** The part of a rule in a plan, with NO_NAMES. @param terms of the subject that has its counter */
export function partOf(
  { rule, isAsked }: Concerned,
  terms: Terms | undefined,
  facts: RuleFacts,
): (at: Date) => RulePart {
  const overrides = overridesOf(terms, rule);
  const partAt = (at: Date): RulePart => {
    const own = raisedFor(underTerms(rule, terms, at));
    const isNow = inEffect(rule, at, facts.timesAt);
    const applied = isNow
      ? appliedRule(own, NO_NAMES, facts, at)
      : withoutWindow(own, NO_NAMES, facts);
    const bounds = [
      effectPeriod(rule, at, facts.timesAt),
      ...overrides.map((override) => periodAround(override, at)),
    ];
    // A window that comes once has no bounds: it is open before its instant, and its rule ends with it.
    const window = applied.kind === 'counted' && isNow ? applied.window : undefined;
    if (window !== undefined && windowEnd(rule.window) === undefined)
      bounds.push({ start: window.start, until: window.end });
    // A window that comes once may be over before its rule begins.
    const { from = at, to = NEVER } = rule;
    const isToCome = at < to && from < to;
    const part = { ...common(bounds), isAsked, isNow, isToCome, applied };
    return isNow && applied.kind === 'counted' ? { ...part, counter: counterPlan([part]) } : part;
  };
  return byStretch(partAt, (part) => part);
}

/** The time that lies in all of some periods. */
export function common(periods: readonly Period[]): Period {
  let [startMs, untilMs] = [0, NEVER.getTime()];
  for (const { start, until } of periods) {
    startMs = Math.max(startMs, start.getTime());
    untilMs = Math.min(untilMs, until.getTime());
  }
  return { start: new Date(startMs), until: new Date(untilMs) };
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
  const strict = isStrict(rule);
  if (!isCounted(rule.window))
    return { kind: 'single', rule, isStrict: strict, counting: plain, counter: '', stands: '' };
  const counter = facts.counterOf(rule, subjects);
  const stands = documentKind(rule);
  return { kind: 'counted', rule, isStrict: strict, counting: kindOf(counter), counter, stands };
}

function steppedBucket(window: Window): BucketPlan {
  const steps = stepsOf(window);
  if (steps === undefined) throw new RangeError('another window has one bucket');
  return { kind: 'stepped', stepMs: steps.stepMs, keepMs: keepMsOf(steps) };
}

/** What is done to a counter: by all rules in effect that share it. */
export function counterPlan(sharing: readonly Pick<RulePart, 'isAsked' | 'applied'>[]): Counter {
  const [first] = sharing;
  if (first?.applied.kind !== 'counted')
    throw new RangeError('a counter has a rule that counts in it');
  const { counter: key, window: stretch, rule } = first.applied;
  const { window } = rule;
  const rules = sharing.map(({ applied }) => applied.rule);
  const isTrial = rules.every(({ mode }) => mode === 'shadow');
  const enforced = sharing.flatMap(({ isAsked, applied }) =>
    isAsked && applied.isStrict ? [applied.rule.max] : [],
  );
  const kind = stretch === undefined ? steps : kindOf(key);
  const countMax = kind.mostCounted;
  // Where nothing is refused, an order is left out of what is full.
  const shadow = isTrial || (kind.fills === true && !rules.some(mayRefuse));
  const counts = rules.map(({ max }) => max.count ?? countMax);
  return {
    key,
    kind,
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
      ...(isTrial && (isExact(window) || kind.fills === true) ? [Math.max(...counts)] : []),
    ),
    shadow,
    isOfPair: sharesDocument(rule),
    isByOutcome: outcomesText(key) !== undefined,
  };
}
