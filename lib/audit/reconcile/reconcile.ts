import type { AuditRow } from '../audit.ts';
import { refundsOf, sumsAmounts } from '../../windows/counter.ts';
import type { Bucket, BucketReference, Hold, Outcome } from '../../limits/document/document.ts';
import { bucketName } from '../../limits/document/document.ts';
import { groupedBy } from '../../limits/many.ts';
import { holdId } from '../../shared/subject.ts';

/** What one document holds, whole. */
export type StoredCounters = {
  /** The document's time: buckets are live and holds open at it. */
  readonly now: Date;
  /** The database's instant. */
  readonly databaseNow: Date;
  readonly buckets: readonly Bucket[];
  /** Those whose time is over too, while they are still summed. */
  readonly holds: readonly Hold[];
  readonly settled: readonly Outcome[];
  /** When it was mended last. */
  readonly mendedAt?: Date;
};

/** What a row tells of sums. */
export type RecordedRow = Pick<
  AuditRow,
  'appId' | 'orderId' | 'outcome' | 'nonce' | 'amountMinor' | 'count' | 'repeated'
> &
  Pick<AuditRow, 'at' | 'holdExpiresAt' | 'shares'>;

/** The sums of a bucket. */
const SUMS = ['usedAmount', 'usedCount', 'heldAmount', 'heldCount'] as const;
/** One of them. */
export type SumName = (typeof SUMS)[number];

/** Where a document is not what it should be. Amounts are minor units. */
export type Difference =
  | {
      readonly kind: 'sum';
      readonly bucket: BucketReference;
      readonly sum: SumName;
      readonly stored: number;
      /** Used by the rows; held by the document's own holds. */
      readonly expected: number;
    }
  /** Rows say that an order is held, and the document has no hold of it. */
  | { readonly kind: 'hold'; readonly orderId: string; readonly until: Date };

type Used = { readonly bucket: BucketReference; readonly amount: number; readonly count: number };
type Share = {
  readonly orderId: string;
  readonly id: string;
  readonly buckets: readonly BucketReference[];
  readonly until: Date;
};
type Confirmed = {
  readonly nonce: string;
  readonly amount: number;
  readonly count: number;
  readonly buckets: readonly BucketReference[];
  /** When it was counted, or a row told it. */
  readonly at?: Date;
};

/** What may be counted in a bucket beside what rows say that is. */
type Unplaced = { readonly amount: number; readonly count: number };

/**
 * Adds up what rows say that one document counts. Rows may come in any order.
 *
 * It keeps the nonce of every order that ended, and of those that are not over their buckets: memory
 * grows with the rows of one subject.
 */
export class Recorded {
  readonly #document: string;
  readonly #used = new Map<string, Used>();
  readonly #held = new Map<string, Share>();
  readonly #ended = new Set<string>();
  /** Confirms whose own row got lost: the check's says where they count. */
  readonly #told: Confirmed[] = [];
  /** Refunds that the document gave nothing back for: it may not have counted the payment. */
  readonly #withheld: Confirmed[] = [];

  constructor(document: string) {
    this.#document = document;
  }

  /** Reads one row that changed something. */
  add(row: RecordedRow): void {
    const { outcome, nonce, amountMinor = 0, count = 0, shares } = row;
    if (nonce === undefined) return;
    const share = shares.find(({ document }) => document === this.#document);
    const buckets = share?.buckets ?? [];
    switch (outcome) {
      case 'held':
        if (share !== undefined) {
          const until = row.holdExpiresAt ?? new Date(0);
          this.#held.set(nonce, { orderId: row.orderId, id: holdId(row), buckets, until });
        }
        return;
      case 'confirmed':
        this.#ended.add(nonce);
        if (row.repeated === true)
          this.#told.push({ nonce, amount: amountMinor, count, buckets, at: row.at });
        else for (const bucket of buckets) addTo(this.#used, bucket, amountMinor, count);
        return;
      case 'refunded':
        if (share === undefined)
          this.#withheld.push({ nonce, amount: amountMinor, count, buckets });
        for (const bucket of buckets) takeOff(this.#used, bucket, amountMinor, count);
        return;
      case 'rolledBack':
        this.#ended.add(nonce);
        return;
    }
  }

  /** Compares with what is stored. Live buckets only: nothing reads the others. */
  compare({ now, buckets, holds, settled }: StoredCounters): readonly Difference[] {
    // The rows of some ends got lost, or are on their way; the document remembers them.
    const recalled = settled.filter(({ nonce }) => !this.#ended.has(nonce));
    const used = new Map(this.#used);
    const recalledAs = recalled
      .filter(({ state }) => state === 'confirmed')
      .map((outcome): Confirmed => ({ ...outcome, buckets: [] }));
    const withheld = groupedBy(this.#withheld, ({ nonce }) => nonce);
    const unplaced: Confirmed[] = [];
    for (const one of [...this.#told, ...recalledAs]) {
      const { nonce, amount, count } = one;
      const names = this.#held.get(nonce)?.buckets ?? one.buckets;
      if (names.length === 0) unplaced.push(one);
      for (const bucket of names) {
        addTo(used, bucket, amount, count);
        for (const refund of withheld.get(nonce) ?? [])
          takeOff(used, bucket, refund.amount, refund.count);
      }
    }
    const ended = new Set([...this.#ended, ...recalled.map(({ nonce }) => nonce)]);
    const stored = buckets.filter(({ until }) => until > now);
    const known = new Set(stored.map(bucketName));
    const missing = [...used.values()]
      .map(({ bucket }) => bucket)
      .filter((bucket) => bucket.until > now && !known.has(bucketName(bucket)))
      .map((bucket) => ({ ...bucket, ...noSums(bucket) }));
    return [
      ...[...stored, ...missing].flatMap((bucket) =>
        differencesOf(
          bucket,
          used.get(bucketName(bucket)),
          holds,
          unplacedIn(used.get(bucketName(bucket))?.bucket ?? bucket, unplaced),
        ),
      ),
      ...this.#missingHolds(now, holds, ended),
    ];
  }

  #missingHolds(
    now: Date,
    holds: readonly Hold[],
    ended: ReadonlySet<string>,
  ): readonly Difference[] {
    const known = new Set(holds.map(({ id }) => id));
    return [...this.#held]
      .filter(([nonce, { id, until }]) => until > now && !ended.has(nonce) && !known.has(id))
      .map(([, { orderId, until }]) => ({ kind: 'hold', orderId, until }));
  }
}

/** Payments that are known to be confirmed, and of which nothing says where: any may count here. */
function unplacedIn({ start }: BucketReference, all: readonly Confirmed[]): Unplaced {
  const mine = all.filter(({ at }) => at === undefined || start === undefined || start <= at);
  return {
    amount: mine.reduce((sum, { amount }) => sum + amount, 0),
    count: mine.reduce((sum, { count }) => sum + count, 0),
  };
}

function addTo(
  sums: Map<string, Used>,
  bucket: BucketReference,
  amount: number,
  count: number,
): void {
  const name = bucketName(bucket);
  const sum = sums.get(name) ?? { bucket, amount: 0, count: 0 };
  sums.set(name, { bucket, amount: sum.amount + amount, count: sum.count + count });
}

/** Takes off what a refund gives back, as the rules of the counter have it. */
function takeOff(
  sums: Map<string, Used>,
  bucket: BucketReference,
  amount: number,
  count: number,
): void {
  const gives = refundsOf(bucket.counter);
  addTo(sums, bucket, gives.amount ? -amount : 0, gives.count ? -count : 0);
}

function differencesOf(
  bucket: Bucket,
  used: Used | undefined,
  holds: readonly Hold[],
  unplaced: Unplaced,
): readonly Difference[] {
  const name = bucketName(bucket);
  const naming = holds.filter((hold) => hold.buckets.some((each) => bucketName(each) === name));
  const expected: Readonly<Record<SumName, number>> = {
    usedAmount: withUnplaced(bucket.usedAmount ?? 0, used?.amount ?? 0, unplaced.amount),
    usedCount: withUnplaced(bucket.usedCount, used?.count ?? 0, unplaced.count),
    heldAmount: naming.reduce((sum, { amount }) => sum + amount, 0),
    heldCount: naming.reduce((sum, { count }) => sum + count, 0),
  };
  const { counter, until } = bucket;
  return SUMS.flatMap((sum): readonly Difference[] => {
    const stored = bucket[sum]; // without currency amounts are not summed
    if (stored === null || stored === expected[sum]) return [];
    const reference = used?.bucket ?? { counter, until };
    return [{ kind: 'sum', bucket: reference, sum, stored, expected: expected[sum] }];
  });
}

/** What a sum should be: by its rows, and at most by so much more what nothing places. */
function withUnplaced(stored: number, placed: number, unplaced: number): number {
  return Math.max(placed, Math.min(stored, placed + unplaced));
}

/** The sums of a bucket that is not there. */
function noSums({ counter }: BucketReference): Omit<Bucket, keyof BucketReference> {
  return sumsAmounts(counter) ? NO_SUMS : { ...NO_SUMS, usedAmount: null, heldAmount: null };
}

/** The sums of nothing. */
export const NO_SUMS = { usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 };
