import { documentTime } from '../domain/document-time.ts';
import { holdsAny } from '../domain/document.ts';
import type {
  Bucket,
  BucketReference,
  DocumentView,
  Entry,
  Hold,
  Settled,
} from '../domain/document.ts';

import type { StoredCounters } from '../domain/reconcile.ts';

/** An integer as the driver gives it: beyond 2^53 as an object that writes itself in digits. */
type Whole = number | { readonly toString: () => string };

type StoredBucket = {
  readonly name: BucketReference;
  readonly usedAmount: Whole | null;
  readonly usedCount: Whole;
  readonly heldAmount: Whole | null;
  readonly heldCount: Whole;
};

/** What is false or empty is not stored. */
type StoredHold = Omit<Hold, 'leftOut' | 'pending' | 'buckets'> &
  Partial<Pick<Hold, 'leftOut' | 'pending' | 'buckets'>>;

/** What a view's projection gives of a document. */
export type Projected = {
  readonly now: Date;
  readonly seen?: Date;
  readonly holds: readonly StoredHold[];
  readonly settled: readonly Settled[];
  readonly buckets?: readonly StoredBucket[];
  readonly lapsed: readonly StoredHold[];
  readonly holdCount: number;
  readonly bucketCount: number;
  readonly forgot?: boolean;
};

/** A whole document, as far as it is there. */
export type StoredDocument = {
  readonly now: Date;
  readonly seen?: Date;
  readonly mendedAt?: Date;
  readonly buckets?: readonly StoredBucket[];
  readonly holds?: readonly StoredHold[];
  readonly settled?: readonly Settled[];
};

/** Reads a whole document, with the database's instant in it. */
export function readStored(stored: StoredDocument): StoredCounters {
  const { now, seen, mendedAt, buckets = [], holds = [], settled = [] } = stored;
  return {
    now: documentTime(now, seen),
    databaseNow: now,
    buckets: buckets.map(readBucket),
    holds: holds.map(readHold),
    settled,
    ...(mendedAt === undefined ? {} : { mendedAt }),
  };
}

/** Reads what a view's projection gives, and finishes what TypeScript does cheaper than a server. */
export function readView(projected: Projected): DocumentView {
  const { now: databaseNow, seen, holds, settled, buckets = [] } = projected;
  const now = documentTime(databaseNow, seen);
  const lapsed = projected.lapsed.filter(({ until }) => until <= now).map(readHold);
  const open: readonly Entry[] = holds.map((hold) => ({ ...readHold(hold), state: 'open' }));
  return {
    now,
    databaseNow,
    entries: [...open, ...settled],
    buckets: buckets.map(readBucket).filter((bucket) => bucket.until > now && holdsAny(bucket)),
    lapsed,
    openHolds: projected.holdCount - lapsed.length,
    liveBuckets: projected.bucketCount,
    forgot: projected.forgot ?? false,
  };
}

function readHold(hold: StoredHold): Hold {
  return { leftOut: [], pending: false, buckets: [], ...hold };
}

function readBucket(stored: StoredBucket): Bucket {
  const { name, usedAmount, usedCount, heldAmount, heldCount } = stored;
  return {
    counter: name.counter,
    start: name.start,
    until: name.until,
    usedAmount: usedAmount === null ? null : numberOf(usedAmount),
    usedCount: numberOf(usedCount),
    heldAmount: heldAmount === null ? null : numberOf(heldAmount),
    heldCount: numberOf(heldCount),
  };
}

function numberOf(whole: Whole): number {
  return typeof whole === 'number' ? whole : Number(whole.toString());
}
