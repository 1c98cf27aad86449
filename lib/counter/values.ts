import { nameIn } from '../rule/counter-key.ts';
import type { Values } from '../rule/counter-key.ts';
import { COUNTER_SUM_MAX, DISTINCT_VALUES_MAX } from '../shared/bounds.ts';
import type { Counter, CounterKind } from './kind.ts';
import type { Entrant, Intake } from './entry.ts';
import { leaves } from './entry.ts';
import { cellPath, cellsPath } from './name.ts';
import { notAbove, plain } from './plain.ts';
import type { Cells } from './sums.ts';
import { wholeSums } from './sums.ts';

/**
 * Different values: a cell for each, with the count of its orders. The count of the counter is how many cells count.
 */
export const values: CounterKind<ValuesIntake> = {
  ...plain,
  isOf: (key) => nameIn(key) !== undefined,
  mostCounted: DISTINCT_VALUES_MAX,
  fills: true,
  entry: (counter, taken, sums) => ({ ...sums, ...valuesAdded(taken, counter) }),
  // The number of orders with some values stays exact, and so do they.
  room({ paths, expressions }, { maxCount }, entry, fields, asRead) {
    paths[fields.count] = notAbove(COUNTER_SUM_MAX - entry.asked.count);
    if (asRead !== undefined) expressions.push(areCounted(fields.name, there(asRead.cells)));
    else for (const set of entry.sets) expressions.push(haveRoom(fields.name, set, maxCount));
    return true; // values that are there already have room, however many
  },
  raise(to, counter, entry, fields) {
    for (const [value, { all, used }] of entry.raised) {
      if (all > 0) to[cellPath(fields.name, 'd', value)] = BigInt(all);
      if (used > 0) to[cellPath(fields.name, 'ud', value)] = BigInt(used);
    }
    plain.raise(to, counter, entry, fields);
  },
  cells(key, given, { usedCount, heldCount }) {
    const value = valueFor(key, given);
    return value === undefined ? undefined : { [value]: { used: usedCount, held: heldCount } };
  },
  mostInCell: (count) => count,
  sums(key, buckets) {
    const sums = wholeSums(buckets, key);
    return sums.cells === undefined ? sums : { ...sums, ...countsOf(sums.cells) };
  },
  /** Another order with a value that is used. */
  fitsAlways(key, cells, { count, capture, values: given }, isIn) {
    const value = valueFor(key, given);
    const own = isIn && capture === true ? count : 0;
    return value !== undefined && isUsed(cells, value, own);
  },
  excess(key, { usedCount, heldCount, cells }, { maxCount }, asks) {
    const value = asks && valueFor(key, asks.values);
    const isFree = asks && (value === undefined || isUsed(cells, value, 0));
    const isNew = value !== undefined && !isThere(cells, value);
    const count = usedCount + heldCount + (isNew ? 1 : 0) - maxCount;
    return { amount: -Infinity, count: isFree ? 0 : count };
  },
  /** Nothing, if other orders have its own, too. */
  raises(key, cells, { count, values: given }, isIn) {
    const value = valueFor(key, given);
    if (value === undefined) return 0;
    const { used, held } = cells?.[value] ?? NONE;
    return used + held === (isIn ? count : 0) ? 1 : 0;
  },
};

const NONE = { used: 0, held: 0 };

function valueFor(key: string, given: Values | undefined): string | undefined {
  return given?.[nameIn(key) ?? ''];
}

type ValuesIntake = Intake & ReturnType<typeof valuesAdded>;

/** Adds up the values of the orders that enter a counter. */
function valuesAdded(taken: readonly Entrant[], { key }: Counter) {
  const raised = new Map<string, { readonly all: number; readonly used: number }>();
  const passing: (readonly string[])[] = [];
  for (const order of taken) {
    const value = valueFor(key, order.values);
    if (value === undefined || order.leftOut?.includes(key) === true) continue;
    if (!leaves(key, order)) {
      passing.push([...new Set([...raised.keys(), value])]);
      continue;
    }
    const { all, used } = raised.get(value) ?? { all: 0, used: 0 };
    raised.set(value, {
      all: all + order.count,
      used: used + (order.capture === true ? order.count : 0),
    });
  }
  const staying = [...raised.keys()];
  const others = passing.filter((set) => set.some((value) => !raised.has(value)));
  /*
   * An add asks this of each set: all its values are used already, or they have room together. The first set has the
   * values of the orders that stay. A captured order that leaves nothing here is asked about in its turn: its set has its
   * own value, and those of the orders before it that stay.
   */
  return { raised, sets: staying.length === 0 ? others : [staying, ...others] };
}

/** The values that count: one whose orders were all given back does not. */
function there(cells: Cells = {}): readonly string[] {
  return Object.entries(cells).flatMap(([value, { used, held }]) =>
    used + held > 0 ? [value] : [],
  );
}

/** Whether a value counts, so that another order with it adds none. */
function isThere(cells: Cells | undefined, value: string): boolean {
  const { used, held } = cells?.[value] ?? NONE;
  return used + held > 0;
}

/** Whether a value is used by more than so many orders. */
function isUsed(cells: Cells | undefined, value: string, others: number): boolean {
  return (cells?.[value] ?? NONE).used > others;
}

/** How many values count: those of an order that is used, and those that open holds alone have. */
function countsOf(cells: Cells) {
  const usedCount = Object.values(cells).filter(({ used }) => used > 0).length;
  return { usedCount, heldCount: there(cells).length - usedCount };
}

/**
 * These values of a bucket are used already, or those that count and these are no more than this. What is only held
 * may have lapsed: it makes no room for another order with its value.
 */
function haveRoom(bucket: string, those: readonly string[], most: number): unknown {
  const these = { $literal: those };
  const areUsed = { $setIsSubset: [these, valuesAt(cellsPath(bucket, 'ud'))] };
  const all = { $setUnion: [valuesAt(cellsPath(bucket, 'd')), these] };
  return { $or: [areUsed, { $lte: [{ $size: all }, most] }] };
}

/** Exactly these values count in a bucket. */
function areCounted(bucket: string, those: readonly string[]): unknown {
  return { $setEquals: [valuesAt(cellsPath(bucket, 'd')), { $literal: those }] };
}

/** The values with a count. One whose orders were all given back is there with 0, and is none. */
function valuesAt(path: string): unknown {
  const entries = { $objectToArray: { $ifNull: [`$${path}`, {}] } };
  const d = { $filter: { input: entries, cond: { $gt: ['$$this.v', 0] } } };
  return { $let: { vars: { d }, in: '$$d.k' } };
}
