import { digestOf } from '../shared/digest.ts';
import type { SettledState } from '../shared/states.ts';
import { appPrefix } from '../shared/subject.ts';
import type { Hold, Outcome } from './document.ts';
import type { Value } from './update.ts';
import { addTo } from './update.ts';

/** What an outcome's `is` begins with: of an end in time, and of one after the hold had expired. */
export const END_LETTERS: Readonly<Record<SettledState, readonly [inTime: string, late: string]>> =
  { confirmed: ['c', 'l'], rolledBack: ['r', 'r'] };

/** A hold or a share as it is stored while it is open; `stored.ts` explains the fields. */
export function storedHold(hold: Hold): Value {
  const stored = storedShare(hold);
  const { names, list } = hold.places;
  if (names.length > 0) stored.p = list;
  return stored;
}

/** A hold as home remembers it once it is over. */
export function expiredHold(hold: Hold): Value {
  return { ...storedShare(hold), b: hold.places.text };
}

/** A call of many writes many: fields are set one by one, for spreads cost more than all the rest. */
function storedShare(hold: Hold): Record<string, Value> {
  const { id, nonce, digest, amount, count, until, leftOut, others, home, values } = hold;
  const stored: Record<string, Value> = { id, nonce, digest, a: BigInt(amount) };
  if (count !== 1) stored.n = BigInt(count);
  stored.until = until;
  if (leftOut.length > 0) stored.leftOut = leftOut;
  if (others !== undefined) stored.others = others;
  if (home !== undefined) stored.home = home;
  if (values !== undefined) stored.v = values;
  return stored;
}

/** A share beside home as it is kept for a confirm that comes late. */
export function keptShare(hold: Hold): Value {
  const { id, nonce, until, places, home = '', values } = hold;
  const kept = { id, nonce, ...storedAmount(hold), until, b: places.text, home };
  return values === undefined ? kept : { ...kept, v: values };
}

/** An outcome as home remembers it. */
export function storedOutcome(outcome: Outcome): Value {
  const { id, nonce, digest, state, late, at, counters, leftOut = [], until, others } = outcome;
  const { reasonCode } = outcome;
  const [inTime, after] = END_LETTERS[state];
  return {
    id,
    is: `${late ? after : inTime}${nonce}${digest}`,
    ...storedAmount(outcome),
    ...(reasonCode === undefined ? {} : { reasonCode }),
    ...(at === undefined || counters === undefined ? {} : { at, counters }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(others === undefined || until === undefined ? {} : { until, others }),
  };
}

function storedAmount({ amount, count }: Pick<Hold, 'amount' | 'count'>) {
  return { a: BigInt(amount), ...(count === 1 ? {} : { n: BigInt(count) }) };
}

/* Where a document has its open holds, and what counts them. `stored.ts` has the fields. */

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

/** Where a document has the names of buckets under a digest. */
function namesAt(list: string): string {
  return `p.${list}.b`;
}

/** The number of open holds that entered those buckets. */
export function entrantsAt(list: string): string {
  return `p.${list}.n`;
}

/** Counts holds that come (1) or go (-1): each once by its kind, and once by the buckets that it entered. */
export function countHeld(
  sums: Record<string, bigint>,
  holds: readonly Hold[],
  by: 1n | -1n,
): void {
  let [last, entrants] = ['', ''];
  for (const { home, places } of holds) {
    addTo(sums, openCountOf(home !== undefined), by);
    const { names, list } = places;
    if (names.length === 0) continue;
    if (list !== last) [last, entrants] = [list, entrantsAt(list)];
    addTo(sums, entrants, by);
  }
}

/** The fields of holds, and the names of the buckets that they entered: those of many are there once. */
export function heldFields(holds: readonly Hold[]): ReadonlyMap<string, Value> {
  const fields = new Map<string, Value>();
  let last = '';
  for (const hold of holds) {
    const { text, list } = hold.places;
    if (text !== last && text !== '') fields.set(namesAt(list), text);
    last = text;
    fields.set(heldAt(hold), storedHold(hold));
  }
  return fields;
}
