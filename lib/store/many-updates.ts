import type { CounterPlan } from '../domain/plan.ts';
import type { CheckManyData, ManyCounterData } from '../pipeline/check-many-data.ts';
import { checkManyPipeline } from '../pipeline/check-many-pipeline.ts';
import { SERVER_NOW } from '../pipeline/expression.ts';
import { viewProjection } from '../pipeline/view-projection.ts';
import { completeManyPipeline } from '../pipeline/complete-many-pipeline.ts';
import { settleManyPipeline } from '../pipeline/settle-many-pipeline.ts';
import type { HoldManyAsk, HoldName, SettleAsk } from './counter-store.ts';
import type { Update } from './counter-updates.ts';
import { sharesElsewhere } from './counter-updates.ts';

/** The update of a check of many orders. The answers are in the document after it. */
export function holdManyUpdate(ask: HoldManyAsk, at?: Date): Update {
  const now = at ?? SERVER_NOW;
  const data = checkManyData(ask);
  const keys = ask.plans.flatMap((plan) => plan.counters.map(({ key }) => key));
  return {
    pipeline: checkManyPipeline(data, now),
    upsert: true,
    returnDocument: 'after',
    projection: viewProjection(
      { ids: data.ids, counters: [...new Set(keys)], countsLive: true },
      now,
    ),
  };
}

/** The update of many settlements. The answers are in the document before it. */
export function settleManyUpdate(
  asks: readonly Omit<SettleAsk, 'remembers'>[],
  remembers: boolean,
  at?: Date,
): Update {
  const now = at ?? SERVER_NOW;
  const ids = asks.map(({ id }) => id);
  const idsTo = (to: SettleAsk['to']): readonly string[] =>
    asks.filter((ask) => ask.to === to).map(({ id }) => id);
  const data = {
    ids,
    confirmed: idsTo('confirmed'),
    withdrawn: idsTo('withdrawn'),
    anyCall: asks.filter(({ nonce }) => nonce === undefined).map(({ id }) => id),
    oneCall: asks.flatMap(({ id, nonce }) => (nonce === undefined ? [] : [{ id, nonce }])),
    takenOver: remembers
      ? []
      : asks.flatMap(({ id, to, nonce }) =>
          to === 'confirmed' && nonce !== undefined ? [id] : [],
        ),
    onlyPending: asks.flatMap(({ id, onlyPending }) => (onlyPending === true ? [id] : [])),
    finals: asks.flatMap(({ id, amountMinor }) =>
      amountMinor === undefined ? [] : [{ id, amount: BigInt(amountMinor) }],
    ),
    remembers,
  };
  return {
    pipeline: settleManyPipeline(data, now),
    upsert: false,
    returnDocument: 'before',
    projection: viewProjection({ ids, counters: 'all', countsLive: true }, now),
  };
}

/** The update that completes many holds over several documents. */
export function completeManyUpdate(holds: readonly HoldName[]): Update {
  const names = holds.map(({ id, nonce }) => ({ id, nonce }));
  const ids = names.map(({ id }) => id);
  return {
    pipeline: completeManyPipeline(names),
    upsert: false,
    returnDocument: 'after',
    projection: viewProjection({ ids, counters: [], countsLive: true }, SERVER_NOW),
  };
}

function checkManyData({ orders, pending, openHoldsMax, plans }: HoldManyAsk): CheckManyData {
  const sum = (numbers: readonly number[]): bigint =>
    numbers.reduce((total, one) => total + BigInt(one), 0n);
  return {
    orders: orders.map((order) => ({
      ...{ id: order.id, nonce: order.nonce, digest: order.digest },
      ...{ amount: BigInt(order.amountMinor), count: BigInt(order.count) },
      ...sharesElsewhere(order),
      ...{ holdMs: BigInt(order.holdMs), capture: order.capture, barred: order.barred },
    })),
    ids: orders.map(({ id }) => id),
    noneBarred: orders.every(({ barred }) => !barred),
    amount: sum(orders.map(({ amountMinor }) => amountMinor)),
    count: sum(orders.map(({ count }) => count)),
    opens: orders.filter(({ capture }) => !capture).length,
    pending,
    openHoldsMax,
    plans: plans.map(({ from, until, barred, counters }) => ({
      from,
      until,
      open: !barred,
      counters: counters.map(counterData),
    })),
  };
}

function counterData(plan: CounterPlan): ManyCounterData {
  const { bucket } = plan;
  return {
    counter: plan.key,
    sumsAmounts: plan.sumsAmounts,
    maxAmount: BigInt(plan.maxAmountMinor),
    maxCount: BigInt(plan.maxCount),
    shadow: plan.shadow,
    ...(bucket.kind === 'fixed'
      ? { start: bucket.start, until: bucket.until }
      : { stepMs: BigInt(bucket.stepMs), keepMs: BigInt(bucket.keepMs) }),
  };
}
