import { NEVER } from '../shared/bounds.ts';
import type { Sums } from './decision.ts';
import { sumsOf } from './decision.ts';
import type { Bucket } from './document/document.ts';
import type { AppliedRule } from './plan.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { Rule } from '../rules/rule.ts';
import { outsideSingle } from '../rules/rule.ts';

/** What is asked, as far as rules decide by it. */
export type Asked = Pick<CheckRequest, 'subjects' | 'amountMinor' | 'count' | 'dryRun'>;

/** What a report is about. */
export type Reported = {
  /** What counts after the call, by the subject kind that has the document. */
  readonly buckets: ReadonlyMap<string, readonly Bucket[]>;
  readonly request: Asked;
  readonly now: Date;
  /** Counters that the order's share did not enter; absent when the order was refused. */
  readonly leftOut?: readonly string[] | undefined;
};

/** A rule with what counts towards it. */
export type Standing = {
  readonly rule: Rule;
  readonly applied: AppliedRule;
  readonly sums: Sums;
  /** Of the maximum amount; below zero where it is exceeded, infinite without one. */
  readonly amountLeft: number;
  readonly countLeft: number;
  readonly isSpent: boolean;
};

/** Finds what counts towards a rule. */
export function standingOf(applied: AppliedRule, { buckets }: Reported): Standing {
  const { rule } = applied;
  return standingWith(applied, rule, buckets.get(rule.per[0]) ?? []);
}

function standingWith(applied: AppliedRule, rule: Rule, buckets: readonly Bucket[]): Standing {
  const { amountMinor: amountLeft = Infinity, count: countLeft = Infinity } = rule.max;
  if (applied.kind === 'single')
    return { rule, applied, sums: NOTHING, amountLeft, countLeft, isSpent: false };
  const sums = sumsOf(buckets, applied.counter);
  const amount = amountLeft - sums.usedAmount - sums.heldAmount;
  const count = countLeft - sums.usedCount - sums.heldCount;
  const isSpent = amount <= 0 || count <= 0;
  return { rule, applied, sums, amountLeft: amount, countLeft: count, isSpent };
}

const NOTHING: Sums = { usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 };

/** Says whether the ask fits on top of what counts. */
export function fits({ rule, applied, amountLeft, countLeft }: Standing, asks: Asked): boolean {
  if (applied.kind === 'single') return !outsideSingle(rule, asks);
  return asks.amountMinor <= amountLeft && asks.count <= countLeft;
}

/** Says when the rule alone allows the ask, if open holds are confirmed: a rollback may be sooner. Null for never. */
export function fitsAt(standing: Standing, about: Reported): Date | null {
  const { request, now } = about;
  if (fits(standing, request)) return now;
  const { rule, applied } = standing;
  const mine =
    applied.kind === 'single'
      ? []
      : (about.buckets.get(rule.per[0]) ?? []).filter(({ counter }) => counter === applied.counter);
  const ends = rule.to ?? null; // a rule that ended no longer refuses
  for (const at of changesOf(rule, mine))
    if (fits(standingAt(standing, mine, at), request))
      return at >= NEVER || (ends !== null && ends < at) ? ends : at;
  return ends;
}

/** When something changes for a rule: a bucket ends, or a subject's own maximum does. */
function changesOf({ override }: Rule, buckets: readonly Bucket[]): readonly Date[] {
  const own = override?.until;
  const instants = [...buckets.map(({ until }) => until), ...(own === undefined ? [] : [own])];
  return instants.sort((one, other) => one.getTime() - other.getTime());
}

function standingAt({ rule, applied }: Standing, buckets: readonly Bucket[], at: Date): Standing {
  const { override } = rule;
  const isOver = override?.until !== undefined && override.until <= at;
  const then = isOver ? { ...rule, max: override.own } : rule;
  const staying = buckets.filter(({ until }) => until > at);
  return standingWith(applied, then, staying);
}
