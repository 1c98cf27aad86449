import { CLOSED_MAX } from '../../shared/bounds.ts';
import type { HoldOrder } from '../counter-store.ts';
import type { Addition } from './addition.ts';
import {
  allOf,
  hasBuckets,
  hasNotSeen,
  hasPlaces,
  hasPlacesOfKind,
  hasTerms,
  isNotClosed,
  isUnknown,
  isUnused,
  isWithin,
  remembers,
  remembersNone,
} from './conditions.ts';
import { expireAt, storedHold, storedOutcomes } from './entries.ts';
import { LAPSED } from './projection.ts';
import { hasRoom, nameAt, stepsOf, sumsAdded } from './room.ts';
import { rewritten } from './stored.ts';
import type { Projection, Update } from './update.ts';
import { pushing } from './update.ts';

/**
 * The update that takes orders into a document. When the document comes back, it is proven that
 *
 * 1. the orders were unknown at home (`isUnknown`), and no share has their nonces beside it (`isUnused`);
 * 2. every counter had room for all that enter it (`hasRoom`), and there were places for their holds
 *    (`hasPlaces`) and for their buckets (`hasBuckets`);
 * 3. the subject has the terms that the plan was made under (`hasTerms`);
 * 4. the server's instant and the document's lay where windows are what was worked out (`clocksAgree`);
 *
 * and the sums, the holds and the outcomes are written. Whether something lapsed is not asked: what fits
 * beside it fits without it. It comes back, so that the answer can leave it out.
 */
export function add(addition: Addition, serverNow: Date | string): Update {
  const { documentId, taken, asRead, outcomesMax, bucketsMax } = addition;
  const ids = taken.map(({ order }) => order.id);
  const isHome = taken.every(({ order }) => order.home === undefined);
  const held = taken.filter(({ order }) => !order.capture);
  const captured = taken.filter(({ order }) => order.capture);
  const openMax = Math.min(...taken.map(({ order }) => order.openMax));
  const room = hasRoom(addition);
  const places =
    asRead === undefined || held.length === 0
      ? []
      : [hasPlacesOfKind(openMax, held.length, !isHome)];
  const sums = sumsAdded(addition);
  const recalled = asRead?.recalled.outcomes ?? [];
  const outcomes = [...recalled.map(rewritten), ...storedOutcomes(captured, addition)];
  if (captured.length > 0) sums.add('remembered', BigInt(outcomes.length));
  return {
    filter: {
      _id: documentId,
      ...(isHome ? isUnknown(ids, asRead) : isUnused(taken.map(({ nonce }) => nonce))),
      ...(asRead === undefined && captured.length > 0 ? remembersNone(addition.alsoAsked) : {}),
      ...hasNotSeen(addition.notSeen),
      ...hasTerms(addition.terms),
      ...(asRead === undefined ? hasPlaces(openMax, held.length) : {}),
      ...remembers(addition.rememberedMax),
      ...isNotClosed(addition.open),
      ...room.fields,
      ...allOf([
        hasBuckets(bucketsMax),
        ...places,
        ...room.expressions,
        ...isWithin(serverNow, addition.stretch),
      ]),
    },
    update: {
      ...sums.update(),
      ...pushing({
        holds: { items: held.map((one) => storedHold(one, addition)) },
        settled: { items: outcomes, keeps: asRead?.recalled.keeps ?? outcomesMax },
      }),
      // What expired of an order is over once the order is taken again.
      ...(asRead === undefined || asRead.expired.length === 0
        ? {}
        : { $pull: { expired: { nonce: { $in: asRead.expired } } } }),
      $max: { seen: addition.now, expireAt: expireAt(addition) },
    },
    returnDocument: 'after',
    projection: projectionOf(addition),
  };
}

/**
 * The update that closes the nonce of an add which matched nothing: its first copy may still be on its way,
 * and must add nothing once its caller has gone on. It asks nothing of the document: what is known of the
 * orders there, a hold that expired or one of many orders, may let the copy pass.
 *
 * Example: an order of a user and a merchant misses at the user, the merchant's share is given back, and
 * then the copy arrives: the user would hold an order that the merchant does not count.
 */
export function close(
  documentId: string,
  orders: readonly HoldOrder[],
  projection: Projection,
): Update {
  const [first] = orders;
  return {
    filter: { _id: documentId },
    update: {
      ...pushing({
        closed: { items: first === undefined ? [] : [first.nonce], keeps: CLOSED_MAX },
      }),
      $inc: { closings: 1n },
    },
    returnDocument: 'after',
    projection,
  };
}

/** The sums that are told, what lapsed, and the document's instant. */
function projectionOf({ counters, now, countAfter, showsAll }: Addition): Projection {
  const isRolling = counters.some((counter) => stepsOf(counter, countAfter) !== undefined);
  if (showsAll || isRolling) return { seen: 1, buckets: 1, ...LAPSED };
  const buckets = counters.map((counter) => [`buckets.${nameAt(counter, now)}`, 1] as const);
  return { seen: 1, ...Object.fromEntries(buckets), ...LAPSED };
}
