import {
  COUNTER_SUM_MAX,
  KEPT_BEYOND_MS,
  MEMORY_MS,
  NEVER,
  SLACK_MS,
  UNTIDIED_MAX,
} from '../domain/bounds.ts';
import type { Entry, Hold, Share } from '../domain/document.ts';
import { bucketName } from '../domain/document.ts';
import type { CounterPlan } from '../domain/plan.ts';
import { EXACT_STEP_MS } from '../domain/rule.ts';
import { SERVER_NOW } from '../pipeline/expression.ts';
import type { PlainCounter } from '../pipeline/plain-check.ts';
import type { Value } from '../pipeline/plain-update.ts';
import { plainCheck } from '../pipeline/plain-check.ts';
import { readView } from '../pipeline/stored-document.ts';
import type { HoldAsk, HoldOrder } from './counter-store.ts';
import type { Known } from './known-buckets.ts';
import { memoryFor, rememberedMax, sharesElsewhere } from './statements.ts';
import type { PlainStatement } from './plain-statement.ts';

/** A counter of a plan with the bucket that an instant lies in, and for how long it does. */
type Placed = {
  readonly counter: CounterPlan;
  readonly start: Date;
  readonly until: Date;
  readonly name: string;
};

/**
 * The plain update of a check; undefined where the plain lane has none: an exact rolling window, a
 * rule that says no, a maximum that is asked for whole and more, a boundary of time at hand.
 */
export function plainHold(
  documentId: string,
  ask: HoldAsk,
  outcomesMax: number,
  at?: Date,
  known: Known = new Map(),
): PlainStatement | undefined {
  const now = at ?? ask.estimate;
  const plan = ask.plans.find(({ from, until }) => from <= now && now < until);
  if (plan === undefined || plan.barred || ask.orders.some(({ barred }) => barred))
    return undefined;
  const placed = plan.counters.map((counter) => placedAt(counter, now));
  if (!placed.every((one) => one !== undefined)) return undefined;
  const latest = now.getTime() + SLACK_MS;
  if (ask.orders.some(({ until }) => until !== undefined && until.getTime() <= latest))
    return undefined;
  const asked = sumsOf(ask.orders);
  const counters = placed.map((one) => plainCounter(one, asked, now, known));
  if (
    counters.some(({ roomAmount, roomCount }) => isBelowNone(roomAmount) || isBelowNone(roomCount))
  )
    return undefined;
  const names = placed.map(({ name }) => name);
  const holds = ask.orders.filter(({ capture }) => !capture);
  const data = {
    documentId,
    ids: ask.orders.map(({ id }) => id),
    beside: ask.orders.some(({ home }) => home !== undefined),
    holds: holds.map((order) => storedHold(order, now, names)),
    outcomes: ask.orders.filter(({ capture }) => capture).map(storedOutcome),
    ...asked,
    counters,
    now,
    ...stretchOf(plan, placed),
    rememberedMax: rememberedMax(ask.rememberedBefore, outcomesMax),
    terms: ask.terms?.version,
    expireAt: expireAt(ask.orders, placed, now),
    openHoldsMax: ask.openHoldsMax,
    outcomesMax: memoryFor(ask.orders, Math.max(outcomesMax, ask.remembersAtLeast ?? 0)),
    untidiedMax: UNTIDIED_MAX,
  };
  if (holds.length > ask.openHoldsMax) return undefined;
  return {
    names,
    update: plainCheck(data, at ?? SERVER_NOW),
    read: (found) => ({
      ...readView({ buckets: found.buckets ?? {} }, [], now),
      ...(ask.terms === undefined ? {} : { terms: ask.terms }),
      entries: data.beside ? [] : ask.orders.map((order) => entryOf(order, now, placed)),
      shares: data.beside
        ? holds.map((order): Share => ({ ...holdOf(order, now, placed), state: 'open' }))
        : [],
    }),
  };
}

/** Undefined where only the server can say which bucket it is, or what room it has. */
function placedAt(counter: CounterPlan, now: Date): Placed | undefined {
  const { key, bucket } = counter;
  if (bucket.kind === 'fixed') {
    const { start, until, isStep } = bucket;
    if (isStep === true) return undefined; // its room is that of all steps
    return { counter, start, until, name: bucketName({ counter: key, start, until }) };
  }
  if (bucket.stepMs <= EXACT_STEP_MS) return undefined;
  const startMs = Math.floor(now.getTime() / bucket.stepMs) * bucket.stepMs;
  const [start, until] = [new Date(startMs), new Date(startMs + bucket.keepMs)];
  // Names are compared as texts: instants of another number of digits would not sort.
  if (String(startMs - bucket.keepMs).length !== String(startMs).length) return undefined;
  return { counter, start, until, name: bucketName({ counter: key, start, until }) };
}

function plainCounter(
  { counter, name }: Placed,
  asked: { readonly amount: bigint; readonly count: bigint },
  now: Date,
  known: Known,
): PlainCounter {
  const { key, bucket, maxAmountMinor, maxCount } = counter;
  const there = known.get(name);
  const asksCount =
    maxCount < COUNTER_SUM_MAX || bucket.kind !== 'fixed' || (there?.isLarge ?? true);
  const steps =
    bucket.kind === 'fixed'
      ? {}
      : {
          steps: {
            first: `${key} ${now.getTime() - SLACK_MS - bucket.keepMs}`,
            beyond: `${key}!`,
          },
        };
  return {
    name,
    sumsAmounts: counter.sumsAmounts,
    // Always asked: a few orders of the largest amount are more than any counter may sum.
    ...(counter.sumsAmounts ? { roomAmount: BigInt(maxAmountMinor) - asked.amount } : {}),
    ...(asksCount ? { roomCount: BigInt(maxCount) - asked.count } : {}),
    isThere: there !== undefined,
    ...steps,
  };
}

/** Whether not even an empty bucket has room. */
function isBelowNone(room: bigint | undefined): boolean {
  return room !== undefined && room < 0n;
}

/** Where all buckets stay what they are: the plan, and the steps of rolling windows. */
function stretchOf(
  plan: { readonly from: Date; readonly until: Date },
  placed: readonly Placed[],
): { readonly from: Date; readonly until: Date } {
  let [from, until] = [plan.from.getTime(), plan.until.getTime()];
  for (const { counter, start } of placed) {
    if (counter.bucket.kind === 'fixed') continue;
    from = Math.max(from, start.getTime());
    until = Math.min(until, start.getTime() + counter.bucket.stepMs);
  }
  return { from: new Date(from), until: new Date(until) };
}

function sumsOf(orders: readonly HoldOrder[]): {
  readonly amount: bigint;
  readonly count: bigint;
  readonly heldAmount: bigint;
  readonly heldCount: bigint;
} {
  const sums = { amount: 0n, count: 0n, heldAmount: 0n, heldCount: 0n };
  for (const { amountMinor, count, capture } of orders) {
    sums.amount += BigInt(amountMinor);
    sums.count += BigInt(count);
    sums.heldAmount += capture ? 0n : BigInt(amountMinor);
    sums.heldCount += capture ? 0n : BigInt(count);
  }
  return sums;
}

function untilOf({ until, holdMs }: HoldOrder, now: Date): Date {
  return until ?? new Date(now.getTime() + holdMs);
}

function expireAt(orders: readonly HoldOrder[], placed: readonly Placed[], now: Date): Date {
  const ends = [
    ...orders.map((order) => untilOf(order, now).getTime() + MEMORY_MS),
    ...placed.map(({ until }) => until.getTime() + KEPT_BEYOND_MS),
  ];
  return new Date(Math.min(NEVER.getTime(), Math.max(...ends)));
}

function storedHold(order: HoldOrder, now: Date, names: readonly string[]): Value {
  return {
    ...{ id: order.id, nonce: order.nonce, digest: order.digest },
    ...{ amount: BigInt(order.amountMinor), count: BigInt(order.count) },
    ...sharesElsewhere(order),
    ...{ until: untilOf(order, now), buckets: names },
  };
}

/** A captured order as home remembers it. */
function storedOutcome({ id, nonce, digest, amountMinor, count, until, others }: HoldOrder): Value {
  return {
    ...{ id, is: `c${nonce}${digest}`, amount: BigInt(amountMinor) },
    ...(count === 1 ? {} : { count: BigInt(count) }),
    ...(others === undefined || until === undefined ? {} : { until, others }),
  };
}

function holdOf(order: HoldOrder, now: Date, placed: readonly Placed[]): Hold {
  const { id, nonce, digest, amountMinor, count } = order;
  return {
    ...{ id, nonce, digest, amount: amountMinor, count, leftOut: [] },
    ...sharesElsewhere(order),
    until: untilOf(order, now),
    buckets: placed.map(({ counter, start, until }) => ({ counter: counter.key, start, until })),
  };
}

function entryOf(order: HoldOrder, now: Date, placed: readonly Placed[]): Entry {
  if (!order.capture) return { ...holdOf(order, now, placed), state: 'open' };
  const { id, nonce, digest, amountMinor, count, others } = order;
  return {
    ...{ id, nonce, digest, amount: amountMinor, count, state: 'confirmed', late: false },
    ...(others === undefined ? {} : { others, until: untilOf(order, now) }),
  };
}
