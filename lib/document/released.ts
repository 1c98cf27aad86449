import type { Sums } from '../counter/sums.ts';
import { NO_SUMS } from '../counter/sums.ts';
import { sumPath } from '../counter/name.ts';
import { cellPath } from '../counter/name.ts';
import type { StoredDocument } from './stored.ts';
import type { Increments } from './update.ts';

/** What holds that expire change in the buckets of a document, as `effectOfExpired` adds it up. */
export type Released = ReadonlyMap<string, Sums>;

/** What is used and held together, as a document has it. */
export function togetherOf({ usedAmount, usedCount, heldAmount, heldCount }: Sums = NO_SUMS) {
  return { amount: BigInt(usedAmount + heldAmount), count: BigInt(usedCount + heldCount) };
}

/** Adds it to the buckets that stay. @param isGone whether a bucket, or the count of a value, goes as a whole */
export function addReleased(
  sums: Increments,
  { b = {} }: StoredDocument,
  released: Released,
  isGone: (nameOrPath: string) => boolean,
): void {
  for (const [name, effect] of released) {
    if (isGone(name)) continue;
    const { amount, count } = togetherOf(effect);
    const { usedAmount, usedCount, cells = {} } = effect;
    if (b[name]?.a !== undefined) {
      sums.add(sumPath(name, 'a'), amount);
      sums.add(sumPath(name, 'ua'), BigInt(usedAmount));
    }
    sums.add(sumPath(name, 'n'), count);
    sums.add(sumPath(name, 'un'), BigInt(usedCount));
    for (const [cell, { used, held }] of Object.entries(cells)) {
      const path = cellPath(name, 'd', cell);
      if (isGone(path)) continue;
      sums.add(path, BigInt(used + held));
      sums.add(cellPath(name, 'ud', cell), BigInt(used));
    }
  }
}
