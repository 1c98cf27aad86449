import type { Bucket, DocumentView, Entry } from './document/document.ts';
import { isSameBucket } from './document/document.ts';

/** What one document says to a check, in order of precedence. */
export type Decision =
  /** The order is known: this was said of it before. Home alone says so. */
  | { readonly kind: 'known'; readonly entry: Entry; readonly sameContent: boolean }
  /** A rule says no; which one is told by the report. Nothing changed. */
  | { readonly kind: 'refused' }
  /** A bound of the document says no. Nothing changed. */
  | { readonly kind: 'full'; readonly bound: FullBound }
  | { readonly kind: 'allowed' };

/** The bounds of a document. */
export type FullBound = 'TOO_MANY_OPEN_HOLDS' | 'TOO_MANY_BUCKETS' | 'COUNTER_FULL';

/** The sums of one counter over all buckets that count. */
export type Sums = {
  readonly usedAmount: number;
  readonly usedCount: number;
  readonly heldAmount: number;
  readonly heldCount: number;
};

/** The live buckets of a document once lapsed holds are released: what counts at this instant. */
export function countingBuckets({
  buckets,
  lapsed,
}: Pick<DocumentView, 'buckets' | 'lapsed'>): readonly Bucket[] {
  if (lapsed.length === 0) return buckets;
  return buckets.map((bucket) => {
    const gone = lapsed.filter((hold) => hold.buckets.some((name) => isSameBucket(name, bucket)));
    return {
      ...bucket,
      heldAmount:
        bucket.heldAmount === null
          ? null
          : gone.reduce((sum, { amount }) => sum - amount, bucket.heldAmount),
      heldCount: gone.reduce((sum, { count }) => sum - count, bucket.heldCount),
    };
  });
}

/** Sums buckets of one counter. */
export function sumsOf(buckets: readonly Bucket[], counter: string): Sums {
  const sums = { usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 };
  for (const bucket of buckets) {
    if (bucket.counter !== counter) continue;
    sums.usedAmount += bucket.usedAmount ?? 0;
    sums.usedCount += bucket.usedCount;
    sums.heldAmount += bucket.heldAmount ?? 0;
    sums.heldCount += bucket.heldCount;
  }
  return sums;
}

/** Says whether an entry is a hold whose time is over and that nobody settled. */
export function hasLapsed(entry: Entry, now: Date): boolean {
  return entry.state === 'expired' || (entry.state === 'open' && entry.until <= now);
}
