import { sumsAmounts } from '../../windows/counter.ts';
import { countingBuckets } from '../decision.ts';
import { OldDocumentError } from '../../shared/deployment-errors.ts';
import { documentTime } from './document-time.ts';
import type {
  Bucket,
  BucketReference,
  DocumentView,
  Entry,
  Hold,
  Outcome,
  Share,
} from './document.ts';
import { holdsAny, readBucketName } from './document.ts';
import type { StoredCounters } from '../../audit/reconcile/reconcile.ts';
import type { StoredTerms } from './stored-terms.ts';
import { readTerms } from './stored-terms.ts';

/** An integer as the driver gives it: beyond 2^53 as an object that writes itself in digits. */
export type Whole = number | bigint | { readonly toString: () => string };

/**
 * The sums of a bucket: `amount` and `count` are used and held together, and beside them stands what is
 * used; amounts only with a currency. What is held is the difference.
 */
export type StoredSums = {
  readonly amount?: Whole;
  readonly count?: Whole;
  readonly usedAmount?: Whole;
  readonly usedCount?: Whole;
};

/** A hold or a share. */
export type StoredHold = {
  readonly id: string;
  readonly nonce: string;
  readonly digest: string;
  readonly amount: Whole;
  /** Default: 1. */
  readonly count?: Whole;
  readonly until: Date;
  readonly buckets?: readonly string[];
  readonly leftOut?: readonly string[];
  readonly others?: readonly string[];
  readonly home?: string;
};

/**
 * How an order ended, in short. `is` is one letter (c confirmed, l confirmed late, r rolled back), the
 * nonce, and the 16 characters of the digest.
 */
export type StoredOutcome = {
  readonly id: string;
  readonly is: string;
  readonly amount: Whole;
  readonly count?: Whole;
  readonly leftOut?: readonly string[];
  readonly at?: Date;
  readonly counters?: string;
  readonly until?: Date;
  readonly others?: readonly string[];
};

/** An outcome as it was read, as it is written again. */
export function rewritten(outcome: StoredOutcome): object {
  const { amount, count } = outcome;
  return {
    ...outcome,
    amount: BigInt(amount.toString()),
    ...(count === undefined ? {} : { count: BigInt(count.toString()) }),
  };
}

/** A share kept for a late confirm. */
export type StoredShare = Omit<StoredHold, 'digest'> & { readonly home: string };

/** A document as it is stored, or as much of it as a projection gives: null for a list that is not there. */
export type StoredDocument = {
  readonly seen?: Date;
  readonly mendedAt?: Date;
  readonly buckets?: Readonly<Record<string, StoredSums>>;
  readonly holds?: readonly StoredHold[] | null;
  readonly settled?: readonly StoredOutcome[] | null;
  /** Holds that nobody settled in time, as they were; they push nothing out of `settled`. */
  readonly expired?: readonly StoredHold[] | null;
  readonly kept?: readonly StoredShare[] | null;
  readonly remembered?: Whole;
  /** Nonces under which nothing more may be added here, the newest ones; and how many there ever were. */
  readonly closed?: readonly string[];
  readonly closings?: Whole;
  readonly forgotUntil?: Date;
  readonly terms?: StoredTerms;
  readonly expireAt?: Date;
  /** By a view's projection: the server's instant, and what says how much it leaves out. */
  readonly now?: Date;
  /** The orders of all outcomes, the oldest first, where a call asks about several. */
  readonly settledIds?: readonly string[];
  /** Holds and shares together, and the shares among them. */
  readonly holdCount?: number;
  readonly shareCount?: number;
};

const DIGEST_LENGTH = 16;

/**
 * Reads a document as it is stored, with a view's projection or without it.
 *
 * @param ids the orders asked about
 * @param now the database's instant, where no projection tells it
 * @throws OldDocumentError where an earlier version wrote it
 */
export function readView(stored: StoredDocument, ids: readonly string[], now: Date): DocumentView {
  const databaseNow = stored.now ?? now;
  const at = documentTime(databaseNow, stored.seen);
  const holds = (stored.holds ?? []).map(readHold);
  const lapsed = holds.filter(({ until }) => until <= at);
  const mine = new Set(ids);
  const buckets = readBuckets(stored).filter((bucket) => bucket.until > at && holdsAny(bucket));
  const counting = countingBuckets({ buckets, lapsed }).filter(holdsAny);
  const known = holds.filter(({ id }) => mine.has(id));
  const shares = stored.shareCount ?? holds.filter(isShare).length;
  return {
    now: at,
    databaseNow: stored.now,
    entries: [
      ...known.filter(isOwn).map((hold): Entry => ({ ...hold, state: 'open' })),
      ...(stored.expired ?? [])
        .filter(({ id }) => mine.has(id))
        .map((hold): Entry => ({ ...readHold(hold), state: 'expired' })),
      ...(stored.settled ?? []).filter(({ id }) => mine.has(id)).map(readOutcome),
    ],
    shares: [
      ...known.filter(isShare).map((hold): Share => ({ ...hold, state: 'open' })),
      ...(stored.kept ?? [])
        .filter(({ id }) => mine.has(id))
        .map((share): Share => ({ ...readHold({ ...share, digest: '' }), state: 'kept' })),
    ],
    buckets,
    lapsed,
    openHolds: (stored.holdCount ?? holds.length) - shares - lapsed.filter(isOwn).length,
    openShares: shares - lapsed.filter(isShare).length,
    liveBuckets: counting.length,
    remembered: numberOf(stored.remembered ?? 0),
    closings: numberOf(stored.closings ?? 0),
    forgotUntil: stored.forgotUntil,
    terms: stored.terms && readTerms(stored.terms),
  };
}

/**
 * Reads a whole document, with the database's instant in it.
 *
 * @throws OldDocumentError where an earlier version wrote it
 */
export function readStored(stored: StoredDocument & { readonly now: Date }): StoredCounters {
  const { now, seen, mendedAt } = stored;
  return {
    now: documentTime(now, seen),
    databaseNow: now,
    buckets: readBuckets(stored),
    holds: (stored.holds ?? []).map(readHold),
    settled: onceEach(stored.settled ?? []).map(readOutcome),
    ...(mendedAt === undefined ? {} : { mendedAt }),
  };
}

/** Outcomes that were remembered again stand twice until the older one is forgotten. */
function onceEach(outcomes: readonly StoredOutcome[]): readonly StoredOutcome[] {
  return [...new Map(outcomes.map((one) => [`${one.is} ${one.id}`, one])).values()];
}

function isOwn({ home }: Hold): boolean {
  return home === undefined;
}

function isShare(hold: Hold): boolean {
  return !isOwn(hold);
}

/** Reads a hold. */
export function readHold(stored: StoredHold): Hold {
  const { id, nonce, digest, until, others, home, buckets = [], leftOut = [] } = stored;
  return {
    ...{ id, nonce, digest, until, leftOut, others, home },
    amount: numberOf(stored.amount),
    count: numberOf(stored.count ?? 1),
    buckets: buckets.map(readBucketName),
  };
}

function readOutcome(stored: StoredOutcome): Outcome {
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

/**
 * Reads all buckets.
 *
 * @throws OldDocumentError where an earlier version wrote the document
 */
export function readBuckets({ buckets = {} }: StoredDocument): readonly Bucket[] {
  return Object.entries(buckets).map(([name, sums]) => {
    if (isOld(name, sums)) throw new OldDocumentError(name);
    const reference = readBucketName(name);
    return readSums(reference, sums, sumsAmounts(reference.counter));
  });
}

/** Reads the sums of a bucket. */
export function readSums(
  { counter, until }: BucketReference,
  { amount = 0, count = 0, usedAmount = 0, usedCount = 0 }: StoredSums,
  isAmount: boolean,
): Bucket {
  const used = { amount: isAmount ? Number(usedAmount) : null, count: Number(usedCount) };
  const heldAmount = used.amount === null ? null : Number(amount) - used.amount;
  const heldCount = Number(count) - used.count;
  return { counter, until, usedAmount: used.amount, usedCount: used.count, heldAmount, heldCount };
}

/** Earlier versions named a bucket by its window's start, too, and summed what is held. */
function isOld(name: string, sums: StoredSums): boolean {
  return name.split(' ').length > 2 || 'heldCount' in sums;
}

/** A whole number as the driver gives it, as a number. */
export function numberOf(whole: Whole): number {
  return Number(whole);
}
