import { countingBuckets, sumsOf } from '../document/decision.ts';
import type { Bucket, DocumentView, ValueCounts } from '../document/document.ts';
import { NO_SUMS } from '../document/document.ts';
import { excessOf, isThere } from '../document/values.ts';
import type { AppliedRule } from '../plan/plan.ts';
import { valueDigest } from '../rule/distinct.ts';
import type { Quantity, Rule } from '../rule/rule.ts';
import { outsideSingle } from '../rule/rule.ts';
import type { CheckRequest } from '../shared/request.ts';

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
  readonly values?: ValueCounts | undefined;
};

/** By how much a rule's maximum is exceeded once a payment is counted. */
export type Excess = {
  readonly rule: string;
  readonly amountMinor?: number;
  readonly count?: number;
};

/** Finds what counts towards a rule. @param max as it is, or as it will be by then */
export function standingOf(
  applied: AppliedRule,
  buckets: readonly Bucket[],
  max = applied.rule.max,
): Standing {
  const { rule } = applied;
  const { usedAmount, usedCount, heldAmount, heldCount, values } =
    applied.kind === 'single' ? NO_SUMS : sumsOf(buckets, applied.counter);
  const isOfCounts = rule.currency === undefined;
  return {
    rule: max === rule.max ? rule : { ...rule, max },
    applied,
    used: isOfCounts ? { count: usedCount } : { amountMinor: usedAmount, count: usedCount },
    held: isOfCounts ? { count: heldCount } : { amountMinor: heldAmount, count: heldCount },
    amountLeft: (max.amountMinor ?? Infinity) - usedAmount - heldAmount,
    countLeft: (max.count ?? Infinity) - usedCount - heldCount,
    values,
  };
}

/** As much of an ask as its count depends on. */
type CountAsked = Pick<Asked, 'count'> & Partial<Asked>;

/** Says whether the ask fits on top of what counts. */
export function fits(standing: Standing, asks: CountAsked & Pick<Asked, 'amountMinor'>): boolean {
  const { rule, applied, amountLeft, countLeft, values } = standing;
  if (applied.kind === 'single') return !outsideSingle(rule, asks);
  if (rule.distinct === undefined) return asks.amountMinor <= amountLeft && asks.count <= countLeft;
  return excessOf(values, valueAsked(rule.distinct, asks), countLeft) <= 0;
}

/** Whether an ask that is not counted would take the last of a maximum. */
export function wouldSpend(standing: Standing, asks: Asked): boolean {
  const count = countAdded(standing, asks);
  return count > 0 && (standing.amountLeft <= asks.amountMinor || standing.countLeft <= count);
}

/** How much an ask would add to a rule's count: of different values nothing, if its own is there. */
function countAdded({ rule, values }: Standing, asks: CountAsked): number {
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

/** By how much a maximum is exceeded. @param asks what does not count yet */
export function excessOver(standing: Standing, asks: Asked | undefined): Excess {
  const { rule, amountLeft, countLeft } = standing;
  return excessBy(rule.id, {
    amountMinor: (asks?.amountMinor ?? 0) - amountLeft,
    count: (asks === undefined ? 0 : countAdded(standing, asks)) - countLeft,
  });
}

/** The maxima of a rule that are exceeded by what counts in a document. */
export function excessIn(
  { id, max }: Pick<Rule, 'id' | 'max'>,
  counter: string,
  view: DocumentView,
): readonly Excess[] {
  const sums = sumsOf(countingBuckets(view), counter);
  const amountMinor = sums.usedAmount + sums.heldAmount - (max.amountMinor ?? Infinity);
  const count = sums.usedCount + sums.heldCount - (max.count ?? Infinity);
  return amountMinor <= 0 && count <= 0 ? [] : [excessBy(id, { amountMinor, count })];
}

/** What is not above zero is not said. */
function excessBy(rule: string, { amountMinor, count }: Required<Quantity>): Excess {
  return {
    rule,
    ...(amountMinor > 0 ? { amountMinor } : {}),
    ...(count > 0 ? { count } : {}),
  };
}

/** How much of a maximum is taken, of amount or count the larger: 0 of nothing, 1 of all of it. */
export function shareTaken({
  rule: { max },
  used = {},
  held = {},
}: Partial<Pick<Standing, 'used' | 'held'>> & { readonly rule: Pick<Rule, 'max'> }): number {
  const share = (of: 'amountMinor' | 'count'): number => {
    const [most, taken] = [max[of], (used[of] ?? 0) + (held[of] ?? 0)];
    if (most === 0) return taken < 0 ? 0 : 1;
    return most === undefined ? 0 : taken / most;
  };
  return Math.max(share('amountMinor'), share('count'));
}

/** The ids of rules, each once, in their order. */
export function idsIn(found: readonly { readonly rule: Rule }[]): readonly string[] {
  const ids = new Set<string>();
  for (const { rule } of found) ids.add(rule.id);
  return [...ids];
}
