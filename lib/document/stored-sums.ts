import { sumsAmounts } from '../rule/counter-key.ts';
import type { Bucket, BucketReference, Sums, Cells } from '../counter/sums.ts';
import { cellPath, readBucketName } from '../counter/name.ts';
import type { Whole } from './update.ts';
import { wholeOf } from './update.ts';

/**
 * The sums of a bucket: the amount `a` and the number `n` are used and held together; `ua` and `un` are
 * used alone. Amounts only with a currency. `d` and `ud` have further sums by name, where the kind of the
 * counter has any.
 */
export type StoredSums = {
  readonly a?: Whole;
  readonly n?: Whole;
  readonly ua?: Whole;
  readonly un?: Whole;
  readonly d?: StoredCells;
  readonly ud?: StoredCells;
};

type StoredCells = Readonly<Record<string, Whole>>;

/** Reads the buckets that a document has. */
export function readBuckets(stored: Readonly<Record<string, StoredSums>> = {}): readonly Bucket[] {
  return Object.entries(stored).map(([name, sums]) => {
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
  return d === undefined ? bucket : { ...bucket, cells: readCells(d, ud) };
}

function readCells(all: StoredCells, used: StoredCells = {}): Cells {
  const cells = Object.entries(all).map(([cell, sum]) => {
    const usedCount = Number(used[cell] ?? 0);
    return [cell, { used: usedCount, held: Number(sum) - usedCount }] as const;
  });
  return Object.fromEntries(cells);
}

/** A further sum in which nothing is once what lapsed is released, by its paths, with what it has until then. */
type SpentCell = { readonly all: string; readonly used: string; readonly sum: bigint };

/** Finds the further sums of some buckets in which nothing is once what lapsed is released. */
export function cellsSpent(
  buckets: readonly (readonly [name: string, sums: Pick<StoredSums, 'd'>])[],
  released: ReadonlyMap<string, Sums>,
): readonly SpentCell[] {
  return buckets.flatMap(([name, { d = {} }]) =>
    Object.entries(d).flatMap(([cell, stored]): readonly SpentCell[] => {
      const sum = wholeOf(stored);
      const { used = 0, held = 0 } = released.get(name)?.cells?.[cell] ?? {};
      if (sum + BigInt(used + held) > 0n) return [];
      return [{ all: cellPath(name, 'd', cell), used: cellPath(name, 'ud', cell), sum }];
    }),
  );
}
