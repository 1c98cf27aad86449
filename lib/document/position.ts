import type { ShareEnd } from '../counter/effect.ts';
import type { Entrant } from '../counter/entry.ts';
import { withBuckets, withEffect } from './decision.ts';
import { CONFIRMED } from '../shared/states.ts';
import type { DocumentView, Filling, Hold } from './document.ts';
import type { BucketReference } from '../counter/sums.ts';
import { viewsByOrder } from './document.ts';
import type { Counter } from '../counter/kind.ts';
import { bucketOf } from '../counter/bucket.ts';

/** What one order of an update holds in some buckets of a document. Beside home nothing is captured. */
export function takenShare(order: Entrant, isBeside: boolean, buckets: readonly BucketReference[]) {
  const { amountMinor: amount, count, capture, ending, values } = order;
  const captured = capture === true && !isBeside ? (ending ?? CONFIRMED) : undefined;
  return { amount, count, captured, isBeside, buckets, values };
}
type TakenShare = Readonly<ReturnType<typeof takenShare>>;

/** An order of an update, with what it holds in the document after it, and under which nonce, if anything. */
export type Placed = { readonly id: string; readonly nonce?: string; readonly share?: TakenShare };

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
  const { now } = after;
  const viewOf = viewsByOrder(after);
  const views = new Map<string, DocumentView>();
  let current: Filling = after;
  for (const share of [...earlierGone, ...sharesGone(orders, gone)])
    current = moved(current, share, now, -1);
  for (const [before, { id, nonce, share }] of [...orders.entries()].toReversed()) {
    const view = viewOf(id, current);
    const isStaying = (one: Hold): boolean => one.nonce !== nonce;
    views.set(id, gone.has(id) ? { ...view, shares: view.shares.filter(isStaying) } : view);
    // Nobody asks how the document stood before the first.
    const isAsked = before > 0 && !gone.has(id);
    if (isAsked && share !== undefined) current = moved(current, share, now, -1);
  }
  return views;
}

/** Shares of an update that are given back. */
export function sharesGone(orders: readonly Placed[], gone: ReadonlySet<string>) {
  return orders.flatMap(({ id, share }) => (gone.has(id) && share ? [share] : []));
}

/** A document after a share is taken, as far as the decision about the next one can tell. */
export function withShare(view: DocumentView, share: TakenShare): DocumentView {
  const { openHolds, openShares, openHoldsOfApp, openSharesOfApp } = view;
  const buckets = withBuckets(view.buckets, share.buckets);
  const before = { buckets, openHolds, openShares, openHoldsOfApp, openSharesOfApp };
  return { ...view, ...moved(before, share, view.now, 1) };
}

const HELD: ShareEnd = { to: 'held' };

/** Only what a share moves: a call of many asks it of each order, and a copy of the whole costs more than all else. */
function moved(
  { buckets, openHolds, openShares, openHoldsOfApp, openSharesOfApp }: Filling,
  share: TakenShare,
  now: Date,
  opened: 1 | -1,
): Filling {
  const { captured, isBeside } = share;
  const holds = captured !== undefined || isBeside ? 0 : opened;
  const shares = isBeside ? opened : 0;
  return {
    buckets: withEffect(buckets, share.buckets, share, 'nothing', captured ?? HELD, now, opened),
    openHolds: openHolds + holds,
    openShares: openShares + shares,
    openHoldsOfApp: openHoldsOfApp + holds,
    openSharesOfApp: openSharesOfApp + shares,
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
