import type { Bucket, BucketReference, DocumentView, Entry, Sums } from './document.ts';
import { NO_SUMS, holdsAny, isSameBucket } from './document.ts';
import { loweringOf } from '../rule/counter.ts';
import { bucketName } from './bucket-name.ts';
import type { Share, ShareBefore, ShareOutcome } from './effect.ts';
import { effectOf, effectOfExpired, isOver } from './effect.ts';
import { countsOf, withValues } from './values.ts';

/** What one document says to a check, in order of precedence. */
export type Decision =
  /** The order is known: this was said of it before. Home alone says so. */
  | { readonly kind: 'known'; readonly entry: Entry; readonly sameContent: boolean }
  /** A rule says no; which one is told by the report. Nothing changed. */
  | { readonly kind: 'refused' }
  /** A bound of the document says no. Nothing changed. */
  | { readonly kind: 'full'; readonly bound: FullBound }
  /** Less than what was asked only where the order takes what fits. */
  | { readonly kind: 'allowed'; readonly amountMinor: number };

/** What one document of an order says: of a bound, also where, and how many open holds may be there. */
export type Ruling =
  | Exclude<Decision, { readonly kind: 'full' }>
  | (Extract<Decision, { readonly kind: 'full' }> & Full);

/** The document whose bound says no. */
export type Full = {
  readonly bound: FullBound;
  readonly document: string;
  readonly openMax: number;
};

/** The bounds of a document. */
export type FullBound = 'TOO_MANY_OPEN_HOLDS' | 'TOO_MANY_BUCKETS' | 'COUNTER_FULL';

/** The live buckets of a document once lapsed holds are released: what counts at this instant. */
export function countingBuckets({
  buckets,
  lapsed,
  released = effectOfExpired(lapsed),
}: Counting): readonly Bucket[] {
  if (released.size === 0) return buckets;
  return buckets.map((bucket) => {
    const effect = released.get(bucketName(bucket));
    return effect === undefined ? bucket : withSums(bucket, effect);
  });
}

type Counting = Pick<DocumentView, 'buckets' | 'lapsed' | 'released'>;

/** The buckets that hold something at this instant. */
export function liveIn(view: Counting): readonly Bucket[] {
  return countingBuckets(view).filter(holdsAny);
}

/** Buckets after what became of a share that entered some of them; `times` is -1 to undo it. */
export function withEffect(
  buckets: readonly Bucket[],
  share: Share & { readonly buckets: readonly BucketReference[] },
  before: ShareBefore,
  outcome: ShareOutcome,
  at: Date,
  times: 1 | -1 = 1,
): readonly Bucket[] {
  return buckets.map((bucket) => {
    if (!isAmong(share.buckets, bucket)) return bucket;
    return withSums(bucket, effectOf(bucket, before, outcome, share, at), times);
  });
}

/** A bucket with an effect added, or taken off. */
export function withSums(
  { counter, until, usedAmount, usedCount, heldAmount, heldCount, values }: Bucket,
  effect: Sums,
  times: 1 | -1 = 1,
): Bucket {
  const bucket = {
    counter,
    until,
    usedAmount: usedAmount === null ? null : usedAmount + times * effect.usedAmount,
    usedCount: usedCount + times * effect.usedCount,
    heldAmount: heldAmount === null ? null : heldAmount + times * effect.heldAmount,
    heldCount: heldCount + times * effect.heldCount,
  };
  const isDistinct = values !== undefined || effect.values !== undefined;
  return isDistinct ? { ...bucket, ...withValues(values, effect.values, times) } : bucket;
}

/** Adds buckets, with nothing in them, to those that are there. */
export function withBuckets(
  buckets: readonly Bucket[],
  names: readonly BucketReference[],
): readonly Bucket[] {
  const missing = names.filter((name) => !isAmong(buckets, name));
  return [...buckets, ...missing.map((name) => ({ ...NO_SUMS, ...name }))];
}

function isAmong(buckets: readonly BucketReference[], one: BucketReference): boolean {
  return buckets.some((bucket) => isSameBucket(bucket, one));
}

/**
 * Sums buckets of one counter, less what lowers it: then what is used may be below zero. The counts of a counter of
 * different values are numbers of these.
 */
export function sumsOf(buckets: readonly Bucket[], counter: string): Sums {
  const sums = wholeSums(buckets, counter);
  if (sums.values !== undefined) return { ...sums, ...countsOf(sums.values) };
  const lowering = loweringOf(counter);
  if (lowering === undefined) return sums;
  return { ...sums, usedAmount: sums.usedAmount - wholeSums(buckets, lowering).usedAmount };
}

/** Sums buckets of one counter as they are stored, whatever lowers it. */
export function wholeSums(buckets: readonly Bucket[], counter: string): Sums {
  const sums: { -readonly [Sum in keyof Sums]: Sums[Sum] } = {
    usedAmount: 0,
    usedCount: 0,
    heldAmount: 0,
    heldCount: 0,
  };
  for (const bucket of buckets) {
    if (bucket.counter !== counter) continue;
    sums.usedAmount += bucket.usedAmount ?? 0;
    sums.usedCount += bucket.usedCount;
    sums.heldAmount += bucket.heldAmount ?? 0;
    sums.heldCount += bucket.heldCount;
    if (bucket.values !== undefined) Object.assign(sums, withValues(sums.values, bucket.values));
  }
  return sums;
}

/** Says whether an entry is a hold whose time is over and that nobody settled. */
export function hasLapsed(entry: Entry, now: Date): boolean {
  return entry.state === 'expired' || (entry.state === 'open' && isOver(entry, now));
}
