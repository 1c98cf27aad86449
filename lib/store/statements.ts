import type { CounterPlan } from '../domain/plan.ts';
import { endOf } from '../domain/terms.ts';
import { bucketName } from '../domain/document.ts';
import type { CheckData, CounterData, OrderData } from '../pipeline/check-data.ts';
import { checkPipeline } from '../pipeline/check-pipeline.ts';
import type { Expression, PipelineStage } from '../pipeline/expression.ts';
import { SERVER_NOW } from '../pipeline/expression.ts';
import { settlePipeline } from '../pipeline/settle-pipeline.ts';
import { storedTerms } from '../pipeline/stored-terms.ts';
import { termsPipeline } from '../pipeline/terms-pipeline.ts';
import { viewProjection } from '../pipeline/view-projection.ts';
import type {
  HoldAsk,
  HoldOrder,
  HomeSettleAsk,
  ShareSettleAsk,
  TermsChange,
} from './counter-store.ts';

/** The fields that come back, with the expressions of those that are worked out. */
export type Projection = Readonly<Record<string, Expression>>;

/** One `findOneAndUpdate` by `_id` with a pipeline: the general lane. */
export type PipelineUpdate = {
  readonly pipeline: readonly PipelineStage[];
  readonly upsert: boolean;
  readonly returnDocument: 'before' | 'after';
  readonly projection: Projection;
};

/** The general update of a check. The answer is in the document after it. */
export function holdUpdate(ask: HoldAsk, outcomesMax: number, at?: Date): PipelineUpdate {
  const now = at ?? SERVER_NOW;
  const keys = ask.plans.flatMap((plan) => plan.counters.map(({ key }) => key));
  const ids = ask.orders.map(({ id }) => id);
  return {
    pipeline: checkPipeline(checkData(ask, outcomesMax), now),
    upsert: true,
    returnDocument: 'after',
    projection: viewProjection({ ids, nonces: [], counters: [...new Set(keys)], room: true }, now),
  };
}

/** The general update of settlements at home. The answers are in the document before it. */
export function settleUpdate(
  asks: readonly HomeSettleAsk[],
  outcomesMax: number,
  at?: Date,
): PipelineUpdate {
  const now = at ?? SERVER_NOW;
  const data = {
    ...settleData(asks),
    anyCall: asks.filter(({ nonce }) => nonce === undefined).map(({ id }) => id),
    nonces: asks.flatMap(({ nonce }) => nonce ?? []),
    ...{ beside: false, drops: false, outcomesMax: memoryFor(asks, outcomesMax) },
  };
  const entered = data.confirmed.length > 0 ? 'all' : [];
  return {
    pipeline: settlePipeline(data, now),
    upsert: false,
    returnDocument: 'before',
    projection: viewProjection({ ids: data.ids, nonces: [], counters: entered, room: false }, now),
  };
}

/** The general update of settlements of shares beside home. The answers are in the document before it. */
export function settleSharesUpdate(
  asks: readonly ShareSettleAsk[],
  outcomesMax: number,
  at?: Date,
): PipelineUpdate {
  const now = at ?? SERVER_NOW;
  const nonces = asks.map(({ nonce }) => nonce);
  const drops = asks.some(({ to }) => to === 'dropped');
  const most = memoryFor(asks, outcomesMax);
  const data = {
    ...settleData(asks),
    ...{ anyCall: [], nonces, beside: true, drops, outcomesMax: most },
  };
  const entered = data.confirmed.length > 0 ? 'all' : [];
  return {
    pipeline: settlePipeline(data, now),
    upsert: false,
    returnDocument: 'before',
    projection: viewProjection({ ids: data.ids, nonces, counters: entered, room: false }, now),
  };
}

/** The update of a subject's terms. Whether they changed is in the document before it, which may be none. */
export function termsUpdate({ expected, terms }: TermsChange, at?: Date): PipelineUpdate {
  const now = at ?? SERVER_NOW;
  const data = {
    expected: expected ?? null,
    terms: terms === undefined ? null : storedTerms(terms),
    until: terms === undefined ? null : (endOf(terms) ?? null),
  };
  return {
    pipeline: termsPipeline(data, now),
    upsert: true,
    returnDocument: 'before',
    projection: viewProjection({ ids: [], nonces: [], counters: [], room: false }, now),
  };
}

/** What a look at documents shows of orders and counters. */
export function lookProjection(
  ids: readonly string[],
  counters: readonly string[],
  at?: Date,
): Projection {
  return viewProjection({ ids, nonces: [], counters, room: true }, at ?? SERVER_NOW);
}

function settleData(asks: readonly (HomeSettleAsk | ShareSettleAsk)[]) {
  return {
    ids: asks.map(({ id }) => id),
    confirmed: asks.filter(({ to }) => to === 'confirmed').map(({ id }) => id),
    finals: asks.flatMap(({ id, amountMinor }) =>
      amountMinor === undefined ? [] : [{ id, amount: BigInt(amountMinor) }],
    ),
  };
}

function checkData(ask: HoldAsk, outcomesMax: number): CheckData {
  const { orders, rememberedBefore, openHoldsMax, plans } = ask;
  const sum = (numbers: readonly number[]): bigint =>
    numbers.reduce((total, one) => total + BigInt(one), 0n);
  const ends = orders.flatMap(({ until }) => until?.getTime() ?? []);
  return {
    orders: orders.map(orderData),
    ids: orders.map(({ id }) => id),
    noneBarred: orders.every(({ barred }) => !barred),
    amount: sum(orders.map(({ amountMinor }) => amountMinor)),
    count: sum(orders.map(({ count }) => count)),
    opens: orders.filter(({ capture }) => !capture).length,
    endsFirst: ends.length === 0 ? null : new Date(Math.min(...ends)),
    beside: orders.some(({ home }) => home !== undefined),
    rememberedMax: rememberedMax(rememberedBefore, outcomesMax) ?? null,
    terms: ask.terms?.version ?? null,
    openHoldsMax,
    outcomesMax: memoryFor(orders, Math.max(outcomesMax, ask.remembersAtLeast ?? 0)),
    plans: plans.map(({ from, until, barred, counters }) => ({
      from,
      until,
      open: !barred,
      counters: counters.map(counterData),
    })),
  };
}

/** How much is remembered after an update: all its own orders at least, for their call may be repeated. */
export function memoryFor(orders: readonly unknown[], outcomesMax: number): number {
  return Math.max(outcomesMax, orders.length);
}

/** With more outcomes than that home may have forgotten one since it was read. */
export function rememberedMax(before: number | undefined, outcomesMax: number): bigint | undefined {
  return before === undefined ? undefined : BigInt(before + outcomesMax - 1);
}

function orderData(order: HoldOrder): OrderData {
  const { id, nonce, digest, amountMinor, count, until, holdMs, capture, barred } = order;
  const asked = { amount: BigInt(amountMinor), count: BigInt(count) };
  return {
    own: { id, nonce, digest, ...asked, ...sharesElsewhere(order) },
    ...asked,
    until: until ?? null,
    holdMs: BigInt(holdMs),
    capture,
    barred,
  };
}

/** Where else the order has shares, as it is stored: not at all where it has none. */
export function sharesElsewhere({ others, home }: Pick<HoldOrder, 'others' | 'home'>): {
  readonly others?: readonly string[];
  readonly home?: string;
} {
  return { ...(others === undefined ? {} : { others }), ...(home === undefined ? {} : { home }) };
}

function counterData(plan: CounterPlan): CounterData {
  const { key: counter, bucket, sumsAmounts, shadow } = plan;
  const limits = {
    counter,
    sumsAmounts,
    maxAmount: BigInt(plan.maxAmountMinor),
    maxCount: BigInt(plan.maxCount),
    shadow,
  };
  return bucket.kind === 'fixed'
    ? {
        ...limits,
        name: bucketName({ counter, start: bucket.start, until: bucket.until }),
        until: bucket.until,
        stepMs: 1n,
        keepMs: 0n,
      }
    : {
        ...limits,
        name: null,
        until: null,
        stepMs: BigInt(bucket.stepMs),
        keepMs: BigInt(bucket.keepMs),
      };
}
