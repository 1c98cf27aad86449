import type { Addition } from './addition.ts';
import { expireAt, isChosen } from './addition.ts';
import { rememberedMax } from './ask-additions.ts';
import {
  allOf,
  hasBuckets,
  hasNotSeen,
  hasPlaces,
  hasPlacesOfKind,
  hasTerms,
  isUnknown,
  isWithin,
  remembers,
} from './conditions.ts';
import { LAPSED, askProjection } from './projection.ts';
import { enteredBy, opensOf } from './room.ts';
import { storedHold, storedOutcome } from './written.ts';
import type { HoldCall } from './statements.ts';
import type { Projection, Update } from './update.ts';
import { pushing } from './update.ts';

/**
 * The update that takes orders into a document. When the document comes back, it is proven that
 *
 * 1. the orders were unknown at home (`isUnknown`); beside it nobody knows them;
 * 2. every counter had room for all that enter it (`enteredBy`), and there were places for their holds
 *    (`hasPlaces`) and for their buckets (`hasBuckets`);
 * 3. the subject has the terms that the plan was made under (`hasTerms`);
 * 4. the server's instant and the document's lay where windows are what was worked out (`isWithin`,
 *    `hasNotSeen`).
 *
 * Whether something lapsed is not asked: what fits beside it fits without it. The answer leaves it out.
 */
export function add(call: HoldCall, addition: Addition): Update {
  const { documentId, ask, serverNow } = call;
  const { taken, asRead, outcomesKept, bucketsMax } = addition;
  const isHome = taken[0]?.order.home === undefined;
  const ids = taken.map(({ order }) => order.id);
  const { openBefore, opens } = opensOf(taken);
  const { room, expressions, sums } = enteredBy(addition);
  const outcomes = addition.outcomes.map(storedOutcome);
  if (outcomes.length > 0) sums.remembered = BigInt(outcomes.length);
  return {
    filter: {
      _id: documentId,
      ...(isHome ? isUnknown(ids, asRead) : {}),
      ...hasNotSeen(addition.notSeen),
      ...hasTerms(ask.terms?.version),
      ...(asRead === undefined ? hasPlaces(openBefore) : {}),
      ...remembers(rememberedMax(call)),
      ...room,
      ...allOf([
        hasBuckets(bucketsMax),
        ...(asRead === undefined || opens === 0 ? [] : [hasPlacesOfKind(openBefore, !isHome)]),
        ...expressions,
        ...isWithin(serverNow, addition.stretch),
      ]),
    },
    update: {
      $max: { seen: addition.now, expireAt: expireAt(addition) },
      ...(Object.keys(sums).length === 0 ? {} : { $inc: sums }),
      ...pushing({
        holds: { items: addition.holds.map(storedHold) },
        settled: { items: outcomes, keeps: outcomesKept },
      }),
      // What expired of an order is over once the order is taken again.
      ...(asRead === undefined || asRead.expired.length === 0
        ? {}
        : { $pull: { expired: { nonce: { $in: asRead.expired } } } }),
    },
    returnDocument: 'after',
    projection: asRead === undefined ? projectionOf(addition) : askProjection(call),
  };
}

function projectionOf({ plan, taken }: Addition): Projection {
  if (isChosen(taken) || plan.fixed === undefined) return { seen: 1, b: 1, ...LAPSED };
  const shown: Record<string, unknown> = { seen: 1, ...LAPSED };
  for (const path of plan.fixed.paths) shown[path] = 1;
  return shown;
}
