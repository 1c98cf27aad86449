import type { Sums } from './document.ts';
import { NO_SUMS } from './document.ts';
import { sumPath, valuePath } from './bucket-name.ts';
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
    const { usedAmount, usedCount, values = {} } = effect;
    if (b[name]?.a !== undefined) {
      sums.add(sumPath(name, 'a'), amount);
      sums.add(sumPath(name, 'ua'), BigInt(usedAmount));
    }
    sums.add(sumPath(name, 'n'), count);
    sums.add(sumPath(name, 'un'), BigInt(usedCount));
    for (const [value, { used, held }] of Object.entries(values)) {
      const path = valuePath(name, 'd', value);
      if (isGone(path)) continue;
      sums.add(path, BigInt(used + held));
      sums.add(valuePath(name, 'ud', value), BigInt(used));
    }
  }
}
