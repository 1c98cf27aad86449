import { sumsAmounts } from '../../windows/counter.ts';
import type { SettledState } from './document.ts';
import { bucketFields, readBucketName } from './document.ts';
import type { StoredHold } from './stored.ts';
import { Increments, wholeOf } from './update.ts';

/** One entry that a settlement takes, and what becomes of its share. */
export type Move = {
  /** Where the entry stands: open; at home expired; beside home kept. */
  readonly standing: 'open' | 'expired' | 'kept';
  readonly hold: Omit<StoredHold, 'digest' | 'others' | 'home'> & {
    readonly digest?: string;
    readonly others?: readonly string[] | undefined;
    readonly home?: string | undefined;
  };
  readonly to: SettledState | 'dropped';
  /** Minor units that a confirm counts. */
  readonly finalMinor: number;
};

/** What leaves and enters each bucket that some entries name. */
type Moved = {
  readonly names: readonly string[];
  readonly isHeld: boolean;
  amount: bigint;
  count: bigint;
  usedAmount: bigint;
  usedCount: bigint;
};

/** What leaves and enters the sums of the buckets that entries name. */
export function sumsMoved(moves: readonly Move[], now: Date): Increments {
  const sums = new Increments();
  for (const { names, isHeld, amount, count, usedAmount, usedCount } of movedIn(moves))
    for (const name of names) {
      const { counter, until } = readBucketName(name);
      // What was released is counted again only where the window is not over.
      if (!isHeld && until <= now) continue;
      const fields = bucketFields(name);
      if (sumsAmounts(counter)) {
        if (amount !== 0n) sums.add(fields.amount, amount);
        if (usedAmount !== 0n) sums.add(fields.usedAmount, usedAmount);
      }
      if (count !== 0n) sums.add(fields.count, count);
      if (usedCount !== 0n) sums.add(fields.usedCount, usedCount);
    }
  return sums;
}

/** Adds up entries that name the same buckets: of a call of many orders most do. */
function movedIn(moves: readonly Move[]): readonly Moved[] {
  const all: Moved[] = [];
  for (const { standing, hold, to, finalMinor } of moves) {
    const isHeld = standing === 'open';
    const names = hold.b ?? [];
    let moved = all.find((one) => one.isHeld === isHeld && isSame(one.names, names));
    if (moved === undefined) {
      moved = { names, isHeld, amount: 0n, count: 0n, usedAmount: 0n, usedCount: 0n };
      all.push(moved);
    }
    const count = wholeOf(hold.n ?? 1);
    if (isHeld) {
      moved.amount -= wholeOf(hold.a);
      moved.count -= count;
    }
    if (to !== 'confirmed') continue;
    moved.amount += BigInt(finalMinor);
    moved.count += count;
    moved.usedAmount += BigInt(finalMinor);
    moved.usedCount += count;
  }
  return all;
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, place) => name === others[place]);
}
