import type { AskedOrder } from './counter-store.ts';
import { withBuckets, withEffect } from './decision.ts';
import type { Values } from '../rule/counter-key.ts';
import { CONFIRMED } from '../shared/states.ts';
import type { DocumentView } from './document.ts';
import type { Bucket, BucketReference } from '../counter/sums.ts';
import { viewsByOrder } from './document.ts';
import type { Counter } from '../counter/kind.ts';
import { bucketOf } from '../counter/bucket.ts';

/** What one order of an update holds in some buckets of a document. Beside home nothing is captured. */
export function takenShare(
  order: Pick<AskedOrder, 'amountMinor' | 'count' | 'capture' | 'ending'>,
  isBeside: boolean,
  buckets: readonly BucketReference[],
  values: Values | undefined,
) {
  const { amountMinor: amount, count, capture, ending } = order;
  const captured = capture && !isBeside ? (ending ?? CONFIRMED) : undefined;
  return { amount, count, captured, isBeside, buckets, values };
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
  let current = [...earlierGone, ...sharesGone(orders, gone)].reduce(withoutShare, after);
  const viewOf = viewsByOrder(after);
  const views = new Map<string, DocumentView>();
  for (const [before, { id, share }] of [...orders.entries()].toReversed()) {
    views.set(id, viewOf(id, current));
    // Nobody asks how the document stood before the first.
    const isAsked = before > 0 && !gone.has(id);
    if (isAsked && share !== undefined) current = withoutShare(current, share);
  }
  return views;
}

/** Shares of an update that are given back. */
export function sharesGone(orders: readonly Placed[], gone: ReadonlySet<string>) {
  return orders.flatMap(({ id, share }) => (gone.has(id) && share ? [share] : []));
}

function withoutShare(view: DocumentView, share: TakenShare): DocumentView {
  return moved(view, share, view.buckets, -1);
}

/** A document after a share is taken, as far as the decision about the next one can tell. */
export function withShare(view: DocumentView, share: TakenShare): DocumentView {
  return moved(view, share, withBuckets(view.buckets, share.buckets), 1);
}

const HELD = { to: 'held', reasonCode: undefined } as const;

function moved(
  view: DocumentView,
  share: TakenShare,
  buckets: readonly Bucket[],
  opened: 1 | -1,
): DocumentView {
  const { captured, isBeside } = share;
  const { to: outcome, reasonCode } = captured ?? HELD;
  const holds = captured !== undefined || isBeside ? 0 : opened;
  const shares = isBeside ? opened : 0;
  return {
    ...view,
    buckets: withEffect(buckets, { ...share, reasonCode }, 'nothing', outcome, view.now, opened),
    openHolds: view.openHolds + holds,
    openShares: view.openShares + shares,
    openHoldsOfApp: view.openHoldsOfApp + holds,
    openSharesOfApp: view.openSharesOfApp + shares,
  };
}

/** The buckets that a share enters at an instant, but for the counters that it is left out of. */
export function bucketsEntered(
  counters: readonly Counter[],
  leftOut: readonly string[],
  at: Date,
): readonly BucketReference[] {
  return counters
    .filter(({ key }) => !leftOut.includes(key))
    .map((counter) => bucketOf(counter, at));
}
