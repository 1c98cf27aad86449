import { countingBuckets, sumsOf } from '../document/decision.ts';
import type { DocumentView } from '../document/document.ts';
import type { Rule } from '../rule/rule.ts';

/** By how much a rule's maximum is exceeded once a payment is counted. */
export type Excess = {
  readonly rule: string;
  readonly amountMinor?: number;
  readonly count?: number;
};

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

/** Says of a rule by how much its maxima are exceeded; what is not above zero is not. */
export function excessBy(
  rule: string,
  { amountMinor, count }: { readonly amountMinor: number; readonly count: number },
): Excess {
  return {
    rule,
    ...(amountMinor > 0 ? { amountMinor } : {}),
    ...(count > 0 ? { count } : {}),
  };
}
