import type { Counter } from './kind.ts';
import { endText } from './name.ts';
import type { CounterKind } from './kind.ts';
import { plain } from './plain.ts';

/** Plain sums of a rolling window: they lie in many buckets, of which each order enters one. */
export const steps: CounterKind = {
  ...plain,
  room({ expressions, countAfter }, counter: Counter, { asked }, _, asRead) {
    const { sumsAmounts, maxAmountMinor, maxCount } = counter;
    const those = stepsAfter(counter, countAfter);
    const operator = asRead === undefined ? '$lte' : '$eq';
    const { usedAmount, heldAmount, usedCount, heldCount } = asRead ?? NOTHING;
    if (sumsAmounts && (asked.amount > 0 || asRead !== undefined)) {
      const amount = asRead ? usedAmount + heldAmount : maxAmountMinor - asked.amount;
      expressions.push(sumOfSteps(operator, those, 'a', amount));
    }
    const count = asRead ? usedCount + heldCount : maxCount - asked.count;
    expressions.push(sumOfSteps(operator, those, 'n', count));
    return asRead !== undefined || (count >= 0 && (!sumsAmounts || maxAmountMinor >= asked.amount));
  },
};

const NOTHING = { usedAmount: 0, heldAmount: 0, usedCount: 0, heldCount: 0 };

/** Compares the sum of a counter's buckets that end after an instant with a number. */
function sumOfSteps(
  operator: '$lte' | '$eq',
  { first, beyond }: { readonly first: string; readonly beyond: string },
  field: 'a' | 'n',
  bound: number,
): unknown {
  const isTheirs = { $and: [{ $gte: ['$$this.k', first] }, { $lt: ['$$this.k', beyond] }] };
  const entries = { $objectToArray: { $ifNull: ['$b', {}] } };
  const those = { $filter: { input: entries, cond: isTheirs } };
  return { [operator]: [{ $sum: { $map: { input: those, in: `$$this.v.${field}` } } }, bound] };
}

/** The names of a rolling window's buckets that end after an instant; names sort by their ends. */
function stepsAfter({ key }: Counter, after: Date) {
  return { first: `${key} ${endText(after.getTime() + 1)}`, beyond: `${key}!` };
}
