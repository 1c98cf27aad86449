import { sumsAmounts } from '../rule/counter.ts';
import type { Bucket, BucketReference, Sums, ValueCounts } from './document.ts';
import { readBucketName, valuePath } from './bucket-name.ts';
import type { Whole } from './update.ts';
import { wholeOf } from './update.ts';

/**
 * The sums of a bucket: the amount `a` and the number `n` are used and held together; `ua` and `un` are
 * used alone. Amounts only with a currency. `d` and `ud` have the numbers by the digest of a value, in a counter of
 * different values.
 */
export type StoredSums = {
  readonly a?: Whole;
  readonly n?: Whole;
  readonly ua?: Whole;
  readonly un?: Whole;
  readonly d?: StoredValues;
  readonly ud?: StoredValues;
};

type StoredValues = Readonly<Record<string, Whole>>;

/** As a document has them. */
type StoredBuckets = { readonly b?: Readonly<Record<string, StoredSums>> };

/** Reads the buckets that a document has. */
export function readBuckets({ b = {} }: StoredBuckets): readonly Bucket[] {
  return Object.entries(b).map(([name, sums]) => {
    const reference = readBucketName(name);
    return readSums(reference, sums, sumsAmounts(reference.counter));
  });
}

/** What is held is the difference. */
export function readSums(
  { counter, until }: BucketReference,
  { a = 0, n = 0, ua = 0, un = 0, d, ud }: StoredSums,
  isAmount: boolean,
): Bucket {
  const usedCount = Number(un);
  const heldCount = Number(n) - usedCount;
  const usedAmount = isAmount ? Number(ua) : null;
  const heldAmount = usedAmount === null ? null : Number(a) - usedAmount;
  const bucket = { counter, until, usedAmount, usedCount, heldAmount, heldCount };
  return d === undefined ? bucket : { ...bucket, values: readValues(d, ud) };
}

function readValues(all: StoredValues, used: StoredValues = {}): ValueCounts {
  const values = Object.entries(all).map(([value, sum]) => {
    const usedCount = Number(used[value] ?? 0);
    return [value, { used: usedCount, held: Number(sum) - usedCount }] as const;
  });
  return Object.fromEntries(values);
}

/** A value that no order has once what lapsed is released, by its paths, with what it has until then. */
type SpentValue = { readonly all: string; readonly used: string; readonly sum: bigint };

/** Finds the values of some buckets that no order has once what lapsed is released. */
export function valuesSpent(
  buckets: readonly (readonly [name: string, sums: Pick<StoredSums, 'd'>])[],
  released: ReadonlyMap<string, Sums>,
): readonly SpentValue[] {
  return buckets.flatMap(([name, { d = {} }]) =>
    Object.entries(d).flatMap(([value, stored]): readonly SpentValue[] => {
      const sum = wholeOf(stored);
      const { used = 0, held = 0 } = released.get(name)?.values?.[value] ?? {};
      if (sum + BigInt(used + held) > 0n) return [];
      return [{ all: valuePath(name, 'd', value), used: valuePath(name, 'ud', value), sum }];
    }),
  );
}
