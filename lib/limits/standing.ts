import type { excess } from '../../contract/orders.ts';
import type { Told } from '../../contract/words.ts';
import { countingBuckets } from '../document/decision.ts';
import type { DocumentView } from '../document/document.ts';
import type { Bucket, Sums } from '../counter/sums.ts';
import { NO_SUMS } from '../counter/sums.ts';
import type { Entrant } from '../counter/entry.ts';
import type { Counter, Overrun } from '../counter/kind.ts';
import { kindOf } from '../counter/kinds.ts';
import type { AppliedRule } from '../plan/plan.ts';
import type { Values } from '../rule/counter-key.ts';
import type { Rule } from '../rule/rule.ts';
import type { Quantity } from '../rule/own-terms.ts';
import { outsideSingle } from '../rule/rule.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { Writable } from '../shared/writable.ts';

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

/** A rule with what counts towards it, and how an ask fits on top of that. */
export type Standing = Pick<Counter, 'maxAmountMinor' | 'maxCount'> & {
  readonly rule: Rule;
  readonly applied: AppliedRule;
  readonly sums: Sums;
  readonly used: Quantity;
  readonly held: Quantity;
  /** Of the maximum amount; below zero where it is exceeded, infinite without one. */
  readonly amountLeft: number;
  readonly countLeft: number;
  /** By how much the ask would exceed the maximum. */
  readonly next: Overrun;
  readonly fits: boolean;
};

/** By how much a rule's maximum is exceeded once a payment is counted, in minor units. */
export type Excess = Told<typeof excess>;

/** Finds what counts towards a rule, and whether an ask fits. @param max as it is, or as it will be by then */
export function standingOf(
  applied: AppliedRule,
  buckets: readonly Bucket[],
  asks: Entrant,
  max = applied.rule.max,
): Standing {
  const { rule: own, counting, counter } = applied;
  const rule = max === own.max ? own : { ...own, max };
  const sums = applied.kind === 'single' ? NO_SUMS : counting.sums(counter, buckets);
  const { usedAmount, usedCount, heldAmount, heldCount } = sums;
  const isOfCounts = rule.currency === undefined;
  const standing: Writable<Standing> = {
    rule,
    applied,
    sums,
    maxAmountMinor: max.amountMinor ?? Infinity,
    maxCount: max.count ?? Infinity,
    used: isOfCounts ? { count: usedCount } : { amountMinor: usedAmount, count: usedCount },
    held: isOfCounts ? { count: heldCount } : { amountMinor: heldAmount, count: heldCount },
    amountLeft: 0,
    countLeft: 0,
    next: NOT_EXCEEDED,
    fits: true,
  };
  const { amount, count } = counting.excess(counter, sums, standing, undefined);
  standing.amountLeft -= amount;
  standing.countLeft -= count;
  const next = counting.excess(counter, sums, standing, asks);
  standing.next = next;
  standing.fits =
    applied.kind === 'single' ? !outsideSingle(rule, asks) : next.amount <= 0 && next.count <= 0;
  return standing;
}

const NOT_EXCEEDED: Overrun = { amount: 0, count: 0 };

/** What is left of the maximum amount for an ask: one of no amount asks for none. */
export function amountLeftFor({ amountLeft }: Standing, { amountMinor }: Asked): number {
  return amountMinor === 0 ? Infinity : amountLeft;
}

/** By how much an ask raises a rule's count. @param isIn whether it counts by now */
export function raisedBy({ applied, sums }: Standing, asks: Entrant, isIn: boolean): number {
  const { counting, counter } = applied;
  return counting.raises === undefined
    ? asks.count
    : counting.raises(counter, sums.cells, asks, isIn);
}

/** The maxima of a rule that are exceeded by what counts in a document. @param payment is in what counts */
export function ruleExcess(
  { id, max }: Pick<Rule, 'id' | 'max'>,
  counter: string,
  view: DocumentView,
  payment: { readonly amountMinor: number },
): readonly Excess[] {
  const kind = kindOf(counter);
  const sums = kind.sums(counter, countingBuckets(view));
  const { amountMinor = Infinity, count = Infinity } = max;
  const most = {
    maxAmountMinor: payment.amountMinor === 0 ? Infinity : amountMinor,
    maxCount: count,
  };
  const overrun = kind.excess(counter, sums, most, undefined);
  return overrun.amount <= 0 && overrun.count <= 0 ? [] : [excessBy(id, overrun)];
}

/** What is not above zero is not said. */
export function excessBy(rule: string, { amount, count }: Overrun): Excess {
  return { rule, amount: amount > 0 ? amount : undefined, count: count > 0 ? count : undefined };
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
  const ids: string[] = [];
  for (const { rule } of found) if (!ids.includes(rule.id)) ids.push(rule.id);
  return ids;
}
