import { SLACK_MS } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import type { PlainUpdate, Value } from './plain-update.ts';
import { pushing } from './plain-update.ts';

/** One bucket that all orders of a check enter. */
export type PlainCounter = {
  readonly name: string;
  readonly sumsAmounts: boolean;
  /** The most that may be used and held before, for all orders to fit; where that is to be asked. */
  readonly roomAmount?: bigint;
  readonly roomCount?: bigint;
  /** The document is known to have the bucket, and is held to that: then none is made. */
  readonly isThere: boolean;
  /**
   * Of a rolling window: the names of its buckets from the oldest that counts, so that they are summed;
   * they sort by their start.
   */
  readonly steps?: { readonly first: string; readonly beyond: string };
};

/** The data of a plain check. All orders are new, and all fit, or it matches nothing. */
export type PlainCheckData = {
  readonly documentId: string;
  readonly ids: readonly string[];
  /** Whether the orders are new is home's to say; beside home nobody asks. */
  readonly beside: boolean;
  readonly holds: readonly Value[];
  readonly outcomes: readonly Value[];
  readonly amount: bigint;
  readonly count: bigint;
  readonly heldAmount: bigint;
  readonly heldCount: bigint;
  readonly counters: readonly PlainCounter[];
  /** The estimate, and where the plan begins and ends for which it holds. */
  readonly now: Date;
  readonly from: Date;
  readonly until: Date;
  /** Undefined where home need not be what was read of it. */
  readonly rememberedMax: bigint | undefined;
  /** The version of the terms that the plan was made under; undefined for none. */
  readonly terms: string | undefined;
  readonly expireAt: Date;
  readonly openHoldsMax: number;
  readonly outcomesMax: number;
  readonly untidiedMax: number;
};

/** No value of a field that is there is above a bound; a missing field passes. */
const notAbove = (bound: bigint): unknown => ({ $not: { $gt: bound } });

/** The same where a field must be there: a missing one is not below anything. */
const within = (bound: bigint, isThere: boolean): unknown =>
  isThere ? { $lte: bound } : notAbove(bound);

/** What the buckets of a rolling window sum up to is not above a bound. */
const stepsNotAbove = (
  steps: { readonly first: string; readonly beyond: string },
  field: 'amount' | 'count',
  bound: bigint,
): unknown => ({
  $lte: [
    {
      $sum: {
        $map: {
          input: {
            $filter: {
              input: { $objectToArray: { $ifNull: ['$buckets', {}] } },
              cond: {
                $and: [{ $gte: ['$$this.k', steps.first] }, { $lt: ['$$this.k', steps.beyond] }],
              },
            },
          },
          in: `$$this.v.${field}`,
        },
      },
    },
    bound,
  ],
});

/**
 * The server's clock agrees with the caller's: within the slack of the estimate, and in the plan.
 * Nothing to ask where the instant is the caller's to say, in tests and local mode.
 *
 * Each is said as what must not be: DocumentDB looks for a plain comparison in an index where the
 * collection has one, and does not know `$$NOW` there.
 */
function agrees(serverNow: Expression, now: Date, from: Date, until: Date): readonly unknown[] {
  if (serverNow instanceof Date) return [];
  const [earliest, latest] = [now.getTime() - SLACK_MS, now.getTime() + SLACK_MS];
  return [
    { $not: [{ $lt: [serverNow, new Date(Math.max(earliest, from.getTime()))] }] },
    { $not: [{ $gte: [serverNow, new Date(Math.min(latest, until.getTime()))] }] },
  ];
}

/**
 * The plain update of a check. When the document comes back, it is proven that
 *
 * 1. the orders were new, and every counter had room for all of them;
 * 2. there was room for their holds, and nothing had lapsed;
 * 3. the subject has the terms that the plan was made under, or none;
 * 4. the server's instant, and the document's time, lay within the slack of the estimate and in the plan;
 *
 * and the sums, the holds and the outcomes are written.
 */
export function plainCheck(data: PlainCheckData, serverNow: Expression): PlainUpdate {
  const { now, from, until, counters, holds, outcomes } = data;
  const latest = new Date(now.getTime() + SLACK_MS);
  const made = counters.filter(({ isThere }) => !isThere).length;
  const filter: Record<string, unknown> = {
    _id: data.documentId,
    ...(data.beside ? {} : { 'holds.id': { $nin: data.ids }, 'settled.id': { $nin: data.ids } }),
    'holds.until': { $not: { $lte: latest } },
    ...(made === 0 ? {} : { untidied: { $not: { $gte: data.untidiedMax } } }),
    seen: { $not: { $gte: latest < until ? latest : until } },
    ...(data.terms === undefined ? { terms: null } : { 'terms.version': data.terms }),
  };
  if (holds.length > 0) filter[`holds.${data.openHoldsMax - holds.length}`] = { $exists: false };
  if (data.rememberedMax !== undefined) filter.remembered = notAbove(data.rememberedMax);
  const conditions = [...agrees(serverNow, now, from, until)];
  const $inc: Record<string, bigint | number> = made === 0 ? {} : { untidied: made };
  const projection: Record<string, 0 | 1> = { _id: 1, seen: 1 };
  for (const { name, sumsAmounts, roomAmount, roomCount, isThere, steps } of counters) {
    const bucket = `buckets.${name}`;
    const asksSums = steps === undefined && (roomAmount ?? roomCount) !== undefined;
    if (isThere && !asksSums) filter[`${bucket}.count`] = { $exists: true };
    if (steps !== undefined) {
      if (roomAmount !== undefined) conditions.push(stepsNotAbove(steps, 'amount', roomAmount));
      if (roomCount !== undefined) conditions.push(stepsNotAbove(steps, 'count', roomCount));
    } else {
      if (roomAmount !== undefined) filter[`${bucket}.amount`] = within(roomAmount, isThere);
      if (roomCount !== undefined) filter[`${bucket}.count`] = within(roomCount, isThere);
    }
    if (sumsAmounts) {
      $inc[`${bucket}.amount`] = data.amount;
      $inc[`${bucket}.heldAmount`] = data.heldAmount;
    }
    $inc[`${bucket}.count`] = data.count;
    $inc[`${bucket}.heldCount`] = data.heldCount;
    if (steps === undefined) projection[bucket] = 1;
    else projection.buckets = 1;
  }
  if (conditions.length > 0) filter.$expr = { $and: conditions };
  if (outcomes.length > 0) $inc.remembered = BigInt(outcomes.length);
  return {
    filter,
    update: {
      $inc,
      ...pushing({ holds, outcomes, outcomesMax: data.outcomesMax }),
      $max: { seen: now, expireAt: data.expireAt },
    },
    returnDocument: 'after',
    projection: withoutPartsOfBuckets(projection),
  };
}

/** A projection names a whole or parts of it, never both. */
function withoutPartsOfBuckets(projection: Record<string, 0 | 1>): Record<string, 0 | 1> {
  if (projection.buckets === undefined) return projection;
  return { _id: 1, seen: 1, buckets: 1 };
}
