import { sumsAmounts } from '../../rule/counter-key.ts';
import type { Values } from '../../rule/counter-key.ts';
import { valueIn } from '../../counter/kinds.ts';
import type { Hold } from '../../document/document.ts';
import type { Bucket, BucketReference } from '../../counter/sums.ts';
import { bucketName } from '../../counter/name.ts';
import { effectOf } from '../../counter/effect.ts';
import { present } from '../../shared/present.ts';
import type { Ending } from '../../shared/states.ts';
import { CONFIRMED } from '../../shared/states.ts';
import type { Difference, SumName } from './difference.ts';
import { SUMS } from './difference.ts';

/** Sums of a bucket, or of the orders with one value in it: by rows, and where a document has others. */

type Pair = { readonly amount: number; readonly count: number };

/** A bucket, or the part of it that orders with one value are. */
export type BucketPart = { readonly bucket: BucketReference; readonly value?: string };

/** What rows say is used of a part. */
export type UsedPart = Pair & BucketPart;

/** An order that ended, or a refund of it; `at` is when it ended, or a row told it. */
export type EndedShare = Pair & {
  readonly nonce: string;
  readonly ending?: Ending;
  readonly buckets: readonly BucketReference[];
  readonly values?: Values | undefined;
  readonly at?: Date;
};

/** Names a part. */
export function partName({ bucket, value }: BucketPart): string {
  return value === undefined ? bucketName(bucket) : `${bucketName(bucket)} ${value}`;
}

/** A bucket that an order with some values entered, and the part of it that is theirs, if it counts values. */
export function bucketParts(
  bucket: BucketReference,
  values: Values | undefined,
): readonly BucketPart[] {
  const value = values && valueIn(bucket.counter, values);
  return value === undefined ? [{ bucket }] : [{ bucket }, { bucket, value }];
}

/** Adds to what is used of a part. */
export function addUsed(sums: Map<string, UsedPart>, part: BucketPart, by: Pair): void {
  const name = partName(part);
  const { amount, count } = sums.get(name) ?? NOTHING;
  sums.set(name, { ...part, amount: exact(amount + by.amount), count: exact(count + by.count) });
}

/** Of what rows say nothing. */
export const NOTHING: Pair = { amount: 0, count: 0 };

/** NaN, and every sum that it enters, where a number would be rounded. */
function exact(sum: number): number {
  return Number.isSafeInteger(sum) ? sum : Number.NaN;
}

/** What an order uses of a bucket that ended, or expired: it counts as the counter has it. */
export function usedBy(
  bucket: BucketReference,
  { ending = CONFIRMED, ...ended }: Omit<EndedShare, 'nonce' | 'buckets'>,
  is?: 'expired',
): Pair {
  const end = is === undefined ? ending : { to: is };
  const { usedAmount, usedCount } = effectOf(bucket, 'nothing', end, ended);
  return { amount: usedAmount, count: usedCount };
}

/** What a refund takes off a bucket, as the counter has it. */
export function givenBack(bucket: BucketReference, refund: Pair): Pair {
  const { usedAmount, usedCount } = effectOf(bucket, 'counted', { to: 'refunded' }, refund);
  return { amount: usedAmount, count: usedCount };
}

/** A stored bucket, and each value in it. */
export function storedParts(
  bucket: Bucket,
): readonly (BucketPart & { readonly stored: StoredBucket })[] {
  const values = Object.entries(bucket.cells ?? {}).map(([value, { used, held }]) => {
    const stored = { usedAmount: null, usedCount: used, heldAmount: null, heldCount: held };
    return { bucket, value, stored };
  });
  return [{ bucket, stored: bucket }, ...values];
}

type StoredBucket = Pick<Bucket, SumName>;

/**
 * Finds where a document has other sums of a part than it should.
 *
 * @param part with the beginning of its bucket, where a row tells that
 * @param used by the rows that say where
 * @param unplaced payments that are known to be confirmed, and of which nothing says where: any that was
 *   counted since the bucket began may count here
 */
export function differencesOf(
  { bucket: { counter, until, start }, value }: BucketPart,
  stored: StoredBucket | undefined,
  used: Pair,
  holds: readonly Hold[],
  unplaced: readonly EndedShare[],
): readonly Difference[] {
  const bucket = present({ counter, until, start });
  const name = bucketName(bucket);
  const own = holds.filter(
    ({ places, values }) =>
      places.buckets.some((each) => bucketName(each) === name) &&
      (value === undefined || (values && valueIn(counter, values)) === value),
  );
  const maybe = unplaced
    .filter(({ at }) => !at || !start || start <= at)
    .map((one) => usedBy(bucket, one));
  // By its rows, and at most by so much more what nothing places. A refund is below zero if its payment's row is lost.
  const usedOf = (sum: keyof Pair, is: number): number =>
    Math.max(0, used[sum], Math.min(is, used[sum] + totalOf(maybe, sum)));
  const expected: Readonly<Record<SumName, number>> = {
    usedAmount: usedOf('amount', stored?.usedAmount ?? 0),
    usedCount: usedOf('count', stored?.usedCount ?? 0),
    heldAmount: totalOf(own, 'amount'),
    heldCount: totalOf(own, 'count'),
  };
  return SUMS.filter((sum) => sum.endsWith('Count') || sumsAmounts(counter)).flatMap(
    (sum): Difference[] => {
      const is = stored?.[sum] ?? 0;
      const used = sum.endsWith('Count') ? stored?.usedCount : stored?.usedAmount;
      // Stored is used and held together.
      const together = sum.startsWith('held') ? is + (used ?? 0) : is;
      if (Number.isNaN(exact(together) + exact(expected[sum])))
        return [{ kind: 'beyond', bucket, sum, ...present({ value }) }];
      if (is === expected[sum]) return [];
      return [
        { kind: 'sum', bucket, sum, ...present({ value }), stored: is, expected: expected[sum] },
      ];
    },
  );
}

function totalOf(all: readonly Pair[], sum: keyof Pair): number {
  return all.reduce((total, each) => exact(total + each[sum]), 0);
}
