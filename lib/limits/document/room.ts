import { COUNTER_SUM_MAX } from '../../shared/bounds.ts';
import type { Sums } from '../decision.ts';
import { bucketName, endText } from './document.ts';
import type { CounterPlan } from '../plan.ts';
import { bucketAt } from '../plan.ts';
import type { Addition, Taken } from './addition.ts';
import { notAbove, sumOfSteps } from './conditions.ts';
import type { Filter } from './update.ts';
import { Increments } from './update.ts';

/** What orders add to the sums of each counter that they enter. */
export function sumsAdded({ taken, counters, now }: Addition): Increments {
  const sums = new Increments();
  for (const counter of counters) {
    const entering = entersOf(taken, counter);
    if (entering.length === 0) continue;
    const path = `buckets.${nameAt(counter, now)}`;
    const all = sumOf(entering);
    const used = sumOf(entering.filter(({ order }) => order.capture));
    if (counter.sumsAmounts) {
      sums.add(`${path}.amount`, all.amount);
      sums.add(`${path}.usedAmount`, used.amount);
    }
    sums.add(`${path}.count`, all.count);
    sums.add(`${path}.usedCount`, used.count);
  }
  return sums;
}

type Room = { readonly fields: Filter; readonly expressions: readonly unknown[] };

/** Every counter has room for all orders that enter it, after what is used and held. */
export function hasRoom({ taken, counters, now, countAfter, asRead }: Addition): Room {
  const fields: Record<string, unknown> = {};
  const expressions: unknown[] = [];
  for (const counter of counters) {
    const entering = entersOf(taken, counter);
    const { amount, count } = sumOf(entering);
    const room = {
      amount: BigInt(counter.maxAmountMinor) - amount,
      count: BigInt(counter.maxCount) - count,
    };
    const sums = counter.sumsAmounts ? (['amount', 'count'] as const) : (['count'] as const);
    const read = entering.length < taken.length ? asRead?.shadows.get(counter.key) : undefined;
    const steps = stepsOf(counter, countAfter);
    for (const field of sums) {
      const known = read && BigInt(field === 'amount' ? amountOf(read) : countOf(read));
      if (steps !== undefined)
        expressions.push(
          known === undefined
            ? sumOfSteps('$lte', steps, field, room[field])
            : sumOfSteps('$eq', steps, field, known),
        );
      else
        fields[`buckets.${nameAt(counter, now)}.${field}`] =
          known === undefined ? notAbove(room[field]) : isSum(known);
    }
  }
  return { fields, expressions };
}

/** A sum as it was read; nothing is the sum of a bucket that is not there. */
function isSum(known: bigint): unknown {
  return known === 0n ? { $not: { $gt: 0n } } : known;
}

/** The names of a rolling window's buckets that end after an instant; names sort by their ends. */
export function stepsOf({ key, bucket }: CounterPlan, after: Date) {
  if (bucket.kind === 'fixed' && bucket.isStep !== true) return undefined;
  return { first: `${key} ${endText(after.getTime() + 1)}`, beyond: `${key}!` };
}

/** The bucket of a counter that an order enters at an instant. */
export function nameAt({ key, bucket }: Pick<CounterPlan, 'key' | 'bucket'>, now: Date): string {
  return bucketName({ counter: key, until: bucketAt(bucket, now).until });
}

function entersOf(taken: readonly Taken[], { key }: CounterPlan): readonly Taken[] {
  return taken.filter(({ leftOut }) => !leftOut.includes(key));
}

function sumOf(taken: readonly Taken[]): { readonly amount: bigint; readonly count: bigint } {
  let [amount, count] = [0n, 0n];
  for (const { order } of taken) {
    amount += BigInt(order.amountMinor);
    count += BigInt(order.count);
  }
  return { amount, count };
}

function amountOf({ usedAmount, heldAmount }: Sums): number {
  return usedAmount + heldAmount;
}

function countOf({ usedCount, heldCount }: Sums): number {
  return usedCount + heldCount;
}

/** Whether not even an empty counter has room for some orders. */
export function exceedsAnyway(counters: readonly CounterPlan[], taken: readonly Taken[]): boolean {
  const { amount, count } = sumOf(taken);
  return counters.some(
    ({ maxAmountMinor, maxCount, sumsAmounts }) =>
      (sumsAmounts && amount > BigInt(Math.min(maxAmountMinor, COUNTER_SUM_MAX))) ||
      count > BigInt(maxCount),
  );
}
