import type { HoldOrder } from './counter-store.ts';
import { countingBuckets } from './decision.ts';
import type { Bucket, BucketReference, DocumentView } from './document/document.ts';
import { holdsAny, isSameBucket } from './document/document.ts';
import { groupedBy } from './many.ts';
import type { CounterPlan } from './plan.ts';
import { bucketAt } from './plan.ts';

/** What one order of an update holds in a document. Beside home nothing is captured. */
export function takenShare(
  { amountMinor, count, capture }: Pick<HoldOrder, 'amountMinor' | 'count' | 'capture'>,
  isBeside: boolean,
  counters: readonly CounterPlan[],
  leftOut: readonly string[] = [],
) {
  return { amountMinor, count, captured: capture && !isBeside, isBeside, counters, leftOut };
}
type TakenShare = Readonly<ReturnType<typeof takenShare>>;

/** An order of an update, with what it holds in the document after it, if anything. */
export type Placed = { readonly id: string; readonly share?: TakenShare };

/**
 * Works out how a document stood after each order of one update, as if they had come one by one.
 *
 * @param after the document after the update
 * @param orders of the update, in the order in which they were decided
 * @param gone orders whose shares are given back: no order's answer may show them
 * @param earlierGone shares of earlier updates that are given back
 */
export function positions(
  after: DocumentView,
  orders: readonly Placed[],
  gone: ReadonlySet<string> = new Set(),
  earlierGone: readonly TakenShare[] = [],
): ReadonlyMap<string, DocumentView> {
  let current: Filled = [...earlierGone, ...sharesGone(orders, gone)].reduce<Filled>(
    withoutShare,
    after,
  );
  // Grouped once: to look for each order among all of them would take the square of their number.
  const entries = groupedBy(after.entries, ({ id }) => id);
  const shares = groupedBy(after.shares, ({ id }) => id);
  const views = new Map<string, DocumentView>();
  let later: TakenShare | undefined;
  for (const { id, share } of orders.toReversed()) {
    if (later !== undefined) current = withoutShare(current, later);
    views.set(id, {
      ...after,
      buckets: current.buckets,
      openHolds: current.openHolds,
      openShares: current.openShares,
      liveBuckets: current.liveBuckets,
      entries: entries.get(id) ?? [],
      shares: shares.get(id) ?? [],
    });
    later = gone.has(id) ? undefined : share;
  }
  return views;
}

/** Shares of an update that are given back. */
export function sharesGone(orders: readonly Placed[], gone: ReadonlySet<string>) {
  return orders.flatMap(({ id, share }) => (gone.has(id) && share ? [share] : []));
}

type Filled = Pick<DocumentView, 'now' | 'buckets' | 'openHolds' | 'openShares' | 'liveBuckets'>;

function withoutShare(filled: Filled, share: TakenShare): Filled {
  const { now, openHolds, openShares } = filled;
  const buckets: Bucket[] = [];
  for (const bucket of filled.buckets) {
    const before = isEntered(bucket, share, now) ? lessened(bucket, share) : bucket;
    if (holdsAny(before)) buckets.push(before);
  }
  const liveBuckets = filled.liveBuckets - (filled.buckets.length - buckets.length);
  return { now, buckets, openHolds, openShares, liveBuckets, ...opened(filled, share, -1) };
}

function isEntered({ counter, until }: Bucket, { counters, leftOut }: TakenShare, now: Date) {
  const plan = counters.find(({ key }) => key === counter);
  if (plan === undefined || leftOut.includes(counter)) return false;
  return bucketAt(plan.bucket, now).until.getTime() === until.getTime();
}

/** A document after a share is taken, as far as the decision about the next one can tell. */
export function withShare(view: DocumentView, share: TakenShare): DocumentView {
  const names = bucketsEntered(share.counters, share.leftOut, view.now);
  const { amountMinor, count } = share;
  const more = { ...share, amountMinor: -amountMinor, count: -count };
  const made = names
    .filter((name) => !isAmong(view.buckets, name))
    .map((name) => ({ ...name, usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 }));
  const counting = countingBuckets(view).filter(holdsAny);
  const buckets = [...view.buckets, ...made].map((bucket) =>
    isAmong(names, bucket) ? lessened(bucket, more) : bucket,
  );
  return {
    ...view,
    buckets,
    ...opened(view, share, 1),
    // One that lapsed holds left empty counts again.
    liveBuckets: view.liveBuckets + names.filter((name) => !isAmong(counting, name)).length,
  };
}

function opened(view: Filled, { captured, isBeside }: TakenShare, by: 1 | -1) {
  if (captured) return {};
  return isBeside ? { openShares: view.openShares + by } : { openHolds: view.openHolds + by };
}

function isAmong(buckets: readonly BucketReference[], one: BucketReference): boolean {
  return buckets.some((bucket) => isSameBucket(bucket, one));
}

/** The buckets that a share enters at an instant, but for the counters that it is left out of. */
export function bucketsEntered(
  counters: readonly CounterPlan[],
  leftOut: readonly string[],
  at: Date,
): readonly BucketReference[] {
  return counters
    .filter(({ key }) => !leftOut.includes(key))
    .map(({ key, bucket }) => {
      const { start, until } = bucketAt(bucket, at);
      return { counter: key, start, until };
    });
}

function lessened(bucket: Bucket, { amountMinor, count, captured }: TakenShare): Bucket {
  const less = (sum: number | null): number | null => (sum === null ? null : sum - amountMinor);
  return captured
    ? { ...bucket, usedAmount: less(bucket.usedAmount), usedCount: bucket.usedCount - count }
    : { ...bucket, heldAmount: less(bucket.heldAmount), heldCount: bucket.heldCount - count };
}
