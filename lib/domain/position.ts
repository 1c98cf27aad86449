import type { Bucket, BucketReference, DocumentView, Entry } from './document.ts';
import { holdsAny } from './document.ts';
import type { CounterPlan } from './plan.ts';

/** What one order of an update holds in a document. */
export type Share = {
  readonly amountMinor: number;
  readonly count: number;
  /** Counted at once, without a hold. */
  readonly captured: boolean;
  readonly counters: readonly CounterPlan[];
  readonly leftOut: readonly string[];
};

/** An order of an update, with what it holds in the document after it, if anything. */
export type Placed = {
  readonly id: string;
  readonly share?: Share;
  /** It will be given back: no order's answer may show it. */
  readonly isGone: boolean;
};

/**
 * Works out how a document stood after each of the orders that one update decided, from how it stands
 * after all of them: the same as if they had come one by one.
 *
 * @param after the document after the update
 * @param orders of the update, in the order in which they were decided
 * @param earlierGone shares of earlier updates that are given back
 */
export function positions(
  after: DocumentView,
  orders: readonly Placed[],
  earlierGone: readonly Share[],
): ReadonlyMap<string, DocumentView> {
  const gone = orders.flatMap(({ share, isGone }) => (isGone && share ? [share] : []));
  let current = [...earlierGone, ...gone].reduce(withoutShare, after);
  const entries = new Map<string, Entry[]>();
  for (const entry of after.entries)
    entries.set(entry.id, [...(entries.get(entry.id) ?? []), entry]);
  const views = new Map<string, DocumentView>();
  for (const { id, share, isGone } of orders.toReversed()) {
    views.set(id, { ...current, entries: entries.get(id) ?? [] });
    if (share !== undefined && !isGone) current = withoutShare(current, share);
  }
  return views;
}

/** A document before a share was taken, as far as an answer can tell. */
function withoutShare(view: DocumentView, share: Share): DocumentView {
  const entered = new Map(
    share.counters
      .filter(({ key }) => !share.leftOut.includes(key))
      .map((counter) => [counter.key, startOf(counter, view.now)]),
  );
  const buckets = view.buckets
    .map((bucket) =>
      entered.get(bucket.counter) === bucket.start.getTime() ? lessened(bucket, share) : bucket,
    )
    .filter(holdsAny);
  return {
    ...view,
    buckets,
    openHolds: view.openHolds - (share.captured ? 0 : 1),
    liveBuckets: view.liveBuckets - (view.buckets.length - buckets.length),
  };
}

/** Where the bucket of a counter begins that an order enters at an instant. */
function startOf({ bucket }: CounterPlan, at: Date): number {
  if (bucket.kind === 'fixed') return bucket.start.getTime();
  return Math.floor(at.getTime() / bucket.stepMs) * bucket.stepMs;
}

/** The buckets that a share enters at an instant, but for the counters that it is left out of. */
export function bucketsEntered(
  counters: readonly CounterPlan[],
  leftOut: readonly string[],
  at: Date,
): readonly BucketReference[] {
  return counters
    .filter(({ key }) => !leftOut.includes(key))
    .map((plan) => {
      const startMs = startOf(plan, at);
      const { bucket } = plan;
      const until = bucket.kind === 'fixed' ? bucket.until : new Date(startMs + bucket.keepMs);
      return { counter: plan.key, start: new Date(startMs), until };
    });
}

function lessened(bucket: Bucket, { amountMinor, count, captured }: Share): Bucket {
  const less = (sum: number | null): number | null => (sum === null ? null : sum - amountMinor);
  return captured
    ? { ...bucket, usedAmount: less(bucket.usedAmount), usedCount: bucket.usedCount - count }
    : { ...bucket, heldAmount: less(bucket.heldAmount), heldCount: bucket.heldCount - count };
}
