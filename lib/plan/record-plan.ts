import { CLOCK_BACK_MS, CLOCK_TOLERANCE_MS, COUNTER_SUM_MAX } from '../shared/bounds.ts';
import type { CompiledRules } from './compile.ts';
import type { CheckPlan, Plan } from './plan.ts';
import type { CheckRequest, RecordRequest } from '../shared/request.ts';
import type { Rule } from '../rule/rule.ts';
import { counts, countsEnding, isAsked, lowers } from '../rule/counting.ts';
import { ruleFor } from '../rule/rule-for-order.ts';
import { documentKind } from '../rule/rule.ts';
import { inEffect } from '../rule/in-effect.ts';
import { CONFIRMED } from '../shared/states.ts';
import { isCounted } from '../rule/windows/windows.ts';
import { documentOf } from '../shared/subject.ts';
import type { Terms } from '../rule/own-terms.ts';
import type { Counter } from '../counter/kind.ts';
import { planFor, withCounters } from '../document/document-plan.ts';
import { bucketAt, fixedBucket } from '../counter/bucket.ts';
import { planCheck } from './check-plan.ts';

/** A rule that a payment entered at its own instant. */
export type EnteredRule = {
  readonly rule: Rule;
  /** Whether its maximum is asked for such a payment. */
  readonly isAsked: boolean;
  readonly documentId: string;
  /** The document of the subject that has its terms. */
  readonly termsOf: string;
  readonly counter: string;
  /** The end of the window. */
  readonly until: Date;
};

/** The rules over windows that a payment enters, in the order of the rules. */
export function rulesEntered(
  rules: CompiledRules,
  request: RecordRequest,
  now: Date,
): readonly EnteredRule[] {
  const at = enteredAt(request.happenedAt, now);
  return rules.live.flatMap((one) => {
    const isLowering = lowers(one, request);
    if (!isLowering && !counts(one, request)) return [];
    const rule = ruleFor(one, request);
    const { window } = rule;
    if (!isCounted(window) || !inEffect(rule, at)) return [];
    if (!countsEnding(rule, request.ending ?? CONFIRMED)) return [];
    const [owner] = rule.per;
    return [
      {
        rule,
        isAsked: !isLowering && isAsked(rule, request),
        documentId: documentOf(documentKind(rule), request.subjects),
        termsOf: documentOf(owner, request.subjects),
        counter: rules.counterOf(isLowering ? { ...rule, lowers: true } : rule, request.subjects),
        until: rules.periodOf(window, at).until,
      },
    ];
  });
}

/** The caller's clock may be ahead, and no window is entered before it begins. */
function enteredAt(happenedAt: Date, now: Date): Date {
  return happenedAt < now ? happenedAt : now;
}

/**
 * Plans a record: it enters the windows of the payment's own instant that are not over by the database's
 * clock, and asks no room in them but that sums stay exact.
 *
 * The plan holds from CLOCK_TOLERANCE_MS before `estimate` to CLOCK_BACK_MS beyond it, so that a commit that
 * met other calls may begin again with it. A window that ended in between is not entered.
 *
 * @param estimate the caller's best idea of the database's clock
 */
export function planRecord(
  rules: CompiledRules,
  request: CheckRequest & RecordRequest,
  homeKinds: readonly string[],
  estimate: Date,
  termsOf: (documentId: string) => Terms | undefined,
): CheckPlan {
  const settings = { homeKinds, askedKinds: [], needsRule: 'none' } as const;
  const { happenedAt } = request;
  const at = enteredAt(happenedAt, estimate);
  const check = planCheck(rules, request, settings, at, termsOf);
  const then = planFor(check.plans, at);
  if (then === undefined) throw new TypeError('a plan is made for its own instant');
  const earliest = new Date(estimate.getTime() - CLOCK_TOLERANCE_MS);
  const latest = new Date(estimate.getTime() + CLOCK_BACK_MS + CLOCK_TOLERANCE_MS);
  const from = then.from > earliest ? then.from : earliest;
  const until = then.until <= happenedAt && then.until < latest ? then.until : latest;
  const byKind = new Map(
    [...then.byKind].map(([kind, planned]) => {
      const counters = planned.counters
        .map((counter) => withoutMaximum(counter, at))
        .filter(({ bucket }) => bucket.kind === 'fixed' && bucket.reference.until > earliest);
      return [kind, withCounters({ ...planned, from, until, outlasts: true }, counters)];
    }),
  );
  const plan: Plan = { ...then, from, until, byKind, frozen: [], lacking: [] };
  return { ...check, plans: [plan], barred: [] };
}

/** A counter of rules on trial alone stays as it is: it never refuses, and an exact one has an end. */
function withoutMaximum(counter: Counter, at: Date): Counter {
  const { start, until } = bucketAt(counter.bucket, at);
  const step = { ...fixedBucket(counter.key, start, until), isStep: true as const };
  const bucket = counter.bucket.kind === 'fixed' ? counter.bucket : step;
  if (counter.shadow) return { ...counter, bucket };
  return {
    ...counter,
    bucket,
    maxAmountMinor: COUNTER_SUM_MAX,
    maxCount: counter.kind.mostCounted,
  };
}
