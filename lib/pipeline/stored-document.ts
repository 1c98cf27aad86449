import { sumsAmounts } from '../domain/counter.ts';
import { documentTime } from '../domain/document-time.ts';
import type { Bucket, DocumentView, Entry, Hold, Outcome, Share } from '../domain/document.ts';
import { holdsAny, readBucketName } from '../domain/document.ts';
import type { StoredCounters } from '../domain/reconcile.ts';
import type { StoredTerms } from './stored-terms.ts';
import { readTerms } from './stored-terms.ts';

/** An integer as the driver gives it: beyond 2^53 as an object that writes itself in digits. */
type Whole = number | bigint | { readonly toString: () => string };

/** The sums of a bucket: `amount` and `count` are used and held; amounts only with a currency. */
export type StoredSums = {
  readonly amount?: Whole | null;
  readonly count?: Whole | null;
  readonly heldAmount?: Whole | null;
  readonly heldCount?: Whole | null;
};

/** A hold or a share. */
export type StoredHold = {
  readonly id: string;
  readonly nonce: string;
  readonly digest: string;
  readonly amount: Whole;
  readonly count: Whole;
  readonly until: Date;
  readonly buckets?: readonly string[];
  readonly leftOut?: readonly string[];
  readonly others?: readonly string[];
  readonly home?: string;
};

/**
 * The memory of an order: an expired hold as it was, or in short how the order ended. `is` is one
 * letter (c confirmed, l confirmed late, r rolled back), the nonce, and the 16 characters of the digest.
 */
export type StoredOutcome =
  | (StoredHold & { readonly expired: true })
  | {
      readonly id: string;
      readonly is: string;
      readonly amount: Whole;
      readonly count?: Whole;
      readonly leftOut?: readonly string[];
      readonly until?: Date;
      readonly others?: readonly string[];
    };

/** A share kept for a late confirm. */
export type StoredShare = Omit<StoredHold, 'digest'> & { readonly home: string };

/** A document as it is stored, or as much of it as a projection gives. */
export type StoredDocument = {
  readonly seen?: Date;
  readonly mendedAt?: Date;
  readonly buckets?: Readonly<Record<string, StoredSums>>;
  readonly holds?: readonly StoredHold[];
  readonly settled?: readonly StoredOutcome[];
  readonly kept?: readonly StoredShare[];
  readonly remembered?: Whole;
  readonly forgotUntil?: Date;
  readonly terms?: StoredTerms;
  /** By a view's projection: the server's instant, and the numbers of what it leaves out. */
  readonly now?: Date;
  readonly holdCount?: number;
  readonly bucketCount?: number;
};

const DIGEST_LENGTH = 16;

/**
 * Reads a document as it is stored, with a view's projection or without it.
 *
 * @param ids the orders asked about
 * @param now the database's instant, where no projection tells it
 */
export function readView(stored: StoredDocument, ids: readonly string[], now: Date): DocumentView {
  const databaseNow = stored.now ?? now;
  const at = documentTime(databaseNow, stored.seen);
  const holds = (stored.holds ?? []).map(readHold);
  const lapsed = holds.filter(({ until }) => until <= at);
  const mine = new Set(ids);
  const buckets = readBuckets(stored).filter((bucket) => bucket.until > at && holdsAny(bucket));
  const known = holds.filter(({ id }) => mine.has(id));
  return {
    now: at,
    ...(stored.now === undefined ? {} : { databaseNow }),
    entries: [
      ...known
        .filter(({ home }) => home === undefined)
        .map((hold): Entry => ({ ...hold, state: 'open' })),
      ...(stored.settled ?? []).filter(({ id }) => mine.has(id)).map(readOutcome),
    ],
    shares: [
      ...known
        .filter(({ home }) => home !== undefined)
        .map((hold): Share => ({ ...hold, state: 'open' })),
      ...(stored.kept ?? [])
        .filter(({ id }) => mine.has(id))
        .map((share): Share => ({ ...readHold({ ...share, digest: '' }), state: 'kept' })),
    ],
    buckets,
    lapsed,
    openHolds: (stored.holdCount ?? holds.length) - lapsed.length,
    liveBuckets: stored.bucketCount ?? buckets.length,
    remembered: numberOf(stored.remembered ?? 0),
    ...(stored.forgotUntil === undefined ? {} : { forgotUntil: stored.forgotUntil }),
    ...(stored.terms === undefined ? {} : { terms: readTerms(stored.terms) }),
  };
}

/** Reads a whole document, with the database's instant in it. */
export function readStored(stored: StoredDocument & { readonly now: Date }): StoredCounters {
  const { now, seen, mendedAt, holds = [], settled = [] } = stored;
  const outcomes = settled.map(readOutcome);
  return {
    now: documentTime(now, seen),
    databaseNow: now,
    buckets: readBuckets(stored),
    holds: holds.map(readHold),
    settled: outcomes.filter(
      (entry): entry is Outcome => entry.state !== 'expired' && entry.state !== 'open',
    ),
    ...(mendedAt === undefined ? {} : { mendedAt }),
  };
}

function readHold(stored: StoredHold): Hold {
  const { id, nonce, digest, until, others, home, buckets = [], leftOut = [] } = stored;
  return {
    ...{ id, nonce, digest, until, leftOut },
    amount: numberOf(stored.amount),
    count: numberOf(stored.count),
    ...(others === undefined ? {} : { others }),
    ...(home === undefined ? {} : { home }),
    buckets: buckets.map(readBucketName),
  };
}

function readOutcome(stored: StoredOutcome): Entry {
  if ('expired' in stored) return { ...readHold(stored), state: 'expired' };
  const { is, amount, count = 1, ...outcome } = stored;
  const letter = is.slice(0, 1);
  return {
    ...outcome,
    nonce: is.slice(1, -DIGEST_LENGTH),
    digest: is.slice(-DIGEST_LENGTH),
    amount: numberOf(amount),
    count: numberOf(count),
    state: letter === 'r' ? 'rolledBack' : 'confirmed',
    late: letter === 'l',
  };
}

function readBuckets({ buckets = {} }: StoredDocument): readonly Bucket[] {
  return Object.entries(buckets).map(([name, sums]) => {
    const reference = readBucketName(name);
    const [amount, count] = [numberOf(sums.amount ?? 0), numberOf(sums.count ?? 0)];
    const [heldAmount, heldCount] = [numberOf(sums.heldAmount ?? 0), numberOf(sums.heldCount ?? 0)];
    const amounts = sumsAmounts(reference.counter);
    return {
      ...reference,
      usedAmount: amounts ? amount - heldAmount : null,
      usedCount: count - heldCount,
      heldAmount: amounts ? heldAmount : null,
      heldCount,
    };
  });
}

function numberOf(whole: Whole): number {
  return typeof whole === 'number' ? whole : Number(whole.toString());
}
