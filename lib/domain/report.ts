import { NEVER } from './bounds.ts';
import type { Sums } from './decision.ts';
import { sumsOf } from './decision.ts';
import type { Bucket } from './document.ts';
import type { AppliedRule, Plan } from './plan.ts';
import { outsideSingle } from './plan.ts';
import type { CheckRequest, Subjects } from './request.ts';
import type { Quantity, Rule } from './rule.ts';
import { bucketPeriod } from './window.ts';

/** How a rule stands: room left; none left of something; this ask did not fit, in force or not. */
export type Outcome = 'within' | 'reached' | 'exceeded' | 'exceeded-shadow';

/** How one rule that applies stands after the call. */
export type RuleReport = {
  readonly rule: Rule;
  /** The subjects that it counts for. */
  readonly subjects: Subjects;
  /** The window in force; absent for single transactions, which have none. */
  readonly window?: { readonly start: Date; readonly end: Date };
  readonly used?: Quantity;
  readonly held?: Quantity;
  /** Never below zero. What the rule does not limit is absent. */
  readonly remaining?: Quantity;
  readonly outcome: Outcome;
  /** With an exceeded rule: the first instant at which it alone would allow the ask; null for never. */
  readonly retryAt?: Date | null;
};

/** What a check would meet next. */
export type Headroom = {
  /** Largest amount that would pass now, in minor units; null where no rule limits amounts. */
  readonly amountMinor: number | null;
  /** First instant at which the same ask would pass; null for never. */
  readonly earliestAt: Date | null;
};

/** Everything that a check's answer says of rules. */
export type Report = {
  readonly rules: readonly RuleReport[];
  readonly limitReached: boolean;
  readonly headroom: Headroom;
};

/** What a report is about. */
export type Reported = {
  readonly plan: Plan;
  /** What counts, by document, after the call. */
  readonly buckets: ReadonlyMap<string, readonly Bucket[]>;
  readonly request: CheckRequest;
  /** The database's instant. */
  readonly now: Date;
  /** Counters that the order's share did not enter; absent when the order was refused. */
  readonly leftOut?: readonly string[];
};

/** Reports how the rules of a plan stand. */
export function reportOn(about: Reported): Report {
  const standings = about.plan.rules.map((applied) => standingOf(applied, about));
  const enforced = standings.filter(({ rule }) => rule.mode === 'enforce');
  return {
    rules: standings.map((standing) => ruleReport(standing, about)),
    limitReached: isLimitReached(enforced, about),
    headroom: {
      amountMinor: amountHeadroom(enforced, about.request),
      earliestAt: latestOf(
        enforced.map((standing) => fitsAt(standing, about)),
        about.now,
      ),
    },
  };
}

/** A rule with what counts towards it. */
type Standing = {
  readonly rule: Rule;
  readonly applied: AppliedRule;
  readonly buckets: readonly Bucket[];
  readonly sums: Sums;
};

function standingOf(applied: AppliedRule, { buckets }: Reported): Standing {
  if (applied.kind === 'single')
    return { rule: applied.rule, applied, buckets: [], sums: sumsOf([], '') };
  const { counter } = applied;
  const mine = (buckets.get(applied.documentId) ?? []).filter((each) => each.counter === counter);
  return { rule: applied.rule, applied, buckets: mine, sums: sumsOf(mine, counter) };
}

function remainingAmount({ rule, sums }: Standing): number {
  return (rule.max.amountMinor ?? Infinity) - sums.usedAmount - sums.heldAmount;
}

function remainingCount({ rule, sums }: Standing): number {
  return (rule.max.count ?? Infinity) - sums.usedCount - sums.heldCount;
}

function fits(standing: Standing, asks: CheckRequest): boolean {
  if (standing.applied.kind === 'single') return !outsideSingle(standing.rule, asks);
  return asks.amountMinor <= remainingAmount(standing) && asks.count <= remainingCount(standing);
}

/** Nothing of some maximum is left. */
function isSpent(standing: Standing): boolean {
  return (
    standing.applied.kind === 'counted' &&
    (remainingAmount(standing) <= 0 || remainingCount(standing) <= 0)
  );
}

/** The last of some maximum was taken; in a dry run, would be. */
function isLimitReached(enforced: readonly Standing[], { request, leftOut }: Reported): boolean {
  if (leftOut !== undefined) return enforced.some(isSpent);
  const takesLast = (standing: Standing): boolean =>
    standing.applied.kind === 'counted' &&
    (remainingAmount(standing) <= request.amountMinor || remainingCount(standing) <= request.count);
  return (
    request.dryRun &&
    enforced.every((standing) => fits(standing, request)) &&
    enforced.some(takesLast)
  );
}

function outcomeOf(standing: Standing, about: Reported): Outcome {
  const { rule } = standing;
  if (isExceeded(standing, about)) return rule.mode === 'enforce' ? 'exceeded' : 'exceeded-shadow';
  return isSpent(standing) ? 'reached' : 'within';
}

/** Refused: the ask does not fit. Allowed: only shadow rules can be exceeded. */
function isExceeded(standing: Standing, { request, leftOut }: Reported): boolean {
  const { rule, applied } = standing;
  if (leftOut === undefined) return !fits(standing, request);
  if (rule.mode === 'enforce') return false;
  return applied.kind === 'single'
    ? !fits(standing, request)
    : isOver(standing, applied.counter, leftOut);
}

/** Says whether a share that was taken is over a shadow rule's maximum, or was left out for that. */
function isOver(standing: Standing, counter: string, leftOut: readonly string[]): boolean {
  return remainingAmount(standing) < 0 || remainingCount(standing) < 0 || leftOut.includes(counter);
}

function ruleReport(standing: Standing, about: Reported): RuleReport {
  const { rule, applied, sums } = standing;
  const outcome = outcomeOf(standing, about);
  const retryAt = outcome === 'exceeded' ? { retryAt: fitsAt(standing, about) } : {};
  const subjects = Object.fromEntries(
    rule.per.map((kind) => [kind, about.request.subjects[kind] ?? '']),
  );
  if (applied.kind === 'single') return { rule, subjects, outcome, ...retryAt };
  return {
    rule,
    subjects,
    window: reportedWindow(rule, about.now),
    used: quantity(rule, sums.usedAmount, sums.usedCount),
    held: quantity(rule, sums.heldAmount, sums.heldCount),
    remaining: limitedOnly(rule, remainingAmount(standing), remainingCount(standing)),
    outcome,
    ...retryAt,
  };
}

function reportedWindow({ window }: Rule, now: Date): { start: Date; end: Date } {
  if (window.kind === 'transaction') throw new RangeError('a single transaction has no window');
  if (window.kind === 'rolling')
    return { start: new Date(now.getTime() - window.spanMs), end: now };
  const { start, until } = bucketPeriod(window, now);
  return { start, end: until };
}

/** A rule without currency sums no amounts. */
function quantity(rule: Rule, amountMinor: number, count: number): Quantity {
  return rule.currency === undefined ? { count } : { amountMinor, count };
}

function limitedOnly(rule: Rule, amountMinor: number, count: number): Quantity {
  return {
    ...(rule.max.amountMinor === undefined ? {} : { amountMinor: Math.max(0, amountMinor) }),
    ...(rule.max.count === undefined ? {} : { count: Math.max(0, count) }),
  };
}

/**
 * The first instant at which a rule alone would allow the ask, if open holds are confirmed: a
 * rollback or an expiry may make room sooner. Null for never.
 */
function fitsAt(standing: Standing, { request, now }: Reported): Date | null {
  if (fits(standing, request)) return now;
  const ends = standing.rule.to ?? null; // a rule that ended no longer refuses
  if (standing.applied.kind === 'single') return ends;
  const leaving = [...standing.buckets].sort((a, b) => a.until.getTime() - b.until.getTime());
  for (const [index, { until }] of leaving.entries()) {
    const staying = leaving.slice(index + 1).filter((bucket) => bucket.until > until);
    const then = { ...standing, sums: sumsOf(staying, standing.applied.counter) };
    if (fits(then, request)) return until >= NEVER ? ends : earlier(wholeSecond(until), ends);
  }
  return ends;
}

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}

function wholeSecond(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / 1000) * 1000);
}

function latestOf(instants: readonly (Date | null)[], now: Date): Date | null {
  let latest = now;
  for (const instant of instants) {
    if (instant === null) return null;
    if (instant > latest) latest = instant;
  }
  return latest;
}

function amountHeadroom(enforced: readonly Standing[], asks: CheckRequest): number | null {
  let largest = Infinity;
  let smallest = 0;
  for (const standing of enforced) {
    const { rule, applied } = standing;
    const counts =
      applied.kind === 'single'
        ? !outsideCount(rule, asks)
        : asks.count <= remainingCount(standing);
    if (!counts) return 0;
    largest = Math.min(
      largest,
      applied.kind === 'single' ? (rule.max.amountMinor ?? Infinity) : remainingAmount(standing),
    );
    smallest = Math.max(smallest, rule.min.amountMinor ?? 0);
  }
  if (largest < smallest) return 0;
  return largest === Infinity ? null : largest;
}

function outsideCount(rule: Rule, { count }: CheckRequest): boolean {
  return count > (rule.max.count ?? Infinity) || count < (rule.min.count ?? 0);
}
