import { effectOf } from '../counter/effect.ts';
import type { Sums } from '../counter/sums.ts';
import { NO_SUMS, withCells } from '../counter/sums.ts';
import type { Hold } from './document.ts';

/** Adds up how holds that expire change the sums of the buckets that they entered, by name. */
export function effectOfExpired(holds: readonly Hold[]): ReadonlyMap<string, Sums> {
  const effects = new Map<string, Sums>();
  for (const hold of holds)
    for (const [place, name] of hold.names.entries()) {
      const bucket = hold.buckets[place];
      if (bucket === undefined) continue;
      const effect = effectOf(bucket, 'open', 'expired', hold);
      const sums = effects.get(name) ?? NO_SUMS;
      const { usedAmount, usedCount, heldAmount, heldCount, cells } = sums;
      effects.set(name, {
        usedAmount: usedAmount + effect.usedAmount,
        usedCount: usedCount + effect.usedCount,
        heldAmount: heldAmount + effect.heldAmount,
        heldCount: heldCount + effect.heldCount,
        ...withCells(cells, effect.cells),
      });
    }
  return effects;
}
