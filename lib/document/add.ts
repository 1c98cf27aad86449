import { EMPTY_DOCUMENT_MS } from '../shared/bounds.ts';
import type { Addition } from './addition.ts';
import { isChosen, openBefore, openOfAppBefore, rememberedMax } from './addition.ts';
import { sumOf } from '../counter/entry.ts';
import {
  IS_FREE,
  allOf,
  areFree,
  hasBuckets,
  hasDroppedNone,
  hasNotSeen,
  hasPlaces,
  hasPlacesOfApp,
  hasTerms,
  isUnknown,
  clockIsWithin,
  remembers,
} from './conditions.ts';
import { isFixed } from './document-plan.ts';
import type { Room } from '../counter/kind.ts';
import { fieldsAt } from '../counter/bucket.ts';
import { LAPSED, REMEMBERED, askProjection } from './projection.ts';
import type { Ask } from './counter-store.ts';
import type { Adding } from './statements.ts';
import type { Fields, Projection, Update, Value } from './update.ts';
import { SERVER_NOW, ownPaths, pushing } from './update.ts';
import { countHeld, heldFields, heldUnder, storedOutcome } from './written.ts';

/* The statements that add orders to a document: to one that is there, and to one that is not. */

/**
 * The update that takes orders into a document. When the document comes back, it is proven that
 *
 * 1. the orders were unknown at home (`IS_FREE`, `isUnknown`); beside it the attempt had no share yet (`IS_FREE`);
 * 2. every counter had room for all that enter it (`enteredBy`), and there were places for their holds
 *    (`hasPlaces`, `hasPlacesOfApp`) and for their buckets (`hasBuckets`);
 * 3. the subject has the terms that the plan was made under (`hasTerms`);
 * 4. the server's instant and the document's lay where windows are what was worked out (`clockIsWithin`,
 *    `hasNotSeen`);
 * 5. no share of the orders that home takes was dropped since it was held (`remembers`, or `hasDroppedNone`).
 *
 * Whether something lapsed is not asked: what fits beside it fits without it. The answer leaves it out.
 *
 * @returns undefined where no document has such room: the orders exceed a maximum by themselves
 */
export function add(store: Adding, ask: Ask, addition: Addition): Update | undefined {
  const { taken, holds, asRead, bucketsMax, from, until, notSeen, countAfter } = addition;
  const isHome = ask.place === 'home';
  const ids: string[] = [];
  const keys: string[] = [];
  for (const order of taken) {
    ids.push(order.id);
    keys.push(heldUnder(order));
  }
  const [key, another] = keys;
  const filter = ownPaths<unknown>();
  filter._id = ask.document;
  if (isHome) Object.assign(filter, isUnknown(ids, asRead?.expired));
  Object.assign(filter, hasNotSeen(notSeen), hasTerms(ask.terms?.version));
  Object.assign(
    filter,
    hasPlaces(openBefore(taken), !isHome),
    remembers(rememberedMax(store, ask)),
  );
  if (isHome && ask.unreadUntil !== undefined)
    Object.assign(filter, hasDroppedNone(ask.unreadUntil));
  const expressions: unknown[] = [hasBuckets(bucketsMax)];
  const entered = enteredBy(addition, { paths: filter, expressions, countAfter });
  if (entered === undefined) return undefined;
  expressions.push(
    ...clockIsWithin(ask.at ?? SERVER_NOW, from, until),
    ...hasPlacesOfApp(openOfAppBefore(taken), ids[0] ?? '', !isHome),
  );
  if (another !== undefined) expressions.push(areFree(keys));
  Object.assign(filter, allOf(expressions));
  if (key !== undefined && another === undefined) filter[`h.${key}`] = IS_FREE;
  const { raised, fields, outcomes } = entered;
  const update: Record<string, Fields> = { $max: latestAdded(addition) };
  if (holds.length > 0) update.$set = fields;
  update.$inc = raised;
  if (outcomes.length > 0) Object.assign(update, pushing({ settled: { items: outcomes } }));
  // An earlier hold of the order that expired goes once the order is taken again.
  if (asRead !== undefined && asRead.expired.length > 0)
    update.$pull = { expired: { nonce: { $in: asRead.expired } } };
  return {
    filter,
    update,
    returns: {
      document: 'after',
      projection: asRead === undefined ? projectionOf(ask, addition) : askProjection(ask),
    },
  };
}

/** The document's time, when it may go, and when the last share ends that the commit of an add has dropped. */
function latestAdded({ taken, now, expireAt }: Addition) {
  let dropped: Date | undefined;
  for (const { droppedUntil } of taken)
    if (droppedUntil !== undefined && (dropped === undefined || droppedUntil > dropped))
      dropped = droppedUntil;
  const times = { seen: now, expireAt };
  return dropped === undefined ? times : { ...times, droppedUntil: dropped };
}

function projectionOf({ rememberedBefore }: Ask, { plan, taken, outcomes }: Addition): Projection {
  const shown: Record<string, unknown> = { seen: 1, q: 1, h: LAPSED.h, p: LAPSED.p };
  if (rememberedBefore !== undefined && outcomes.length > 0) shown.remembered = 1;
  // A document beside home may be crowded.
  if (taken[0]?.home !== undefined) shown.shares = 1;
  if (isChosen(taken)) return { b: 1, ...shown, ...REMEMBERED };
  if (!isFixed(plan)) return { b: 1, ...shown };
  for (const { bucket } of plan.counters) {
    if (bucket.kind !== 'fixed') continue;
    shown[bucket.fields.path] = 1;
    if (bucket.beside !== undefined) shown[bucket.beside.fields.path] = 1;
  }
  return shown;
}

/**
 * The one update that is a pipeline: it makes a document where there is none, and leaves one that is
 * there byte for byte as it is. (A filter on the server's clock cannot stand beside `upsert`.)
 *
 * 1. A document that is there has `expireAt`, and stays what it is.
 * 2. A new one gets what orders enter, if the server's instant lies where it was worked out;
 * 3. otherwise only when it was made, and the date at which it may go.
 *
 * @param addition orders that an empty document has room for; none where it has room for none
 */
export function make({ at }: Ask, addition: Addition): readonly Value[] {
  const serverNow = at ?? SERVER_NOW;
  const isNew = { $eq: [{ $type: '$expireAt' }, 'missing'] };
  const agrees = {
    $and: clockIsWithin(serverNow, addition.from, addition.until) as readonly Value[],
  };
  const empty = { expireAt: { $add: [serverNow, EMPTY_DOCUMENT_MS] } };
  const fresh =
    addition.taken.length === 0
      ? empty
      : { $cond: [agrees, { $literal: madeDocument(addition) }, empty] };
  const made = { $mergeObjects: ['$$ROOT', { madeAt: serverNow }, fresh] };
  return [{ $replaceWith: { $cond: [isNew, made, '$$ROOT'] } }];
}

function madeDocument(addition: Addition): Value {
  const room: Room = { paths: {}, expressions: [], countAfter: addition.countAfter };
  const entered = enteredBy(addition, room);
  if (entered === undefined) throw new TypeError('a document is made for what has room');
  const { raised, fields, outcomes } = entered;
  const whole: Parts = {};
  for (const [path, value] of [...fields, ...Object.entries(raised)]) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let part = whole;
    for (const name of names) part = (part[name] ??= {}) as Parts; // no path leads through a value
    part[last] = value;
  }
  const ended = outcomes.length === 0 ? {} : { settled: outcomes };
  return { ...whole, ...ended, ...latestAdded(addition) };
}

type Parts = Record<string, Value>;

/** States that every counter has room for all that enter it, and works out what an addition writes. */
function enteredBy({ taken, plan, holds, outcomes, now, asRead }: Addition, room: Room) {
  const raised: Record<string, bigint> = {};
  const all = sumOf(taken);
  let isWhole = true;
  for (const { leftOut } of taken) isWhole &&= leftOut === undefined;
  for (const counter of plan.counters) {
    const { key, kind, bucket } = counter;
    const sums = isWhole && !counter.isByOutcome ? all : sumOf(taken, key);
    const entry = kind.entry === undefined ? sums : kind.entry(counter, taken, sums);
    const fields = bucket.kind === 'fixed' ? bucket.fields : fieldsAt(counter, now);
    // A counter that was read, and that an order does not enter, is as it was.
    const known = entry.orders < all.orders ? asRead?.shadows.get(key) : undefined;
    if (!kind.room(room, counter, entry, fields, known)) return undefined;
    kind.raise(raised, counter, entry, fields);
  }
  countHeld(raised, holds, 1n);
  raised.q = 1n;
  if (outcomes.length > 0) raised.remembered = BigInt(outcomes.length);
  const stored = outcomes.length === 0 ? [] : outcomes.map(storedOutcome);
  return { raised, fields: heldFields(holds), outcomes: stored };
}
