import type { Bucket, BucketReference, Sums, ValueCounts } from '../document/document.ts';
import { holdsAny, isSameBucket } from '../document/document.ts';
import { isOver } from '../document/effect.ts';
import { withValues } from '../document/values.ts';
import { sumsAmounts } from '../rule/counter.ts';

/** The name of a bucket, once for all documents that have it. */
type KnownName = BucketReference & { readonly sumsAmounts: boolean };

/** By the counter, and by the end in milliseconds. */
export type KnownNames = Map<string, Map<number, KnownName>>;

/** The buckets of a document, in little memory. Plain data. */
export type BucketSums = {
  names: readonly KnownName[];
  /** Four for each name: used amount and count, held amount and count. */
  sums: number[];
  /** One for each name, where one counts different values. */
  values?: (ValueCounts | undefined)[];
};

const SUMS = 4;

/** The buckets as a document shows them. */
export function bucketsIn(rows: BucketSums): readonly Bucket[] {
  return rows.names.map((_name, place) => bucketIn(rows, place));
}

/** The place of a bucket; that of a new one, where it is not there. */
export function placeOf(rows: BucketSums, known: KnownNames, name: BucketReference): number {
  const found = rows.names.findIndex((one) => isSameBucket(one, name));
  if (found >= 0) return found;
  // An array that grows by push has room for 16 more.
  rows.names = rows.names.concat([nameIn(known, name)]);
  rows.sums = rows.sums.concat([0, 0, 0, 0]);
  return rows.names.length - 1;
}

/** Adds to the bucket at a place. */
export function addAt(rows: BucketSums, place: number, by: Sums): void {
  const { sums } = rows;
  const first = place * SUMS;
  sums[first] = (sums[first] ?? 0) + by.usedAmount;
  sums[first + 1] = (sums[first + 1] ?? 0) + by.usedCount;
  sums[first + 2] = (sums[first + 2] ?? 0) + by.heldAmount;
  sums[first + 3] = (sums[first + 3] ?? 0) + by.heldCount;
  if (by.values === undefined) return;
  rows.values ??= [];
  rows.values[place] = withValues(rows.values[place], by.values).values;
}

/** The bucket at a place. */
export function bucketIn({ names, sums, values }: BucketSums, place: number): Bucket {
  const name = names[place];
  if (name === undefined) throw new RangeError('a place has a name');
  const { counter, until } = name;
  const first = place * SUMS;
  const bucket = {
    counter,
    until,
    usedAmount: name.sumsAmounts ? (sums[first] ?? 0) : null,
    usedCount: sums[first + 1] ?? 0,
    heldAmount: name.sumsAmounts ? (sums[first + 2] ?? 0) : null,
    heldCount: sums[first + 3] ?? 0,
  };
  const ofValues = values?.[place];
  return ofValues === undefined ? bucket : { ...bucket, values: ofValues };
}

/** Lets go buckets whose windows are over. */
export function dropOver(rows: BucketSums, at: Date): void {
  dropWhere(rows, (name) => isOver(name, at));
}

/** Lets go buckets that hold nothing. */
export function dropEmpty(rows: BucketSums): void {
  dropWhere(rows, (_name, place) => !holdsAny(bucketIn(rows, place)));
}

function dropWhere(rows: BucketSums, isOut: (name: KnownName, place: number) => boolean): void {
  const { names, sums, values } = rows;
  if (!names.some(isOut)) return;
  const areIn = names.map((name, place) => !isOut(name, place));
  rows.names = names.filter((_name, place) => areIn[place]);
  rows.sums = sums.filter((_sum, place) => areIn[Math.floor(place / SUMS)]);
  if (values !== undefined)
    rows.values = areIn.flatMap((isIn, place) => (isIn ? [values[place]] : [])); // it has holes
}

/** Lets go names that no document has any more: a window that never ends may count nothing. */
export function forgetNames(known: KnownNames, documents: Iterable<BucketSums>): void {
  const kept = new Set<KnownName>();
  for (const { names } of documents) for (const name of names) kept.add(name);
  for (const [counter, ofCounter] of known) {
    for (const [untilMs, name] of ofCounter) if (!kept.has(name)) ofCounter.delete(untilMs);
    if (ofCounter.size === 0) known.delete(counter);
  }
}

function nameIn(known: KnownNames, { counter, until }: BucketReference): KnownName {
  const ofCounter = known.get(counter) ?? new Map<number, KnownName>();
  const found = ofCounter.get(until.getTime());
  if (found !== undefined) return found;
  const name = { counter, until, sumsAmounts: sumsAmounts(counter) };
  known.set(counter, ofCounter.set(until.getTime(), name));
  return name;
}
