import type { DocumentView } from '../document/document.ts';
import type { Bucket, BucketReference, Sums } from '../counter/sums.ts';
import { blankView, documentTime } from '../document/document.ts';
import type { Share, ShareBefore, ShareEnd } from '../counter/effect.ts';
import { effectOf, isOver } from '../counter/effect.ts';
import type { Terms } from '../rule/own-terms.ts';
import { isSettled } from '../shared/states.ts';
import type { BucketSums } from './bucket-sums.ts';
import {
  NONE_HELD,
  addSums,
  bucketIn,
  bucketsIn,
  dropEmpty,
  dropOver,
  bucketNames,
  bucketPlace,
  bucketCount,
} from './bucket-sums.ts';
import type { KnownNames } from './known-names.ts';

/** What one document has of an order. */
export type KeptShare = Share & {
  readonly document: MemoryDocument;
  readonly buckets: readonly BucketReference[];
  /** The first instant at which it is no longer held. */
  readonly until: Date;
  readonly isBeside: boolean;
  before: ShareBefore;
};

const EXPIRED: ShareEnd = { to: 'expired' };

const NONE_RELEASED: ReadonlyMap<string, Sums> = new Map();

/**
 * A subject's document in memory: plain data, which a checkpoint writes down. One replay writes it, one row after
 * the other, so no statement has a condition.
 */
export type MemoryDocument = BucketSums & {
  open: KeptShare[];
  /** How many of these belong to orders whose home is another document. */
  openShares: number;
};

/** Places of the document's times in milliseconds: the latest it has seen, and when a share or a bucket is over next. */
const SEEN = 0;
const NEXT_END = 1;

/** Most documents have none. */
const NONE_OPEN: KeptShare[] = [];

/** A document that nothing wrote yet. */
export function newDocument(known: KnownNames): MemoryDocument {
  return { known, numbers: [0, Infinity], held: NONE_HELD, open: NONE_OPEN, openShares: 0 };
}

/** The document's time at an instant: it does not go back. */
export function timeAt({ numbers }: MemoryDocument, at: Date): Date {
  const seenMs = numbers[SEEN] ?? 0;
  return seenMs <= at.getTime() ? at : documentTime(at, new Date(seenMs));
}

/** Brings a document to its time at an instant: what lapsed by then is released. */
export function goTo(document: MemoryDocument, at: Date): Date {
  const now = timeAt(document, at);
  closeOver(document, now);
  return now;
}

/** The document at its time, right until the next write. */
export function viewAt(document: MemoryDocument, at: Date, terms: Terms | undefined): DocumentView {
  const now = goTo(document, at);
  const { open, openShares } = document;
  const buckets = bucketsIn(document);
  const view = blankView(now);
  const openHolds = open.length - openShares;
  return Object.assign(view, { buckets, openHolds, openShares, terms, released: NONE_RELEASED });
}

/** Moves a share on: it is held, ends, or gives back. */
export function move(share: KeptShare, end: ShareEnd, at: Date, of: Share = share): void {
  const { document } = share;
  const { to: outcome, amountMinor = share.amount } = end;
  const now = goTo(document, at);
  // As in `take`: what is settled in time, with no more than it holds, leaves the document's time as it is.
  const isMore = amountMinor > share.amount;
  if (share.before !== 'open' || outcome === 'dropped' || isMore)
    document.numbers[SEEN] = now.getTime();
  addUp(share, end, of, now);
  if (share.before === 'open') close(share);
  if (outcome === 'held') addShare(share);
  else share.before = isSettled(outcome) || outcome === 'refunded' ? 'counted' : 'over';
}

/** Whether nothing of a document matters any more, for calls from an instant on: it may have seen a later one. */
export function isIdle(document: MemoryDocument, at: Date): boolean {
  const now = goTo(document, at);
  dropEmpty(document);
  return now <= at && document.open.length === 0 && bucketCount(document) === 0;
}

function addShare(share: KeptShare): void {
  const { document } = share;
  share.before = 'open';
  if (document.open.length === 0) document.open = [share];
  else document.open.push(share);
  if (share.isBeside) document.openShares += 1;
  endsAt(document, share);
}

function close(share: KeptShare): void {
  const { document } = share;
  const last = document.open.pop();
  if (last !== undefined && last !== share) document.open[document.open.indexOf(share)] = last;
  if (document.open.length === 0) {
    document.open = NONE_OPEN;
    document.held = NONE_HELD;
  }
  if (share.isBeside) document.openShares -= 1;
}

function addUp(share: KeptShare, end: ShareEnd, of: Share, now: Date): void {
  const { document } = share;
  for (const name of share.buckets) {
    if (isOver(name, now)) continue;
    const effect = effectOf(name, share.before, end, of, now);
    if (isNothing(effect)) continue;
    const place = bucketPlace(document, name);
    endsAt(document, name);
    addSums(
      document,
      place,
      end.to === 'refunded' ? atMost(bucketIn(document, place), effect) : effect,
    );
  }
}

function closeOver(document: MemoryDocument, now: Date): void {
  if (nextEnd(document) > now.getTime()) return;
  for (const share of document.open.filter((one) => isOver(one, now))) {
    addUp(share, EXPIRED, share, now);
    close(share);
    share.before = 'over';
  }
  dropOver(document, now);
  document.numbers[NEXT_END] = Infinity;
  for (const ending of [document.open, bucketNames(document)])
    for (const one of ending) endsAt(document, one);
}

function nextEnd({ numbers }: MemoryDocument): number {
  return numbers[NEXT_END] ?? Infinity;
}

/** Notes that a share or a bucket is over then. */
function endsAt(document: MemoryDocument, { until }: { readonly until: Date }): void {
  document.numbers[NEXT_END] = Math.min(nextEnd(document), until.getTime());
}

function isNothing({ usedAmount, usedCount, heldAmount, heldCount }: Sums): boolean {
  return usedAmount === 0 && usedCount === 0 && heldAmount === 0 && heldCount === 0;
}

/** A refund takes off no more than is used. */
function atMost({ usedAmount, usedCount, cells }: Bucket, effect: Sums): Sums {
  const taken = {
    ...effect,
    usedAmount: -Math.min(usedAmount ?? 0, -effect.usedAmount),
    usedCount: -Math.min(usedCount, -effect.usedCount),
  };
  if (effect.cells === undefined) return taken;
  const ofCells = Object.entries(effect.cells).map(([cell, { used, held }]) => {
    const is = cells?.[cell]?.used ?? 0;
    return [cell, { used: -Math.min(is, -used), held }] as const;
  });
  return { ...taken, cells: Object.fromEntries(ofCells) };
}
