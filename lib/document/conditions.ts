import { notAbove } from '../counter/plain.ts';
import type { Hold } from './document.ts';
import type { Filter } from './update.ts';
import { openCountOf, openOfApp, storedHold } from './written.ts';

/** The conditions of conditional updates, each under the sentence that it proves when it matches. */

/** The document is one of these. */
export function hasId(documentIds: readonly string[]) {
  const [only] = documentIds;
  return {
    _id: documentIds.length === 1 && only !== undefined ? only : { $in: [...documentIds] },
  };
}

/** Nothing is held in this field: at home by its order, beside home by its attempt. */
export const IS_FREE: Filter = { $exists: false };

/** Nothing is held under these keys. The fields are looked at once, and not once for each key. */
export function areFree(keys: readonly string[]): unknown {
  return { $eq: [{ $setIntersection: [ofHolds('k'), { $literal: keys }] }, []] };
}

/**
 * These holds are there as they were written: what a forged reservation says of one matches nothing. The fields are
 * looked at once, and not once for each hold.
 */
export function areHeld(holds: readonly Hold[]): unknown {
  return { $setIsSubset: [{ $literal: holds.map(storedHold) }, ofHolds('v')] };
}

/** The keys of the open holds, or the holds. */
function ofHolds(part: 'k' | 'v'): unknown {
  return { $let: { vars: { h: { $objectToArray: { $ifNull: ['$h', {}] } } }, in: `$$h.${part}` } };
}

/**
 * Home remembers none of these orders.
 *
 * @param expired nonces of holds that were read: who asks the same again is not kept out by them
 */
export function isUnknown(ids: readonly string[], expired: readonly string[] = []): Filter {
  const [only] = ids;
  const none = ids.length === 1 ? { $ne: only } : { $nin: ids };
  const among = ids.length === 1 ? only : { $in: ids };
  return {
    'settled.id': none,
    ...(expired.length === 0
      ? { 'expired.id': none }
      : { expired: { $not: { $elemMatch: { id: among, nonce: { $nin: expired } } } } }),
  };
}

/** No more holds than this are open of one kind: of orders whose home this is, or of others. */
export function hasPlaces(openBefore: number, isBeside: boolean): Filter {
  return openBefore === Infinity ? {} : { [openCountOf(isBeside)]: notAbove(openBefore) };
}

/**
 * No more holds than this are open of one kind and one application: of all of them are no more, or of those that are
 * its own. The second is asked only where the first is not true.
 *
 * @param id of one of its orders
 */
export function hasPlacesOfApp(openBefore: number, id: string, isBeside: boolean) {
  if (openBefore === Infinity) return [];
  const all = { $not: [{ $gt: [`$${openCountOf(isBeside)}`, openBefore] }] };
  return [{ $or: [all, { $lte: [openOfApp(id, isBeside), openBefore] }] }];
}

/** No more open holds than this entered one of these buckets. */
export function isEnteredBy(most: number, buckets: readonly string[]): unknown {
  const common = { $setIntersection: [{ $split: ['$$this.v.b', ','] }, { $literal: buckets }] };
  const entries = { $objectToArray: { $ifNull: ['$p', {}] } };
  const those = { $filter: { input: entries, cond: { $ne: [common, []] } } };
  return { $lte: [{ $sum: { $map: { input: those, in: '$$this.v.n' } } }, most] };
}

/** The subject has the terms that the plan was made under, or none. */
export function hasTerms(version: string | undefined): Filter {
  return version === undefined ? { terms: null } : { 'terms.version': version };
}

/** Home may have forgotten nothing since it had so many outcomes that one more would make it forget. */
export function remembers(most: number): Filter {
  return most === Infinity ? {} : { remembered: notAbove(most) };
}

/** No commit has dropped a share of an order of this home that ends at this instant or later. */
export function hasDroppedNone(sharesUntil: Date): Filter {
  return { droppedUntil: { $not: { $gte: sharesUntil } } };
}

/** There are no more buckets than this, whether anything is in them or not. */
export function hasBuckets(most: number): unknown {
  return { $lte: [{ $size: { $objectToArray: { $ifNull: ['$b', {}] } } }, most] };
}

/** The document has seen no instant from this one on. */
export function hasNotSeen(instant: Date): Filter {
  return { seen: { $not: { $gte: instant } } };
}

/** A document that has seen more than a clock that was set back bridges may have seen that still. */
export function notSeenFrom(seen: Date | undefined, now: Date, last: Date): Date {
  return seen === undefined || seen.getTime() <= now.getTime()
    ? last
    : new Date(seen.getTime() + 1);
}

/** The server's instant lies in `[from, until)`. */
export function clockIsWithin(serverNow: Date | string, from: Date, until: Date) {
  if (serverNow instanceof Date) return [];
  return [{ $not: [{ $lt: [serverNow, from] }] }, ...clockIsBefore(serverNow, until)];
}

/**
 * The server's instant is before another one; nothing where a `Date` stands in its place, in tests and in
 * local mode. It says what must not be: DocumentDB looks for a plain comparison in an index where the
 * collection has one, and does not know `$$NOW` there.
 */
export function clockIsBefore(serverNow: Date | string, until: Date): readonly unknown[] {
  return serverNow instanceof Date ? [] : [{ $not: [{ $gte: [serverNow, until] }] }];
}

/** All of some expressions are true. */
export function allOf(expressions: readonly unknown[]): Filter {
  const [only] = expressions;
  if (only === undefined) return {};
  return { $expr: expressions.length === 1 ? only : { $and: expressions } };
}
