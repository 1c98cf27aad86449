import { NEVER } from './bounds.ts';
import type { Sums } from './decision.ts';
import { sumsOf } from './decision.ts';
import type { Bucket } from './document.ts';
import type { AppliedRule, Plan } from './plan.ts';
import type { CheckRequest } from './request.ts';
import type { Rule } from './rule.ts';
import { outsideSingle } from './single.ts';

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

/** A rule with what counts towards it. */
export type Standing = {
  readonly rule: Rule;
  readonly applied: AppliedRule;
  readonly buckets: readonly Bucket[];
  readonly sums: Sums;
};

/** Finds what counts towards a rule. */
export function standingOf(applied: AppliedRule, { buckets }: Reported): Standing {
  if (applied.kind === 'single')
    return { rule: applied.rule, applied, buckets: [], sums: sumsOf([], '') };
  const { counter } = applied;
  const mine = (buckets.get(applied.documentId) ?? []).filter((each) => each.counter === counter);
  return { rule: applied.rule, applied, buckets: mine, sums: sumsOf(mine, counter) };
}

/** What is left of the maximum amount; below zero where it is exceeded, infinite without one. */
export function remainingAmount({ rule, sums }: Standing): number {
  return (rule.max.amountMinor ?? Infinity) - sums.usedAmount - sums.heldAmount;
}

/** What is left of the maximum count; below zero where it is exceeded, infinite without one. */
export function remainingCount({ rule, sums }: Standing): number {
  return (rule.max.count ?? Infinity) - sums.usedCount - sums.heldCount;
}

/** Says whether the ask fits on top of what counts. */
export function fits(standing: Standing, asks: CheckRequest): boolean {
  if (standing.applied.kind === 'single') return !outsideSingle(standing.rule, asks);
  return asks.amountMinor <= remainingAmount(standing) && asks.count <= remainingCount(standing);
}

/** Nothing of some maximum is left. */
export function isSpent(standing: Standing): boolean {
  return (
    standing.applied.kind === 'counted' &&
    (remainingAmount(standing) <= 0 || remainingCount(standing) <= 0)
  );
}

/**
 * The first instant at which a rule alone would allow the ask, if open holds are confirmed: a
 * rollback or an expiry may make room sooner. Null for never.
 */
export function fitsAt(standing: Standing, { request, now }: Reported): Date | null {
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
