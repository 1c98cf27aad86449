import { EMPTY_DOCUMENT_MS } from '../../shared/bounds.ts';
import type { Addition } from './addition.ts';
import { fieldsAt } from '../plan.ts';
import { isWithin } from './conditions.ts';
import { expireAt, storedHolds, storedOutcomes } from './entries.ts';
import { sumOf } from './room.ts';
import type { Value } from './update.ts';

/**
 * The one update that is a pipeline: it makes a document where there is none, and leaves one that is
 * there byte for byte as it is. (A filter on the server's clock cannot stand beside `upsert`.)
 *
 * 1. A document that is there has `expireAt`, and stays what it is.
 * 2. A new one gets what orders enter, if the server's instant lies where it was worked out;
 * 3. otherwise only the date at which it may go.
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
  return [{ $replaceWith: { $cond: [isNew, { $mergeObjects: ['$$ROOT', fresh] }, '$$ROOT'] } }];
}

function madeDocument({ taken, plan, now, outcomesMax }: Addition): Value {
  const buckets: Record<string, Value> = {};
  for (const counter of plan.counters) {
    const { orders, amount, usedAmount, count, usedCount } = sumOf(taken, counter.key);
    if (orders === 0) continue;
    const amounts = counter.sumsAmounts ? { a: amount, ua: usedAmount } : {};
    const name = fieldsAt(counter, now).name;
    buckets[name] = withoutZero({ ...amounts, n: count, un: usedCount });
  }
  const entering = { taken, plan, now };
  const outcomes = storedOutcomes(entering);
  return {
    b: buckets,
    holds: storedHolds(entering),
    ...(outcomes.length === 0
      ? {}
      : { settled: outcomes.slice(-outcomesMax), remembered: BigInt(outcomes.length) }),
    seen: now,
    expireAt: expireAt(entering),
  };
}

function withoutZero(sums: Readonly<Record<string, number>>): Value {
  const some = Object.entries(sums).filter(([, sum]) => sum !== 0);
  return Object.fromEntries(some.map(([name, sum]) => [name, BigInt(sum)]));
}
