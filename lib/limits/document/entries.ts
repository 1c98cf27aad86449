import { KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../../shared/bounds.ts';
import { countersDigest } from '../../shared/digest.ts';
import { bucketAt } from '../plan.ts';
import type { HoldOrder } from '../counter-store.ts';
import type { Addition, Taken } from './addition.ts';
import { nameAt } from './room.ts';
import type { Value } from './update.ts';

/** When the time of an order is over. */
export function endOf({ until, holdMs }: HoldOrder, now: Date): Date {
  return until ?? new Date(now.getTime() + holdMs);
}

/** A hold as it is stored. */
export function storedHold(
  { order, nonce, leftOut }: Taken,
  { counters, now }: Pick<Addition, 'counters' | 'now'>,
): Value {
  const { id, digest, amountMinor, count, others, home } = order;
  const entered = counters.filter(({ key }) => !leftOut.includes(key));
  return {
    ...{ id, nonce, digest, amount: BigInt(amountMinor) },
    ...(count === 1 ? {} : { count: BigInt(count) }),
    until: endOf(order, now),
    buckets: entered.map((counter) => nameAt(counter, now)),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(others === undefined ? {} : { others }),
    ...(home === undefined ? {} : { home }),
  };
}

/** Captured orders as home remembers them. */
export function storedOutcomes(
  captured: readonly Taken[],
  { counters, now: at }: Pick<Addition, 'counters' | 'now'>,
): readonly Value[] {
  if (captured.length === 0) return [];
  const entered = countersDigest(counters);
  return captured.map(({ order, nonce, leftOut }) => {
    const { id, digest, amountMinor, count, until, others } = order;
    return {
      ...{ id, is: `c${nonce}${digest}`, amount: BigInt(amountMinor) },
      ...(count === 1 ? {} : { count: BigInt(count) }),
      ...{ at, counters: entered },
      ...(leftOut.length === 0 ? {} : { leftOut }),
      ...(others === undefined || until === undefined ? {} : { until, others }),
    };
  });
}

/** When nothing of what orders enter matters any more. */
export function expireAt({
  taken,
  counters,
  now,
}: Pick<Addition, 'taken' | 'counters' | 'now'>): Date {
  const ends = [
    ...taken.map(({ order }) => endOf(order, now).getTime() + MEMORY_MS),
    ...counters.map(({ bucket }) => bucketAt(bucket, now).until.getTime() + KEPT_BEYOND_MS),
  ];
  return new Date(Math.min(NEVER.getTime(), Math.max(...ends)));
}
