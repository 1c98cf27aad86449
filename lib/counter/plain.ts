import { COUNTER_SUM_MAX } from '../shared/bounds.ts';
import type { Counter } from './kind.ts';
import type { Intake } from './entry.ts';
import type { CounterKind, Room } from './kind.ts';
import type { BucketFields } from './name.ts';
import type { Sums } from './sums.ts';
import { wholeSums } from './sums.ts';

const NOTHING = { amountMinor: 0, count: 0 };

/** Plain sums: an amount, and a number of payments. */
export const plain: CounterKind = {
  isOf: () => true,
  mostCounted: COUNTER_SUM_MAX,
  room: plainRoom,
  raise: plainRaise,
  sums: (key, buckets) => wholeSums(buckets, key),
  excess(_, { usedAmount, heldAmount, usedCount, heldCount }, { maxAmountMinor, maxCount }, asks) {
    const { amountMinor: amount, count } = asks ?? NOTHING;
    const takesNothing = asks !== undefined && amount === 0;
    return {
      amount: takesNothing ? -Infinity : usedAmount + heldAmount + amount - maxAmountMinor,
      count: usedCount + heldCount + count - maxCount,
    };
  },
};

/**
 * States that the amount has room, if the orders ask for any, and the number. A bucket that was read, and that one of them
 * does not enter, must be as it was.
 */
function plainRoom(
  { paths }: Room,
  { sumsAmounts, maxAmountMinor, maxCount }: Counter,
  { asked }: Intake,
  fields: BucketFields,
  asRead: Sums | undefined,
): boolean {
  if (asRead !== undefined) {
    if (sumsAmounts) paths[fields.amount] = exactly(asRead.usedAmount + asRead.heldAmount);
    paths[fields.count] = exactly(asRead.usedCount + asRead.heldCount);
    return true;
  }
  const isAmount = sumsAmounts && asked.amount > 0;
  const [amount, count] = [maxAmountMinor - asked.amount, maxCount - asked.count];
  if (count < 0 || (isAmount && amount < 0)) return false;
  if (isAmount) paths[fields.amount] = notAbove(amount);
  paths[fields.count] = notAbove(count);
  return true;
}

/** No more than this is used and held in a bucket; a missing bucket has nothing. */
export function notAbove(room: number | bigint): unknown {
  return { $not: { $gt: room } };
}

/** A bucket that is not there has no sum. */
export function exactly(sum: number): unknown {
  return sum === 0 ? notAbove(0) : sum;
}

function plainRaise(
  to: Record<string, bigint>,
  { sumsAmounts }: Counter,
  { amount, usedAmount, count, usedCount }: Intake,
  fields: BucketFields,
): void {
  if (sumsAmounts && amount > 0) to[fields.amount] = BigInt(amount);
  if (sumsAmounts && usedAmount > 0) to[fields.usedAmount] = BigInt(usedAmount);
  if (count > 0) to[fields.count] = BigInt(count);
  if (usedCount > 0) to[fields.usedCount] = BigInt(usedCount);
}
