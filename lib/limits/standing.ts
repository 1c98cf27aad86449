import { countingBuckets, sumsOf } from '../document/decision.ts';
import type { DocumentView } from '../document/document.ts';
import type { Bucket, Cells } from '../counter/sums.ts';
import { NO_SUMS } from '../counter/sums.ts';
import type { Asks, CounterKind, Overrun } from '../counter/kind.ts';
import { kindOf } from '../counter/kinds.ts';
import type { AppliedRule } from '../plan/plan.ts';
import type { Values } from '../rule/counter-key.ts';
import type { Quantity, Rule } from '../rule/rule.ts';
import { outsideSingle } from '../rule/rule.ts';
import type { CheckRequest } from '../shared/request.ts';

/** What is asked, as far as rules decide by it. */
export type Asked = Pick<
  CheckRequest,
  'subjects' | 'amountMinor' | 'count' | 'dryRun' | 'capture'
> & { readonly values?: Values | undefined };

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
  readonly kind: CounterKind;
  readonly cells?: Cells | undefined;
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
  const key = applied.kind === 'single' ? '' : applied.counter;
  const kind = kindOf(key);
  const { usedAmount, usedCount, heldAmount, heldCount, cells } =
    applied.kind === 'single' ? NO_SUMS : kind.sums(key, buckets);
  const isOfCounts = rule.currency === undefined;
  return {
    rule: max === rule.max ? rule : { ...rule, max },
    applied,
    used: isOfCounts ? { count: usedCount } : { amountMinor: usedAmount, count: usedCount },
    held: isOfCounts ? { count: heldCount } : { amountMinor: heldAmount, count: heldCount },
    amountLeft: (max.amountMinor ?? Infinity) - usedAmount - heldAmount,
    countLeft: (max.count ?? Infinity) - usedCount - heldCount,
    kind,
    cells,
  };
}

/** What is left of the maximum amount for an ask: one of no amount asks for none. */
export function amountLeftFor({ amountLeft }: Standing, { amountMinor }: Asked): number {
  return amountMinor === 0 ? Infinity : amountLeft;
}

/** Says whether the ask fits on top of what counts. */
export function fits(standing: Standing, asks: Asks): boolean {
  const { rule, applied, kind } = standing;
  if (applied.kind === 'single') return !outsideSingle(rule, asks);
  const { amount, count } = kind.excess(applied.counter, standing, asks);
  return amount <= 0 && count <= 0;
}

/** Whether an ask that is not counted would take the last of a maximum. */
export function wouldSpend(standing: Standing, asks: Asks): boolean {
  if (raisedBy(standing, asks, false) === 0) return false;
  const { amount, count } = overrunOf(standing, asks);
  return amount >= 0 || count >= 0;
}

/** By how much an ask raises a rule's count. @param isIn whether it counts by now */
export function raisedBy({ applied, kind, cells }: Standing, asks: Asks, isIn: boolean): number {
  if (applied.kind === 'single' || kind.raises === undefined) return asks.count;
  return kind.raises(applied.counter, cells, asks, isIn);
}

function overrunOf(standing: Standing, asks: Asks): Overrun {
  const { applied, kind } = standing;
  return kind.excess(applied.kind === 'single' ? '' : applied.counter, standing, asks);
}

/** By how much a maximum is exceeded. @param isIn whether the ask counts by now */
export function excessOver(standing: Standing, asks: Asked, isIn: boolean): Excess {
  const { rule, countLeft } = standing;
  const { amount, count } = isIn
    ? { amount: -amountLeftFor(standing, asks), count: -countLeft }
    : overrunOf(standing, asks);
  return excessBy(rule.id, { amountMinor: amount, count });
}

/** The maxima of a rule that are exceeded by what counts in a document. @param payment is in what counts */
export function excessIn(
  { id, max }: Pick<Rule, 'id' | 'max'>,
  counter: string,
  view: DocumentView,
  payment: { readonly amountMinor: number },
): readonly Excess[] {
  const sums = sumsOf(countingBuckets(view), counter);
  const most = payment.amountMinor === 0 ? Infinity : (max.amountMinor ?? Infinity);
  const amountMinor = sums.usedAmount + sums.heldAmount - most;
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
