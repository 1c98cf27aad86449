import type { DocumentPlan } from '../plan.ts';
import { bucketAt, fieldsAt } from '../plan.ts';
import type { HoldOrder } from '../counter-store.ts';
import type { KnownBefore, InstantRange } from './conditions.ts';
import type { Decided } from './decide.ts';
import type { Recalled } from './recall.ts';
import { KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../../shared/bounds.ts';
import { countersDigest } from '../../shared/digest.ts';
import type { Value } from './update.ts';

/** An order that an add takes. No two statements that add carry the same nonce. */
export type Taken = {
  readonly order: HoldOrder;
  readonly nonce: string;
  /** Counters that it does not enter: shadow rules alone use them, and they have no room. */
  readonly leftOut: readonly string[];
};

/** Orders that one document takes, all of them or none; windows and ends are worked out for `now`. */
export type Addition = {
  readonly taken: readonly Taken[];
  readonly plan: DocumentPlan;
  readonly now: Date;
  /** Where the server's instant must lie. */
  readonly stretch: InstantRange;
  /** The document must not have seen this instant. */
  readonly notSeen: Date;
  /** Of a rolling window, steps count that end after this. */
  readonly countAfter: Date;
  readonly recalled: Recalled;
  /** The document has no more buckets than this before. */
  readonly bucketsMax: number;
  readonly asRead?: AsRead;
};

/** Holds an add to a document that was read before. */
export type AsRead = KnownBefore & Pick<Decided, 'shadows'>;

/** One add in eight looks at all buckets, so that somebody sees those that are over. */
export function isChosen([first]: readonly Taken[]): boolean {
  return first !== undefined && first.nonce.charCodeAt(0) % 8 === 0;
}

/** The first instant at which the share of an order no longer counts. */
export function endOf({ until, holdMs }: HoldOrder, now: Date): Date {
  return until ?? new Date(now.getTime() + holdMs);
}

/** The holds of orders as they are stored; none of orders that are counted at once. */
export function storedHolds({ taken, plan, now }: Addition): readonly Value[] {
  const holds: Value[] = [];
  const names = plan.fixed?.names ?? plan.counters.map((one) => fieldsAt(one, now).name);
  for (const { order, nonce, leftOut } of taken) {
    if (order.capture) continue;
    const { id, digest, amountMinor, count, others, home } = order;
    const isAll = leftOut.length === 0;
    holds.push({
      id,
      nonce,
      digest,
      a: BigInt(amountMinor),
      ...(count === 1 ? {} : { n: BigInt(count) }),
      until: endOf(order, now),
      b: isAll
        ? names
        : names.filter((_, place) => !leftOut.includes(plan.counters[place]?.key ?? '')),
      ...(isAll ? {} : { leftOut }),
      ...(others === undefined ? {} : { others }),
      ...(home === undefined ? {} : { home }),
    });
  }
  return holds;
}

/** Orders that are counted at once, as home remembers them. */
export function storedOutcomes({ taken, plan, now: at }: Addition): readonly Value[] {
  const captured = taken.filter(({ order }) => order.capture);
  if (captured.length === 0) return [];
  const entered = countersDigest(plan.counters);
  return captured.map(({ order, nonce, leftOut }) => {
    const { id, digest, amountMinor, count, until, others } = order;
    return {
      id,
      is: `c${nonce}${digest}`,
      a: BigInt(amountMinor),
      ...(count === 1 ? {} : { n: BigInt(count) }),
      at,
      counters: entered,
      ...(leftOut.length === 0 ? {} : { leftOut }),
      ...(others === undefined || until === undefined ? {} : { until, others }),
    };
  });
}

/** When nothing of what orders enter matters any more. */
export function expireAt({ taken, plan, now }: Addition): Date {
  let last = plan.lastEnd + KEPT_BEYOND_MS;
  for (const { order } of taken) last = Math.max(last, endOf(order, now).getTime() + MEMORY_MS);
  if (plan.fixed === undefined)
    for (const { bucket } of plan.counters)
      last = Math.max(last, bucketAt(bucket, now).until.getTime() + KEPT_BEYOND_MS);
  return new Date(Math.min(NEVER.getTime(), last));
}
