import { COUNTER_SUM_MAX } from '../shared/bounds.ts';
import type { Counter } from './kind.ts';
import type { Intake } from './entry.ts';
import type { CounterKind, Raised, Room } from './kind.ts';
import type { BucketFields } from './name.ts';
import { notAbove } from './room.ts';
import type { Sums } from './sums.ts';
import { wholeSums } from './sums.ts';

/** Plain sums: an amount, and a number of payments. */
export const plain: CounterKind = {
  isOf: () => true,
  mostCounted: COUNTER_SUM_MAX,
  exceedsWhole: ({ maxAmountMinor, maxCount, sumsAmounts }, { amount, count }) =>
    count > maxCount || (sumsAmounts && amount > maxAmountMinor),
  room: plainRoom,
  raise: plainRaise,
  sums: (key, buckets) => wholeSums(buckets, key),
  excess: (_, { amountLeft, countLeft }, { amountMinor, count }) => ({
    // What is unlimited is not exceeded by what is, and who takes nothing exceeds nothing.
    amount: amountLeft === Infinity || amountMinor === 0 ? -Infinity : amountMinor - amountLeft,
    count: countLeft === Infinity ? -Infinity : count - countLeft,
  }),
};

/** The amount, if any is asked, and the number have room. A bucket that was read, and that an order does not enter, is as it was. */
function plainRoom(
  { paths }: Room,
  { sumsAmounts, maxAmountMinor, maxCount }: Counter,
  { asked }: Intake,
  fields: BucketFields,
  asRead: Sums | undefined,
): void {
  if (asRead !== undefined) {
    if (sumsAmounts) paths[fields.amount] = exactly(asRead.usedAmount + asRead.heldAmount);
    paths[fields.count] = exactly(asRead.usedCount + asRead.heldCount);
    return;
  }
  if (sumsAmounts && asked.amount > 0)
    paths[fields.amount] = notAbove(maxAmountMinor - asked.amount);
  paths[fields.count] = notAbove(maxCount - asked.count);
}

/** A bucket that is not there has no sum. */
export function exactly(sum: number): unknown {
  return sum === 0 ? notAbove(0) : sum;
}

function plainRaise(
  to: Raised,
  { sumsAmounts }: Counter,
  { amount, usedAmount, count, usedCount }: Intake,
  fields: BucketFields,
): void {
  if (sumsAmounts && amount > 0) to[fields.amount] = BigInt(amount);
  if (sumsAmounts && usedAmount > 0) to[fields.usedAmount] = BigInt(usedAmount);
  if (count > 0) to[fields.count] = BigInt(count);
  if (usedCount > 0) to[fields.usedCount] = BigInt(usedCount);
}
