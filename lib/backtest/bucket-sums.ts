import type { Bucket, BucketReference, Sums, Cells } from '../counter/sums.ts';
import { holdsAny, withCells } from '../counter/sums.ts';
import { isOver } from '../counter/effect.ts';
import type { KnownName, KnownNames } from './known-names.ts';
import { nameFor, numberFor } from './known-names.ts';

/** The buckets of a document, in little memory. Plain data. */
export type BucketSums = {
  readonly known: KnownNames;
  /** So many as `TIMES` are the document's own; then three for each bucket: its name, used amount and used count. */
  numbers: number[];
  /** Two for each bucket: held amount and held count. Empty while nothing is held. */
  held: number[];
  /** One for each bucket, where one counts different cells. */
  cells?: (Cells | undefined)[];
};

/** How many numbers of a document are no buckets. */
export const TIMES = 2;
const USED = 3;
const HELD = 2;

/** Most documents hold nothing. It is not written. */
export const NONE_HELD: number[] = [];

/** How many buckets there are. */
export function bucketCount({ numbers }: BucketSums): number {
  return (numbers.length - TIMES) / USED;
}

/** The buckets as a document shows them. */
export function bucketsIn(rows: BucketSums): readonly Bucket[] {
  return bucketNames(rows).map((name, place) => bucketIn(rows, place, name));
}

/** The names of the buckets. */
export function bucketNames({ known, numbers }: BucketSums): readonly KnownName[] {
  const names: KnownName[] = [];
  for (let at = TIMES; at < numbers.length; at += USED) names.push(nameFor(known, numbers[at]));
  return names;
}

/** The place of a bucket; that of a new one, where it is not there. */
export function bucketPlace(rows: BucketSums, name: BucketReference): number {
  const number = numberFor(rows.known, name);
  const { numbers, held } = rows;
  const size = bucketCount(rows);
  for (let place = 0; place < size; place++)
    if (numbers[TIMES + place * USED] === number) return place;
  // An array that grows by push has room for 16 more.
  rows.numbers = numbers.concat([number, 0, 0]);
  if (held.length > 0) rows.held = held.concat([0, 0]);
  return size;
}

/** Adds to the bucket at a place. */
export function addSums(rows: BucketSums, place: number, by: Sums): void {
  addNumbers(rows.numbers, TIMES + place * USED + 1, by.usedAmount, by.usedCount);
  if (by.heldAmount !== 0 || by.heldCount !== 0) {
    if (rows.held.length === 0) rows.held = Array<number>(bucketCount(rows) * HELD).fill(0);
    addNumbers(rows.held, place * HELD, by.heldAmount, by.heldCount);
  }
  if (by.cells === undefined) return;
  rows.cells ??= [];
  rows.cells[place] = withCells(rows.cells[place], by.cells).cells;
}

/** Lets go buckets whose windows are over. */
export function dropOver(rows: BucketSums, at: Date): void {
  dropWhere(rows, (name) => isOver(name, at));
}

/** Lets go buckets that hold nothing. */
export function dropEmpty(rows: BucketSums): void {
  dropWhere(
    rows,
    (name, place) => countAt(rows, place) === 0 && !holdsAny(bucketIn(rows, place, name)),
  );
}

function countAt({ numbers }: BucketSums, place: number): number {
  return numbers[TIMES + place * USED + 2] ?? 0;
}

/** The numbers of all names that documents have. */
export function namedIn(documents: Iterable<BucketSums>): ReadonlySet<number> {
  const named = new Set<number>();
  for (const rows of documents) for (const { number } of bucketNames(rows)) named.add(number);
  return named;
}

/** The bucket at a place. @param name it has, where that is known */
export function bucketIn(
  { known, numbers, held, cells }: BucketSums,
  place: number,
  name = nameFor(known, numbers[TIMES + place * USED]),
): Bucket {
  const { counter, until } = name;
  const first = TIMES + place * USED + 1;
  const bucket = {
    counter,
    until,
    usedAmount: name.sumsAmounts ? (numbers[first] ?? 0) : null,
    usedCount: numbers[first + 1] ?? 0,
    heldAmount: name.sumsAmounts ? (held[place * HELD] ?? 0) : null,
    heldCount: held[place * HELD + 1] ?? 0,
  };
  const ofCells = cells?.[place];
  return ofCells === undefined ? bucket : { ...bucket, cells: ofCells };
}

function addNumbers(numbers: number[], first: number, amount: number, count: number): void {
  numbers[first] = (numbers[first] ?? 0) + amount;
  numbers[first + 1] = (numbers[first + 1] ?? 0) + count;
}

function dropWhere(rows: BucketSums, isOut: (name: KnownName, place: number) => boolean): void {
  const names = bucketNames(rows);
  if (!names.some(isOut)) return;
  const { numbers, held, cells } = rows;
  let to = 0;
  for (const [place, name] of names.entries()) {
    if (isOut(name, place)) continue;
    numbers.copyWithin(TIMES + to * USED, TIMES + place * USED, TIMES + (place + 1) * USED);
    held.copyWithin(to * HELD, place * HELD, (place + 1) * HELD);
    if (cells !== undefined) cells[to] = cells[place]; // it is not as long, and has holes
    to += 1;
  }
  // An array that is made shorter keeps its room. A copy has none.
  rows.numbers = numbers.slice(0, TIMES + to * USED);
  if (held.length > 0) rows.held = held.slice(0, to * HELD);
  if (cells !== undefined) rows.cells = cells.slice(0, to);
}
