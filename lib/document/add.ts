import { COUNTER_SUM_MAX, EMPTY_DOCUMENT_MS } from '../shared/bounds.ts';
import type { Addition } from './addition.ts';
import { isChosen, openBefore, rememberedMax, sumOf, valuesAdded } from './addition.ts';
import { endText, valuePath } from './bucket-name.ts';
import {
  IS_FREE,
  allOf,
  areCounted,
  areFree,
  hasBuckets,
  hasDroppedNone,
  hasNotSeen,
  hasPlaces,
  hasTerms,
  haveRoom,
  isLevelAtMost,
  isUnknown,
  isWithin,
  notAbove,
  remembers,
  sumOfSteps,
  withPath,
} from './conditions.ts';
import type { CounterPlan } from './document-plan.ts';
import { fieldsAt, isFixed } from './document-plan.ts';
import { countHeld, heldFields, heldUnder } from './held.ts';
import { LAPSED, REMEMBERED, askProjection } from './projection.ts';
import type { HoldCall } from './statements.ts';
import type { Projection, Update, Value } from './update.ts';
import { Increments, pushing } from './update.ts';
import { valuesThere } from './values.ts';
import { storedOutcome } from './written.ts';

/* The statements that add orders to a document: to one that is there, and to one that is not. */

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
  const { taken, asRead, bucketsMax, stretch, notSeen } = addition;
  const isHome = taken[0]?.order.home === undefined;
  const ids: string[] = [];
  const keys: string[] = [];
  for (const { order, nonce } of taken) {
    const { id, digestOfId, home } = order;
    ids.push(id);
    keys.push(heldUnder({ id, digestOfId, nonce, home }));
  }
  const [key, another] = keys;
  const { room, expressions, sums, fields, outcomes } = enteredBy(addition);
  const filter = {
    _id: documentId,
    ...(isHome ? isUnknown(ids, asRead?.expired) : {}),
    ...hasNotSeen(notSeen),
    ...hasTerms(ask.terms?.version),
    ...hasPlaces(openBefore(taken), !isHome),
    ...remembers(rememberedMax(call)),
    ...(isHome && ask.unread !== undefined ? hasDroppedNone(ask.unread.sharesUntil) : {}),
    ...room,
    ...allOf([
      hasBuckets(bucketsMax),
      ...expressions,
      ...isWithin(serverNow, stretch),
      ...(another === undefined ? [] : [areFree(keys)]),
    ]),
  };
  const isOne = key !== undefined && another === undefined;
  return {
    filter: isOne ? withPath(filter, `h.${key}`, IS_FREE) : filter,
    update: {
      $max: latest(addition),
      ...(Object.keys(fields).length === 0 ? {} : { $set: fields }),
      $inc: sums,
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

/** The document's time, when it may go, and when the last share ends that the commit of an add has dropped. */
function latest({ taken, now, expireAt }: Addition) {
  let dropped: Date | undefined;
  for (const { order } of taken) {
    const { droppedUntil } = order;
    if (droppedUntil !== undefined && (dropped === undefined || droppedUntil > dropped))
      dropped = droppedUntil;
  }
  const times = { seen: now, expireAt };
  return dropped === undefined ? times : { ...times, droppedUntil: dropped };
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
export function make(addition: Addition, serverNow: Date | string): readonly Value[] {
  const isNew = { $eq: [{ $type: '$expireAt' }, 'missing'] };
  const agrees = { $and: isWithin(serverNow, addition.stretch) as readonly Value[] };
  const empty = { expireAt: { $add: [serverNow, EMPTY_DOCUMENT_MS] } };
  const fresh =
    addition.taken.length === 0
      ? empty
      : { $cond: [agrees, { $literal: madeDocument(addition) }, empty] };
  const made = { $mergeObjects: ['$$ROOT', { madeAt: serverNow }, fresh] };
  return [{ $replaceWith: { $cond: [isNew, made, '$$ROOT'] } }];
}

function madeDocument(addition: Addition): Value {
  const { sums, fields, outcomes } = enteredBy(addition);
  const whole: Parts = {};
  for (const [path, value] of Object.entries({ ...fields, ...sums })) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let part = whole;
    for (const name of names) part = (part[name] ??= {}) as Parts; // no path leads through a value
    part[last] = value;
  }
  const ended = outcomes.length === 0 ? {} : { settled: outcomes };
  return { ...whole, ...ended, ...latest(addition) };
}

type Parts = Record<string, Value>;

/** Works out that every counter has room for all that enter it, and what an addition writes. */
function enteredBy({ taken, plan, now, countAfter, asRead, holds, outcomes }: Addition) {
  const room: Record<string, unknown> = {};
  const expressions: unknown[] = [];
  const sums: Record<string, bigint> = {};
  const all = sumOf(taken);
  let isWhole = true;
  for (const { leftOut } of taken) isWhole &&= leftOut.length === 0;
  const areStepped = !isFixed(plan);
  for (const counter of plan.counters) {
    const { key, bucket, sumsAmounts, maxAmountMinor, maxCount, distinct } = counter;
    const isAll = isWhole && counter.isByOutcome !== true;
    const added = isAll ? all : sumOf(taken, key);
    const fields = bucket.kind === 'fixed' ? bucket.fields : fieldsAt(counter, now);
    const lowering = bucket.kind === 'fixed' ? bucket.lowering : undefined;
    const hasLevel = lowering !== undefined && maxAmountMinor < COUNTER_SUM_MAX;
    // A counter that was read, and that an order does not enter, is as it was.
    const known = added.orders < all.orders ? asRead?.shadows.get(key) : undefined;
    // The sum of a level stays exact, and so does the number of orders with some values.
    const amountMax = (hasLevel ? COUNTER_SUM_MAX : maxAmountMinor) - added.asked.amount;
    const countMax = (distinct === undefined ? maxCount : COUNTER_SUM_MAX) - added.asked.count;
    const steps = areStepped ? stepsOf(counter, countAfter) : undefined;
    if (steps !== undefined || known !== undefined) {
      const before = known && {
        a: hasLevel ? undefined : known.usedAmount + known.heldAmount,
        n: distinct === undefined ? known.usedCount + known.heldCount : undefined,
      };
      const requires = (field: 'a' | 'n', path: string, most: number): void => {
        const exactly = before?.[field];
        // A bucket that is not there has no sum.
        if (steps === undefined)
          room[path] = exactly === 0 ? notAbove(0) : (exactly ?? notAbove(most));
        else if (exactly === undefined) expressions.push(sumOfSteps('$lte', steps, field, most));
        else expressions.push(sumOfSteps('$eq', steps, field, exactly));
      };
      if (sumsAmounts) requires('a', fields.amount, amountMax);
      requires('n', fields.count, countMax);
    } else {
      if (sumsAmounts) room[fields.amount] = notAbove(amountMax);
      room[fields.count] = notAbove(countMax);
    }
    if (hasLevel)
      expressions.push(isLevelAtMost(fields, lowering.fields, maxAmountMinor - added.asked.amount));
    if (sumsAmounts && added.amount > 0) sums[fields.amount] = BigInt(added.amount);
    if (sumsAmounts && added.usedAmount > 0) sums[fields.usedAmount] = BigInt(added.usedAmount);
    if (distinct !== undefined) {
      const values = valuesAdded(taken, counter);
      if (known !== undefined) expressions.push(areCounted(fields.name, valuesThere(known.values)));
      else for (const each of values.asked) expressions.push(haveRoom(fields.name, each, maxCount));
      for (const [value, { all: count, used }] of values.sums) {
        if (count > 0) sums[valuePath(fields.name, 'd', value)] = BigInt(count);
        if (used > 0) sums[valuePath(fields.name, 'ud', value)] = BigInt(used);
      }
    }
    if (added.count > 0) sums[fields.count] = BigInt(added.count);
    if (added.usedCount > 0) sums[fields.usedCount] = BigInt(added.usedCount);
  }
  const held = new Increments();
  countHeld(held, holds, 1n);
  Object.assign(sums, held.sums, { q: 1n });
  if (outcomes.length > 0) sums.remembered = BigInt(outcomes.length);
  const stored = outcomes.length === 0 ? [] : outcomes.map(storedOutcome);
  return { room, expressions, sums, fields: heldFields(holds), outcomes: stored };
}

/** The names of a rolling window's buckets that end after an instant; names sort by their ends. */
function stepsOf({ key, bucket }: CounterPlan, after: Date) {
  if (bucket.kind === 'fixed' && bucket.isStep !== true) return undefined;
  return { first: `${key} ${endText(after.getTime() + 1)}`, beyond: `${key}!` };
}
