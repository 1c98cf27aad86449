import { BUCKETS_MAX, COUNTER_SUM_MAX } from '../shared/bounds.ts';
import type { Bucket, DocumentView, Entry } from './document/document.ts';
import { holdsAny, isSameBucket } from './document/document.ts';
import type { CounterPlan } from './plan.ts';
import { bucketAt } from './plan.ts';
import type { CheckRequest } from '../shared/request.ts';

/** What one document says to a check, in order of precedence. */
export type Decision =
  /** The order is known: this was said of it before. Home alone says so. */
  | { readonly kind: 'known'; readonly entry: Entry; readonly sameContent: boolean }
  /** A rule says no; which one is told by the report. Nothing changed. */
  | { readonly kind: 'refused' }
  /** A bound of the document says no. Nothing changed. */
  | { readonly kind: 'full'; readonly bound: FullBound }
  /** It fits. */
  | { readonly kind: 'allowed' };

/** What a check asks of one document, as far as its room decides. */
export type Asks = Pick<CheckRequest, 'amountMinor' | 'count'>;

/**
 * How many holds are open in a document, and may be: those of its own orders where it is home, shares of
 * others where it is not. Undefined where the check opens none.
 */
export type Opens = { readonly now: number; readonly most: number } | undefined;

/** What is to be decided of one order in one document. */
export type Question = {
  /** Nothing may be held, whatever the counters say. */
  readonly barred: boolean;
  readonly counters: readonly CounterPlan[];
  readonly asks: Asks;
  readonly opens: Opens;
  /** Of what is asked; undefined beside home, where nobody knows whether the order is known. */
  readonly digest: string | undefined;
};

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

/** What home knows of an order that stands in the way of a new hold, if anything. */
export function standingEntry(view: DocumentView, digest: string): Entry | undefined {
  return view.entries.find((entry) => !(hasLapsed(entry, view.now) && entry.digest === digest));
}

/** Says whether an entry is a hold whose time is over and that nobody settled. */
export function hasLapsed(entry: Entry, now: Date): boolean {
  return entry.state === 'expired' || (entry.state === 'open' && entry.until <= now);
}

/**
 * Decides a check from what a document holds.
 *
 * It says what an add may write, what would happen (a dry run), and why nothing happened (a refusal).
 */
export function decide(
  view: DocumentView,
  { barred, counters, asks, opens, digest }: Question,
): Decision {
  const entry = digest === undefined ? undefined : standingEntry(view, digest);
  if (entry !== undefined) return { kind: 'known', entry, sameContent: entry.digest === digest };
  const buckets = countingBuckets(view);
  const tight = counters.filter((counter) => !counter.shadow && !hasRoom(counter, buckets, asks));
  if (barred || tight.some((counter) => exceedsRule(counter, buckets, asks)))
    return { kind: 'refused' };
  if (tight.length > 0) return { kind: 'full', bound: 'COUNTER_FULL' };
  if (opens !== undefined && opens.now >= opens.most)
    return { kind: 'full', bound: 'TOO_MANY_OPEN_HOLDS' };
  // A bucket that expired holds left empty is dropped, and made again.
  return view.liveBuckets + newBuckets(counters, buckets.filter(holdsAny), view.now) > BUCKETS_MAX
    ? { kind: 'full', bound: 'TOO_MANY_BUCKETS' }
    : { kind: 'allowed' };
}

/** Counters of rules on trial that have no room for an order: it does not enter them. */
export function leftOutBy(
  view: DocumentView,
  counters: readonly CounterPlan[],
  asks: Asks,
): readonly string[] {
  const buckets = countingBuckets(view);
  return counters
    .filter((counter) => counter.shadow && !hasRoom(counter, buckets, asks))
    .map(({ key }) => key);
}

function amountRoom(counter: CounterPlan, sums: Sums): number {
  return counter.maxAmountMinor - sums.usedAmount - sums.heldAmount;
}

function countRoom(counter: CounterPlan, sums: Sums): number {
  return counter.maxCount - sums.usedCount - sums.heldCount;
}

function hasRoom(counter: CounterPlan, buckets: readonly Bucket[], asks: Asks): boolean {
  const sums = sumsOf(buckets, counter.key);
  const asksAmount = counter.sumsAmounts ? asks.amountMinor : 0;
  return asksAmount <= amountRoom(counter, sums) && asks.count <= countRoom(counter, sums);
}

/** Says whether a rule's maximum is what is exceeded, and not the largest sum that is kept exactly. */
function exceedsRule(counter: CounterPlan, buckets: readonly Bucket[], asks: Asks): boolean {
  const sums = sumsOf(buckets, counter.key);
  const asksAmount = counter.sumsAmounts ? asks.amountMinor : 0;
  return (
    (counter.maxAmountMinor < COUNTER_SUM_MAX && asksAmount > amountRoom(counter, sums)) ||
    (counter.maxCount < COUNTER_SUM_MAX && asks.count > countRoom(counter, sums))
  );
}

function newBuckets(
  counters: readonly CounterPlan[],
  buckets: readonly Bucket[],
  now: Date,
): number {
  return counters.filter(({ key, bucket }) => {
    const until = bucketAt(bucket, now).until.getTime();
    return !buckets.some((each) => each.counter === key && each.until.getTime() === until);
  }).length;
}
