import { countsOutcome, outcomesText } from '../rule/counter.ts';
import { endText, valuePath } from './bucket-name.ts';
import type { Addition, Taken } from './addition.ts';
import { areCounted, haveRoom, isLevelAtMost, notAbove, sumOfSteps } from './conditions.ts';
import { COUNTER_SUM_MAX } from '../shared/bounds.ts';
import { countHeld, heldFields } from './held.ts';
import { CONFIRMED } from '../shared/states.ts';
import { Increments } from './update.ts';
import { storedOutcome } from './written.ts';
import type { CounterPlan } from './document-plan.ts';
import { fieldsAt, isFixed } from './document-plan.ts';
import { valuesThere } from './values.ts';
import { valuesAdded } from './values-added.ts';

/**
 * Adds up the orders that enter a counter, or an ordinary one. One that is captured with an outcome that does not
 * count there leaves nothing, but asks for its room: `asked` is the most that any needs beside those before it.
 */
export function sumOf(taken: readonly Taken[], counter = '') {
  const asked = { amount: 0, count: 0 };
  let [orders, amount, count, usedAmount, usedCount] = [0, 0, 0, 0, 0];
  for (const { order, leftOut } of taken) {
    if (leftOut.includes(counter)) continue;
    orders += 1;
    asked.amount = Math.max(asked.amount, amount + order.amountMinor);
    asked.count = Math.max(asked.count, count + order.count);
    const { to, reasonCode } = order.ending ?? CONFIRMED;
    if (order.capture && !countsOutcome(counter, to, reasonCode)) continue;
    amount += order.amountMinor;
    count += order.count;
    if (order.capture) usedAmount += order.amountMinor;
    if (order.capture) usedCount += order.count;
  }
  return { orders, amount, count, usedAmount, usedCount, asked };
}

/**
 * How many holds may be open before some orders. Example: one place of 2,000 is left. An order that is held
 * takes it, and one that is captured needs none. So 1,999 may be open before both.
 */
export function openBefore(taken: readonly Taken[]): number {
  let [most, opens] = [Infinity, 0];
  for (const { order } of taken) {
    if (order.capture) continue;
    opens += 1;
    most = Math.min(most, order.openMax - opens);
  }
  return most;
}

/** Works out that every counter has room for all that enter it, and what an addition writes. */
export function enteredBy({ taken, plan, now, countAfter, asRead, ...entered }: Addition) {
  const room: Record<string, unknown> = {};
  const expressions: unknown[] = [];
  const sums = new Increments();
  const all = sumOf(taken);
  const isWhole = taken.every(({ leftOut }) => leftOut.length === 0);
  const areStepped = !isFixed(plan);
  for (const counter of plan.counters) {
    const { key, bucket, sumsAmounts, maxAmountMinor, maxCount } = counter;
    const isOrdinary = isWhole && outcomesText(key) === undefined;
    const added = isOrdinary ? all : sumOf(taken, key);
    const fields = bucket.kind === 'fixed' ? bucket.fields : fieldsAt(counter, now);
    const known = added.orders < all.orders ? asRead?.shadows.get(key) : undefined;
    const steps = areStepped ? stepsOf(counter, countAfter) : undefined;
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
      const lowering = bucket.kind === 'fixed' ? bucket.lowering : undefined;
      const most = maxAmountMinor - added.asked.amount;
      if (lowering === undefined || maxAmountMinor >= COUNTER_SUM_MAX)
        requireRoom('a', fields.amount, most, before);
      else {
        requireRoom('a', fields.amount, COUNTER_SUM_MAX - added.asked.amount);
        expressions.push(isLevelAtMost(fields, lowering.fields, most));
      }
      sums.add(fields.amount, BigInt(added.amount));
      if (added.usedAmount > 0) sums.add(fields.usedAmount, BigInt(added.usedAmount));
    }
    if (counter.distinct === undefined) {
      const before = known && known.usedCount + known.heldCount;
      requireRoom('n', fields.count, maxCount - added.asked.count, before);
    } else {
      requireRoom('n', fields.count, COUNTER_SUM_MAX - added.asked.count);
      const values = valuesAdded(taken, counter);
      if (known !== undefined) expressions.push(areCounted(fields.name, valuesThere(known.values)));
      else for (const each of values.asked) expressions.push(haveRoom(fields.name, each, maxCount));
      for (const [value, { all: count, used }] of values.sums) {
        sums.add(valuePath(fields.name, 'd', value), BigInt(count));
        sums.add(valuePath(fields.name, 'ud', value), BigInt(used));
      }
    }
    sums.add(fields.count, BigInt(added.count));
    if (added.usedCount > 0) sums.add(fields.usedCount, BigInt(added.usedCount));
  }
  countHeld(sums, entered.holds, 1n);
  sums.add('q', 1n);
  sums.add('remembered', BigInt(entered.outcomes.length));
  const outcomes = entered.outcomes.map(storedOutcome);
  return { room, expressions, sums, fields: heldFields(entered.holds), outcomes };
}

/** The names of a rolling window's buckets that end after an instant; names sort by their ends. */
function stepsOf({ key, bucket }: CounterPlan, after: Date) {
  if (bucket.kind === 'fixed' && bucket.isStep !== true) return undefined;
  return { first: `${key} ${endText(after.getTime() + 1)}`, beyond: `${key}!` };
}
