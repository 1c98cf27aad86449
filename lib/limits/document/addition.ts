import type { Sums } from '../decision.ts';
import type { DocumentPlan } from '../plan.ts';
import { bucketAt, fieldsAt } from '../plan.ts';
import type { HoldOrder } from '../counter-store.ts';
import type { KnownBefore, OpenNonce, InstantRange } from './conditions.ts';
import type { Recalled } from './recall.ts';
import { KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../../shared/bounds.ts';
import { countersDigest } from '../../shared/digest.ts';
import type { Value } from './update.ts';

/** An order that an add takes: held, or counted at once. */
export type Taken = {
  readonly order: HoldOrder;
  /** Of this statement alone: no two statements that add carry the same. */
  readonly nonce: string;
  /** Counters that it does not enter: shadow rules alone use them, and they have no room. */
  readonly leftOut: readonly string[];
};

/** Ids of orders. */
export function idsOf(taken: readonly Taken[]): readonly string[] {
  return taken.map(({ order }) => order.id);
}

/** Nonces of orders. */
export function noncesOf(taken: readonly Taken[]): readonly string[] {
  return taken.map(({ nonce }) => nonce);
}

/** Orders that one document takes, all of them or none. */
export type Addition = {
  readonly documentId: string;
  readonly taken: readonly Taken[];
  readonly plan: DocumentPlan;
  /** The instant that windows and ends are worked out for. */
  readonly now: Date;
  /** Where the server's instant must lie. */
  readonly stretch: InstantRange;
  /** The document must not have seen this instant. */
  readonly notSeen: Date;
  /** Of a rolling window, steps count that end after this. */
  readonly countAfter: Date;
  readonly terms: string | undefined;
  readonly rememberedMax: number | undefined;
  /** At home of orders over several documents. One nonce stands for all orders. */
  readonly open: OpenNonce | undefined;
  readonly outcomesMax: number;
  /** The document has no more buckets than this before. */
  readonly bucketsMax: number;
  /** Other orders of the same call whose home this is. */
  readonly alsoAsked: readonly string[];
  /** What was read of the document, if it was. */
  readonly asRead?: AsRead;
  /** Whether all buckets come back, those that are over among them. */
  readonly showsAll: boolean;
};

/** What an add holds a document to that was read before. */
export type AsRead = KnownBefore & {
  /** The sums of shadow counters that some orders do not enter, by key. */
  readonly shadows: ReadonlyMap<string, Sums>;
  readonly recalled: Recalled;
};

/** One add in eight looks at all buckets, so that somebody sees those that are over. */
export function isChosen([first]: readonly Taken[]): boolean {
  return first !== undefined && first.nonce.charCodeAt(0) % 8 === 0;
}

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
