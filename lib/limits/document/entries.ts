import { KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../../shared/bounds.ts';
import { countersDigest } from '../../shared/digest.ts';
import { bucketAt, fieldsAt } from '../plan.ts';
import type { HoldOrder } from '../counter-store.ts';
import type { Addition, Taken } from './addition.ts';
import type { Value } from './update.ts';

/** When the time of an order is over. */
export function endOf({ until, holdMs }: HoldOrder, now: Date): Date {
  return until ?? new Date(now.getTime() + holdMs);
}

type Entering = Pick<Addition, 'taken' | 'plan' | 'now'>;

/** The holds of orders as they are stored; none of orders that are counted at once. */
export function storedHolds({ taken, plan, now }: Entering): readonly Value[] {
  const holds: Value[] = [];
  const names = plan.fixed?.names ?? plan.counters.map((one) => fieldsAt(one, now).name);
  for (const { order, nonce, leftOut } of taken) {
    if (order.capture) continue;
    const { id, digest, amountMinor, count, others, home } = order;
    const isAll = leftOut.length === 0;
    holds.push({
      ...{ id, nonce, digest, a: BigInt(amountMinor) },
      ...(count === 1 ? {} : { n: BigInt(count) }),
      until: endOf(order, now),
      b: isAll ? names : names.filter((_, place) => !isLeftOut(leftOut, plan, place)),
      ...(isAll ? {} : { leftOut }),
      ...(others === undefined ? {} : { others }),
      ...(home === undefined ? {} : { home }),
    });
  }
  return holds;
}

function isLeftOut(leftOut: Taken['leftOut'], { counters }: Addition['plan'], place: number) {
  return leftOut.includes(counters[place]?.key ?? '');
}

/** Orders that are counted at once, as home remembers them. */
export function storedOutcomes({ taken, plan, now: at }: Entering): readonly Value[] {
  const captured = taken.filter(({ order }) => order.capture);
  if (captured.length === 0) return [];
  const entered = countersDigest(plan.counters);
  return captured.map(({ order, nonce, leftOut }) => {
    const { id, digest, amountMinor, count, until, others } = order;
    return {
      ...{ id, is: `c${nonce}${digest}`, a: BigInt(amountMinor) },
      ...(count === 1 ? {} : { n: BigInt(count) }),
      ...{ at, counters: entered },
      ...(leftOut.length === 0 ? {} : { leftOut }),
      ...(others === undefined || until === undefined ? {} : { until, others }),
    };
  });
}

/** When nothing of what orders enter matters any more. */
export function expireAt({ taken, plan, now }: Entering): Date {
  let last = plan.lastEnd + KEPT_BEYOND_MS;
  for (const { order } of taken) last = Math.max(last, endOf(order, now).getTime() + MEMORY_MS);
  if (plan.fixed === undefined)
    for (const { bucket } of plan.counters)
      last = Math.max(last, bucketAt(bucket, now).until.getTime() + KEPT_BEYOND_MS);
  return new Date(Math.min(NEVER.getTime(), last));
}
