import { endText } from './document.ts';
import type { CounterPlan } from '../plan.ts';
import { fieldsAt } from '../plan.ts';
import type { Addition, Taken } from './addition.ts';
import { notAbove, sumOfSteps } from './conditions.ts';

/** Adds up the orders that enter a counter, or all; what is used is of those that are captured. */
export function sumOf(taken: readonly Taken[], counter?: string) {
  let [orders, amount, count, usedAmount, usedCount] = [0, 0, 0, 0, 0];
  for (const { order, leftOut } of taken) {
    if (counter !== undefined && leftOut.includes(counter)) continue;
    orders += 1;
    amount += order.amountMinor;
    count += order.count;
    if (order.capture) usedAmount += order.amountMinor;
    if (order.capture) usedCount += order.count;
  }
  return { orders, amount, count, usedAmount, usedCount };
}

/**
 * How many holds orders open, and how many may be open before them. Example: one place of 2,000 is left. An
 * order that is held takes it, and one that is captured needs none. So 1,999 may be open before both.
 */
export function opensOf(taken: readonly Taken[]) {
  let [openBefore, opens] = [Infinity, 0];
  for (const { order } of taken) {
    if (order.capture) continue;
    opens += 1;
    openBefore = Math.min(openBefore, order.openMax - opens);
  }
  return { openBefore, opens };
}

/** Works out that every counter has room for all that enter it, and what they add, by path. */
export function enteredBy({ taken, plan, now, countAfter, asRead }: Addition) {
  const room: Record<string, unknown> = {};
  const expressions: unknown[] = [];
  const sums: Record<string, bigint> = {};
  const all = sumOf(taken);
  const isWhole = taken.every(({ leftOut }) => leftOut.length === 0);
  for (const counter of plan.counters) {
    const { key, bucket, sumsAmounts, maxAmountMinor, maxCount } = counter;
    const added = isWhole ? all : sumOf(taken, key);
    const fields = bucket.kind === 'fixed' ? bucket.fields : fieldsAt(counter, now);
    const known = added.orders < all.orders ? asRead?.shadows.get(key) : undefined;
    const steps = plan.fixed === undefined ? stepsOf(counter, countAfter) : undefined;
    // A counter that was read, and that an order does not enter, is as it was.
    const requireRoom = (field: 'a' | 'n', path: string, most: number, exactly?: number): void => {
      // A bucket that is not there has no sum.
      if (steps === undefined)
        room[path] = exactly === 0 ? notAbove(0) : (exactly ?? notAbove(most));
      else if (exactly === undefined) expressions.push(sumOfSteps('$lte', steps, field, most));
      else expressions.push(sumOfSteps('$eq', steps, field, exactly));
    };
    if (sumsAmounts) {
      const before = known && known.usedAmount + known.heldAmount;
      requireRoom('a', fields.amount, maxAmountMinor - added.amount, before);
      if (added.amount > 0) sums[fields.amount] = BigInt(added.amount);
      if (added.usedAmount > 0) sums[fields.usedAmount] = BigInt(added.usedAmount);
    }
    const before = known && known.usedCount + known.heldCount;
    requireRoom('n', fields.count, maxCount - added.count, before);
    if (added.count > 0) sums[fields.count] = BigInt(added.count);
    if (added.usedCount > 0) sums[fields.usedCount] = BigInt(added.usedCount);
  }
  return { room, expressions, sums };
}

/** The names of a rolling window's buckets that end after an instant; names sort by their ends. */
function stepsOf({ key, bucket }: CounterPlan, after: Date) {
  if (bucket.kind === 'fixed' && bucket.isStep !== true) return undefined;
  return { first: `${key} ${endText(after.getTime() + 1)}`, beyond: `${key}!` };
}
