import { NEVER } from '../shared/bounds.ts';

import { sumsOf } from '../document/decision.ts';
import type { Bucket, ValueCounts } from '../document/document.ts';
import { NO_SUMS } from '../document/document.ts';
import type { AppliedRule } from '../plan/plan.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { Quantity, Rule } from '../rule/rule.ts';
import { countersOf } from '../rule/counter.ts';
import { isOfFailures } from '../rule/counting.ts';
import { effectEnd } from '../rule/in-effect.ts';
import { outsideSingle } from '../rule/rule.ts';
import { valueDigest } from '../rule/distinct.ts';
import { isOver } from '../document/effect.ts';
import { excessOf, isThere } from '../document/values.ts';

/** What is asked, as far as rules decide by it. */
export type Asked = Pick<
  CheckRequest,
  'subjects' | 'amountMinor' | 'count' | 'dryRun' | 'capture'
> &
  Partial<Pick<CheckRequest, 'type' | 'attributes'>>;

/** What a report is about. */
export type Reported = {
  /** What counts after the call, by the subject kind that has the document. */
  readonly buckets: ReadonlyMap<string, readonly Bucket[]>;
  readonly request: Asked;
  /** Where the request is for a part of what was asked, as much as fitted: the least that the same ask would take. */
  readonly least?: Asked | undefined;
  readonly now: Date;
  /** Counters that the order's share did not enter; absent when the order was refused. */
  readonly leftOut?: readonly string[] | undefined;
};

/** A rule with what counts towards it. */
export type Standing = {
  readonly rule: Rule;
  readonly applied: AppliedRule;
  readonly used: Quantity;
  readonly held: Quantity;
  /** Of the maximum amount; below zero where it is exceeded, infinite without one. */
  readonly amountLeft: number;
  readonly countLeft: number;
  /** Of a rule that counts different values: they are its counts. */
  readonly values?: ValueCounts;
};

/** Whether an order that is allowed takes a place under a rule. Among failures a capture asks for one and takes none. */
export function takesPlace(rule: Rule, { capture }: Pick<Asked, 'capture'>): boolean {
  return !(capture && isOfFailures(rule));
}

/** Finds what counts towards a rule. @param rule as it is, or as it will be by then */
export function standingOf(
  applied: AppliedRule,
  buckets: readonly Bucket[],
  rule = applied.rule,
): Standing {
  const { usedAmount, usedCount, heldAmount, heldCount, values } =
    applied.kind === 'single' ? NO_SUMS : sumsOf(buckets, applied.counter);
  const { amountMinor = Infinity, count = Infinity } = rule.max;
  const isOfCounts = rule.currency === undefined;
  const standing = {
    rule,
    applied,
    used: isOfCounts ? { count: usedCount } : { amountMinor: usedAmount, count: usedCount },
    held: isOfCounts ? { count: heldCount } : { amountMinor: heldAmount, count: heldCount },
    amountLeft: amountMinor - usedAmount - heldAmount,
    countLeft: count - usedCount - heldCount,
  };
  return values === undefined ? standing : { ...standing, values };
}

/** As much of an ask as its count depends on. */
type CountAsked = Pick<Asked, 'count'> & Partial<Asked>;

/** How much an ask would add to a rule's count: of different values nothing, if its own is there. */
export function countAdded({ rule, values }: Standing, asks: CountAsked): number {
  if (rule.distinct === undefined) return asks.count;
  const value = valueAsked(rule.distinct, asks);
  return value === undefined || isThere(values, value) ? 0 : 1;
}

/** How much an ask that counts by now has added: of different values nothing, if other orders have its own, too. */
export function countTaken({ rule, values = {} }: Standing, asks: CountAsked): number {
  if (rule.distinct === undefined) return asks.count;
  const { used, held } = values[valueAsked(rule.distinct, asks) ?? ''] ?? { used: 0, held: 0 };
  return used + held > 0 && used + held === asks.count ? 1 : 0;
}

function valueAsked(
  name: string,
  { subjects = {}, attributes = {}, type }: CountAsked,
): string | undefined {
  return valueDigest(name, { subjects, attributes, type });
}

/** Says whether nothing is left of a maximum over a window. */
export function isSpent({ applied, amountLeft, countLeft }: Standing): boolean {
  return applied.kind === 'counted' && (amountLeft <= 0 || countLeft <= 0);
}

/** Says whether the ask fits on top of what counts. */
export function fits(standing: Standing, asks: CountAsked & Pick<Asked, 'amountMinor'>): boolean {
  const { rule, applied, amountLeft, countLeft, values } = standing;
  if (applied.kind === 'single') return !outsideSingle(rule, asks);
  if (rule.distinct === undefined) return asks.amountMinor <= amountLeft && asks.count <= countLeft;
  return excessOf(values, valueAsked(rule.distinct, asks), countLeft) <= 0;
}

/** Whether an ask fits a rule from an instant on, until the next step. */
export type FitStep = { readonly from: Date; readonly fits: boolean };

/** Says when the ask fits the rule, from now on, if what is held stays: a rollback may make room sooner. */
export function fitSteps(
  standing: Standing,
  { buckets, request, now }: Reported,
): readonly [FitStep, ...FitStep[]] {
  const { rule, applied } = standing;
  const steps: [FitStep, ...FitStep[]] = [{ from: now, fits: fits(standing, request) }];
  if (steps[0].fits && rule.later === undefined) return steps;
  const counters = applied.kind === 'single' ? [] : countersOf(applied.counter);
  const mine = (buckets.get(rule.per[0]) ?? []).filter(({ counter }) => counters.includes(counter));
  for (const from of changesOf(rule, mine)) {
    const staying = mine.filter((bucket) => !isOver(bucket, from));
    const then = standingOf(applied, staying, { ...rule, max: maxAt(rule, from) });
    steps.push({ from, fits: fits(then, request) });
    if (rule.later === undefined && fits(then, request)) break; // buckets that end take nothing
  }
  return steps;
}

/** Says when the rule alone allows the ask. Null for never. */
export function fitsAt(standing: Standing, about: Reported): Date | null {
  const at = fitSteps(standing, about).find((step) => step.fits)?.from ?? NEVER;
  if (at === about.now) return at;
  const end = effectEnd(standing.rule, about.now); // a rule that is not in effect refuses nothing
  const first = at < end ? at : end;
  return first < NEVER ? first : null;
}

/** The maximum of a rule at an instant from now on. */
export function maxAt({ max, later = [] }: Rule, at: Date): Quantity {
  return later.findLast(({ from }) => from <= at)?.max ?? max;
}

/** When something changes for a rule: a bucket ends, or a subject's own terms change its maximum. */
function changesOf({ later = [] }: Rule, buckets: readonly Bucket[]): readonly Date[] {
  const instants = [...buckets.map(({ until }) => until), ...later.map(({ from }) => from)];
  return instants.filter((at) => at < NEVER).sort((one, other) => one.getTime() - other.getTime());
}

/** The ids of rules, each once, in their order. */
export function idsIn(found: readonly { readonly rule: Rule }[]): readonly string[] {
  return found.length === 0 ? [] : [...new Set(found.map(({ rule }) => rule.id))];
}
