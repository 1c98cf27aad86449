import { NEVER } from './bounds.ts';
import type { Sums } from './decision.ts';
import { sumsOf } from './decision.ts';
import type { Bucket } from './document.ts';
import type { AppliedRule } from './plan.ts';
import type { CheckRequest } from './request.ts';
import type { Rule } from './rule.ts';
import { outsideSingle } from './single.ts';

/** What is asked, as far as rules decide by it. */
export type Asked = Pick<CheckRequest, 'subjects' | 'amountMinor' | 'count' | 'dryRun'>;

/** What a report is about. */
export type Reported = {
  /** What counts, by document, after the call. */
  readonly buckets: ReadonlyMap<string, readonly Bucket[]>;
  readonly request: Asked;
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
export function fits(standing: Standing, asks: Asked): boolean {
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
  for (const at of changesOf(standing))
    if (fits(standingAt(standing, at), request)) return at >= NEVER ? ends : earlier(at, ends);
  return ends;
}

/** When something changes for a rule: a bucket ends, or a subject's own maximum does. */
function changesOf({ rule, buckets }: Standing): readonly Date[] {
  const own = rule.override?.until;
  const instants = [...buckets.map(({ until }) => until), ...(own === undefined ? [] : [own])];
  return instants.sort((one, other) => one.getTime() - other.getTime());
}

/** How a rule stands at a later instant, if nothing is added. */
function standingAt(standing: Standing, at: Date): Standing {
  const { rule, applied, buckets } = standing;
  const { override } = rule;
  const isOver = override?.until !== undefined && override.until <= at;
  const then = isOver ? { ...standing, rule: { ...rule, max: override.own } } : standing;
  if (applied.kind === 'single') return then;
  const staying = buckets.filter(({ until }) => until > at);
  return { ...then, sums: sumsOf(staying, applied.counter) };
}

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}
