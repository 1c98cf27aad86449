import { digestOf } from '../shared/digest.ts';
import { appPrefix } from '../shared/subject.ts';
import type { Hold } from './document.ts';
import { listOf } from './document.ts';
import type { Increments, Value } from './update.ts';
import { storedHold } from './written.ts';

/** Where a document has its open holds, and what counts them. `stored.ts` has the fields. */

/** The key of a hold: at home that of its order, beside home that of the attempt which made it. */
export function heldUnder({
  id,
  digestOfId,
  nonce,
  home,
}: Pick<Hold, 'id' | 'digestOfId' | 'nonce' | 'home'>): string {
  return home === undefined ? (digestOfId ?? digestOf(id)) : nonce;
}

/** The field of a hold. */
export function heldAt(hold: Parameters<typeof heldUnder>[0]): string {
  return `h.${heldUnder(hold)}`;
}

/** The number of open holds of a kind: of orders whose home this is, or of others. */
export function openCountOf(isBeside: boolean): 'open' | 'shares' {
  return isBeside ? 'shares' : 'open';
}

/**
 * The number of open holds of one application and one kind: an expression that looks at each.
 *
 * @param id of one of its orders
 */
export function openOfApp(id: string, isBeside: boolean): unknown {
  const home = { $ifNull: ['$$this.v.home', ''] };
  const cond = {
    $and: [
      isBeside ? { $ne: [home, ''] } : { $eq: [home, ''] },
      { $eq: [{ $indexOfBytes: ['$$this.v.id', { $literal: appPrefix(id) }] }, 0] },
    ],
  };
  const input = { $objectToArray: { $ifNull: ['$h', {}] } };
  return { $size: { $filter: { input, cond } } };
}

/** Counts holds that come (1) or go (-1): each once by its kind, and once by the buckets that it entered. */
export function countHeld(sums: Increments, holds: readonly Hold[], by: 1n | -1n): void {
  for (const hold of holds) {
    sums.add(openCountOf(hold.home !== undefined), by);
    if (hold.names.length > 0) sums.add(listOf(hold).entrantsAt, by);
  }
}

/** The fields of holds, and the names of the buckets that they entered: those of many are there once. */
export function heldFields(holds: readonly Hold[]): ReadonlyMap<string, Value> {
  const fields = new Map<string, Value>();
  let last: readonly string[] = [];
  for (const hold of holds) {
    const { names } = hold;
    if (names !== last && names.length > 0) fields.set(listOf(hold).namesAt, names);
    last = names;
    fields.set(heldAt(hold), storedHold(hold));
  }
  return fields;
}
