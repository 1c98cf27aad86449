import type { DocumentView, Entry, Hold } from './document.ts';
import type { Bucket, BucketReference, Sums } from '../counter/sums.ts';
import { NO_SUMS, holdsAny, isSameBucket, withCells, withSums } from '../counter/sums.ts';
import { kindOf } from '../counter/kinds.ts';
import { bucketName } from '../counter/name.ts';
import type { Share, ShareBefore, ShareEnd } from '../counter/effect.ts';
import { effectOf, isOver } from '../counter/effect.ts';

/** What one document says to a check, in order of precedence. */
export type Decision =
  /** The order is known: this was said of it before. Home alone says so. */
  | { readonly kind: 'known'; readonly entry: Entry; readonly sameContent: boolean }
  /** A rule says no; which one is told by the report. Nothing changed. */
  | { readonly kind: 'refused' }
  /** A bound of the document says no. Nothing changed. */
  | ({ readonly kind: 'full' } & Full)
  /** Less than what was asked only where the order takes what fits. */
  | { readonly kind: 'wouldHold'; readonly amountMinor: number };

/** A bound that says no, and where: so many holds may be open there. */
export type Full = {
  readonly bound: FullBound;
  readonly document: string;
  /** Of all who call, or of the application that asks. */
  readonly openMax: number;
  readonly openOf: 'all' | 'app';
};

/** The bounds of a document. */
export type FullBound = 'TOO_MANY_OPEN_HOLDS' | 'TOO_MANY_BUCKETS' | 'COUNTER_FULL';

/** The live buckets of a document once lapsed holds are released: what counts at this instant. */
export function countingBuckets({
  buckets,
  lapsed,
  released = effectOfExpired(lapsed),
}: Pick<DocumentView, 'buckets' | 'lapsed' | 'released'>): readonly Bucket[] {
  if (released.size === 0) return buckets;
  return buckets.map((bucket) => {
    const effect = released.get(bucketName(bucket));
    return effect === undefined ? bucket : withSums(bucket, effect);
  });
}

const EXPIRED: ShareEnd = { to: 'expired' };

/** Adds up how holds that expire change the sums of the buckets that they entered, by name. */
export function effectOfExpired(holds: readonly Hold[]): ReadonlyMap<string, Sums> {
  const effects = new Map<string, Sums>();
  for (const hold of holds)
    for (const [place, name] of hold.places.names.entries()) {
      const bucket = hold.places.buckets[place];
      if (bucket === undefined) continue;
      const effect = effectOf(bucket, 'open', EXPIRED, hold);
      const sums = effects.get(name) ?? NO_SUMS;
      const { usedAmount, usedCount, heldAmount, heldCount, cells } = sums;
      effects.set(name, {
        usedAmount: usedAmount + effect.usedAmount,
        usedCount: usedCount + effect.usedCount,
        heldAmount: heldAmount + effect.heldAmount,
        heldCount: heldCount + effect.heldCount,
        ...withCells(cells, effect.cells),
      });
    }
  return effects;
}

/** The buckets that hold something at this instant. */
export function liveIn(view: DocumentView): readonly Bucket[] {
  return countingBuckets(view).filter(holdsAny);
}

/** Buckets after what became of a share that entered some of them; `times` is -1 to undo it. */
export function withEffect(
  buckets: readonly Bucket[],
  entered: readonly BucketReference[],
  share: Share,
  before: ShareBefore,
  end: ShareEnd,
  at: Date,
  times: 1 | -1 = 1,
): readonly Bucket[] {
  return buckets.map((bucket) => {
    if (!isAmong(entered, bucket)) return bucket;
    return withSums(bucket, effectOf(bucket, before, end, share, at), times);
  });
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

/** What counts of a counter. */
export function sumsOf(buckets: readonly Bucket[], counter: string): Sums {
  return kindOf(counter).sums(counter, buckets);
}

/** Says whether an entry is a hold whose time is over and that nobody settled. */
export function hasLapsed(entry: Entry, now: Date): boolean {
  return entry.state === 'expired' || (entry.state === 'open' && isOver(entry, now));
}
