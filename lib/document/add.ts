import { isFixed } from './document-plan.ts';
import type { Addition, Taken } from './addition.ts';
import { droppedBy, expireAt, isChosen } from './addition.ts';
import { rememberedMax } from './ask-additions.ts';
import {
  IS_FREE,
  allOf,
  areFree,
  hasBuckets,
  hasDroppedNone,
  hasNotSeen,
  hasPlaces,
  hasTerms,
  isUnknown,
  isWithin,
  remembers,
  withPath,
} from './conditions.ts';
import { heldUnder } from './held.ts';
import { LAPSED, REMEMBERED, askProjection } from './projection.ts';
import { enteredBy, openBefore } from './room.ts';
import type { HoldCall } from './statements.ts';
import type { Projection, Update } from './update.ts';
import { pushing } from './update.ts';

/**
 * The update that takes orders into a document. When the document comes back, it is proven that
 *
 * 1. the orders were unknown at home (`IS_FREE`, `isUnknown`); beside it the attempt had no share yet (`IS_FREE`);
 * 2. every counter had room for all that enter it (`enteredBy`), and there were places for their holds
 *    (`hasPlaces`) and for their buckets (`hasBuckets`);
 * 3. the subject has the terms that the plan was made under (`hasTerms`);
 * 4. the server's instant and the document's lay where windows are what was worked out (`isWithin`,
 *    `hasNotSeen`);
 * 5. no share of the orders that home takes was dropped since it was held (`remembers`, or `hasDroppedNone`).
 *
 * Whether something lapsed is not asked: what fits beside it fits without it. The answer leaves it out.
 */
export function add(call: HoldCall, addition: Addition): Update {
  const { documentId, ask, serverNow } = call;
  const { taken, asRead, bucketsMax } = addition;
  const isHome = taken[0]?.order.home === undefined;
  const ids = taken.map(({ order }) => order.id);
  const keys = taken.map(keyOf);
  const [key, another] = keys;
  const { room, expressions, sums, fields, outcomes } = enteredBy(addition);
  const filter = {
    _id: documentId,
    ...(isHome ? isUnknown(ids, asRead?.expired) : {}),
    ...hasNotSeen(addition.notSeen),
    ...hasTerms(ask.terms?.version),
    ...hasPlaces(openBefore(taken), !isHome),
    ...remembers(rememberedMax(call)),
    ...(isHome && ask.unread !== undefined ? hasDroppedNone(ask.unread.sharesUntil) : {}),
    ...room,
    ...allOf([
      hasBuckets(bucketsMax),
      ...expressions,
      ...isWithin(serverNow, addition.stretch),
      ...(another === undefined ? [] : [areFree(keys)]),
    ]),
  };
  const isOne = key !== undefined && another === undefined;
  return {
    filter: isOne ? withPath(filter, `h.${key}`, IS_FREE) : filter,
    update: {
      $max: { seen: addition.now, expireAt: expireAt(addition), ...droppedBy(taken) },
      ...(Object.keys(fields).length === 0 ? {} : { $set: fields }),
      ...sums.update(),
      ...pushing({ settled: { items: outcomes } }),
      // What expired of an order is over once the order is taken again.
      ...(asRead === undefined || asRead.expired.length === 0
        ? {}
        : { $pull: { expired: { nonce: { $in: asRead.expired } } } }),
    },
    returns: {
      document: 'after',
      projection: asRead === undefined ? projectionOf(addition) : askProjection(call),
    },
  };
}

function keyOf({ order: { id, digestOfId, home }, nonce }: Taken): string {
  return heldUnder({ id, digestOfId, nonce, home });
}

function projectionOf({ plan, taken }: Addition): Projection {
  const shown: Record<string, unknown> = { seen: 1, q: 1, ...LAPSED };
  // A document beside home may be crowded.
  if (taken[0]?.order.home !== undefined) shown.shares = 1;
  if (isChosen(taken)) return { b: 1, ...shown, ...REMEMBERED };
  if (!isFixed(plan)) return { b: 1, ...shown };
  for (const { bucket } of plan.counters) {
    if (bucket.kind !== 'fixed') continue;
    shown[bucket.fields.path] = 1;
    if (bucket.lowering !== undefined) shown[bucket.lowering.fields.path] = 1;
  }
  return shown;
}
