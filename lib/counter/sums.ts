/** Names a bucket: a counter, and the end of the window or step in which it counts. */
export type BucketReference = {
  readonly counter: string;
  readonly until: Date;
  /** Where a plan told it: the name does not. */
  readonly start?: Date;
};

/** Further sums of a bucket, by name, where its kind has any. Only the kind knows what they mean. */
export type Cells = Readonly<Record<string, { readonly used: number; readonly held: number }>>;

/** Sums of one counter, or what is added to them, in minor units and payments. */
export type Sums = {
  readonly usedAmount: number;
  readonly usedCount: number;
  readonly heldAmount: number;
  readonly heldCount: number;
  readonly cells?: Cells;
};

/** Running sums. A counter without currency has null in place of amounts. */
export type Bucket = BucketReference & {
  readonly usedAmount: number | null;
  readonly usedCount: number;
  readonly heldAmount: number | null;
  readonly heldCount: number;
  readonly cells?: Cells;
};

/** The sums of a counter in which nothing counts, and an outcome that adds nothing. */
export const NO_SUMS: Sums = { usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 };

/** A refund may have given back every count and left an amount. */
export function holdsAny({ usedAmount, usedCount, heldCount }: Bucket): boolean {
  return usedCount + heldCount > 0 || (usedAmount ?? 0) > 0;
}

/** Whether two buckets bear the same name. */
export function isSameBucket(one: BucketReference, other: BucketReference): boolean {
  return one.counter === other.counter && one.until.getTime() === other.until.getTime();
}

/** Adds further sums to others, or takes them off; nothing where there are none. */
export function withCells(
  cells: Cells | undefined,
  by: Cells | undefined,
  times: 1 | -1 = 1,
): { readonly cells?: Cells } {
  if (by === undefined) return cells === undefined ? {} : { cells };
  const all = { ...cells };
  for (const [name, { used, held }] of Object.entries(by)) {
    const is = all[name] ?? NONE;
    all[name] = { used: is.used + times * used, held: is.held + times * held };
  }
  return { cells: all };
}

const NONE = { used: 0, held: 0 };

/** A bucket with an effect added, or taken off. */
export function withSums(
  { counter, until, usedAmount, usedCount, heldAmount, heldCount, cells }: Bucket,
  effect: Sums,
  times: 1 | -1 = 1,
): Bucket {
  const bucket = {
    counter,
    until,
    usedAmount: usedAmount === null ? null : usedAmount + times * effect.usedAmount,
    usedCount: usedCount + times * effect.usedCount,
    heldAmount: heldAmount === null ? null : heldAmount + times * effect.heldAmount,
    heldCount: heldCount + times * effect.heldCount,
  };
  const hasCells = cells !== undefined || effect.cells !== undefined;
  return hasCells ? { ...bucket, ...withCells(cells, effect.cells, times) } : bucket;
}

/** Sums buckets of one counter as they are stored. */
export function wholeSums(buckets: readonly Bucket[], counter: string): Sums {
  const sums: { -readonly [Sum in keyof Sums]: Sums[Sum] } = {
    usedAmount: 0,
    usedCount: 0,
    heldAmount: 0,
    heldCount: 0,
  };
  for (const bucket of buckets) {
    if (bucket.counter !== counter) continue;
    sums.usedAmount += bucket.usedAmount ?? 0;
    sums.usedCount += bucket.usedCount;
    sums.heldAmount += bucket.heldAmount ?? 0;
    sums.heldCount += bucket.heldCount;
    if (bucket.cells !== undefined) Object.assign(sums, withCells(sums.cells, bucket.cells));
  }
  return sums;
}
