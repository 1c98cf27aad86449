import { EMPTY_DOCUMENT_MS } from '../../shared/bounds.ts';
import type { Addition } from './addition.ts';
import { expireAt, storedHold, storedOutcomes } from './entries.ts';
import { nameAt } from './room.ts';
import { isWithin } from './conditions.ts';
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

function madeDocument({ taken, counters, now, ...rest }: Addition): Value {
  const buckets = counters.flatMap((counter) => {
    const entering = taken.filter(({ leftOut }) => !leftOut.includes(counter.key));
    if (entering.length === 0) return [];
    const sum = (field: 'amountMinor' | 'count', all: typeof entering): bigint =>
      all.reduce((total, { order }) => total + BigInt(order[field]), 0n);
    const used = entering.filter(({ order }) => order.capture);
    const amounts = { amount: sum('amountMinor', entering), usedAmount: sum('amountMinor', used) };
    const counts = { count: sum('count', entering), usedCount: sum('count', used) };
    const sums = withoutZero({ ...(counter.sumsAmounts ? amounts : {}), ...counts });
    return [[nameAt(counter, now), sums] as const];
  });
  const held = taken.filter(({ order }) => !order.capture);
  const captured = taken.filter(({ order }) => order.capture);
  return {
    buckets: Object.fromEntries(buckets),
    holds: held.map((one) => storedHold(one, { counters, now })),
    ...(captured.length === 0
      ? {}
      : {
          settled: storedOutcomes(captured, { counters, now }).slice(-rest.outcomesMax),
          remembered: BigInt(captured.length),
        }),
    seen: now,
    expireAt: expireAt({ taken, counters, now }),
  };
}

function withoutZero(sums: Readonly<Record<string, bigint>>): Value {
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));
}
