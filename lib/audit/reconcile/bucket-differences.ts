import { sumsAmounts } from '../../rule/counter-key.ts';
import type { Values } from '../../rule/counter-key.ts';
import { kindOf } from '../../counter/kinds.ts';
import type { Hold } from '../../document/document.ts';
import type { Bucket, BucketReference, Sums } from '../../counter/sums.ts';
import { bucketName } from '../../counter/name.ts';
import { effectOf } from '../../counter/effect.ts';
import { present } from '../../shared/present.ts';
import type { Ending } from '../../shared/states.ts';
import { CONFIRMED } from '../../shared/states.ts';
import type { Difference, SumName } from './difference.ts';
import { SUMS } from './difference.ts';

/** Sums of a bucket, and its further sums: by rows and holds, and where a document has others. */

type Pair = { readonly amount: number; readonly count: number };

/** A bucket, or one of its further sums. Its kind alone knows what that is of. */
export type BucketPart = { readonly bucket: BucketReference; readonly value?: string };

/** What rows or holds say of a part. */
export type PartSum = Pair & BucketPart;

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

/** Adds to a sum of a bucket, and to its further sums, what effects say of it. */
export function addEffect(
  sums: Map<string, PartSum>,
  bucket: BucketReference,
  { usedAmount, usedCount, heldAmount, heldCount, cells = {} }: Sums,
  of: 'used' | 'held' = 'used',
): void {
  const [amount, count] = of === 'used' ? [usedAmount, usedCount] : [heldAmount, heldCount];
  addToPart(sums, { bucket }, { amount, count });
  for (const [value, cell] of Object.entries(cells))
    addToPart(sums, { bucket, value }, { amount: 0, count: cell[of] });
}

function addToPart(sums: Map<string, PartSum>, part: BucketPart, by: Pair): void {
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
): Sums {
  const end = is === undefined ? ending : { to: is };
  return effectOf(bucket, 'nothing', end, ended);
}

/** What a refund takes off a bucket, as the counter has it. */
export function givenBack(
  bucket: BucketReference,
  refund: Pair & Pick<EndedShare, 'values'>,
): Sums {
  return effectOf(bucket, 'counted', { to: 'refunded' }, refund);
}

/** What is held in each part. */
export function heldParts(holds: readonly Hold[]): ReadonlyMap<string, PartSum> {
  const held = new Map<string, PartSum>();
  for (const hold of holds)
    for (const bucket of hold.places.buckets)
      addEffect(held, bucket, effectOf(bucket, 'nothing', { to: 'held' }, hold), 'held');
  return held;
}

/** A stored bucket, and each of its further sums. */
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
  held: Pair,
  unplaced: readonly EndedShare[],
): readonly Difference[] {
  const bucket = present({ counter, until, start });
  const kind = kindOf(counter);
  const maybe = unplaced
    .filter(({ at }) => !at || !start || start <= at)
    .map((one): Pair => {
      const { usedAmount: amount, usedCount: count } = usedBy(bucket, one);
      return {
        amount,
        count: value === undefined ? count : (kind.mostInCell?.(count) ?? Infinity),
      };
    });
  // By its rows, and at most by so much more what nothing places. A refund is below zero if its payment's row is lost.
  const usedOf = (sum: keyof Pair, is: number): number =>
    Math.max(0, used[sum], Math.min(is, used[sum] + totalOf(maybe, sum)));
  const expected: Readonly<Record<SumName, number>> = {
    usedAmount: usedOf('amount', stored?.usedAmount ?? 0),
    usedCount: usedOf('count', stored?.usedCount ?? 0),
    heldAmount: held.amount,
    heldCount: held.count,
  };
  const hasAmounts = value === undefined && sumsAmounts(counter);
  return SUMS.filter((sum) => sum.endsWith('Count') || hasAmounts).flatMap((sum): Difference[] => {
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
  });
}

function totalOf(all: readonly Pair[], sum: keyof Pair): number {
  return all.reduce((total, each) => total + each[sum], 0);
}
