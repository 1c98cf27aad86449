import { MARKS, PART } from '../rule/counter-key.ts';
import { COUNTER_SUM_MAX } from '../shared/bounds.ts';
import type { CounterKind } from './kind.ts';
import type { BucketFields } from './name.ts';
import { exactly, notAbove, plain } from './plain.ts';
import { wholeSums } from './sums.ts';

/**
 * A level: an amount that other orders lower once they are confirmed. What lowers it has a counter of its own, so that
 * both only grow. Its bucket keeps its own sum, which must stay exact, however much others lower it.
 */
export const level: CounterKind = {
  ...plain,
  isOf: (key) => loweringOf(key) !== undefined,
  beside: loweringOf,
  room(to, counter, entry, fields, asRead) {
    const { bucket, maxAmountMinor, maxCount } = counter;
    const lowering = bucket.kind === 'fixed' ? bucket.beside?.fields : undefined;
    const { amount, count } = entry.asked;
    if (lowering === undefined || maxAmountMinor >= COUNTER_SUM_MAX || amount === 0)
      return plain.room(to, counter, entry, fields, asRead);
    to.paths[fields.amount] = notAbove(COUNTER_SUM_MAX - amount);
    to.paths[fields.count] =
      asRead === undefined
        ? notAbove(maxCount - count)
        : exactly(asRead.usedCount + asRead.heldCount);
    to.expressions.push(isLevelAtMost(fields, lowering, maxAmountMinor - amount));
    return count <= maxCount;
  },
  sums(key, buckets) {
    const sums = wholeSums(buckets, key);
    const lowering = loweringOf(key) ?? '';
    return { ...sums, usedAmount: sums.usedAmount - wholeSums(buckets, lowering).usedAmount };
  },
  staysExact(key, buckets, asked) {
    const { usedAmount, heldAmount } = wholeSums(buckets, key);
    return usedAmount + heldAmount <= COUNTER_SUM_MAX - asked;
  },
};

/** The sum of a bucket, less what lowers it, is at most a number. */
function isLevelAtMost(sum: BucketFields, lowering: BucketFields, most: number): unknown {
  const orZero = (path: string): unknown => ({ $ifNull: [`$${path}`, 0] });
  return { $lte: [{ $subtract: [orZero(sum.amount), orZero(lowering.usedAmount)] }, most] };
}

/** The counter of what lowers a counter's sum, if anything does: then no outcomes stand behind the marks. */
function loweringOf(counter: string): string | undefined {
  if (!counter.endsWith(MARKS.lowered)) return undefined; // some digests end with the letter, too
  const [, marks = '', outcomes] = counter.split(PART);
  if (!marks.endsWith(MARKS.lowered) || outcomes !== undefined) return undefined;
  return `${counter.slice(0, -MARKS.lowered.length)}${MARKS.lowers}`;
}
