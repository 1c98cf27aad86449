import type { CounterPlan } from '../domain/plan.ts';
import type { SharesElsewhere } from '../domain/document.ts';
import type { CheckData, CheckKind, CounterData, ShareData } from '../pipeline/check-data.ts';
import { checkPipeline } from '../pipeline/check-pipeline.ts';
import type { Expression, PipelineStage } from '../pipeline/expression.ts';
import { SERVER_NOW } from '../pipeline/expression.ts';
import { completePipeline, settlePipeline } from '../pipeline/settle-pipeline.ts';
import { viewProjection } from '../pipeline/view-projection.ts';
import type { HoldAsk, SettleAsk } from './counter-store.ts';

/** One `findOneAndUpdate` by `_id`, ready for whoever evaluates pipelines. */
export type Update = {
  readonly pipeline: readonly PipelineStage[];
  readonly upsert: boolean;
  readonly returnDocument: 'before' | 'after';
  readonly projection: Readonly<Record<string, Expression>>;
};

/** The update of a check. The answer is in the document after it. */
export function holdUpdate(ask: HoldAsk, at?: Date): Update {
  const now = at ?? SERVER_NOW;
  const keys = ask.plans.flatMap((plan) => plan.counters.map(({ key }) => key));
  return {
    pipeline: checkPipeline(checkData(ask), checkKind(ask), now),
    upsert: true,
    returnDocument: 'after',
    projection: viewProjection(
      { ids: [ask.id], counters: [...new Set(keys)], countsLive: false },
      now,
    ),
  };
}

/** The update of a confirm or a rollback. The answer is in the document before it. */
export function settleUpdate(ask: SettleAsk, at?: Date): Update {
  const now = at ?? SERVER_NOW;
  const { id, to, remembers, amountMinor, nonce = null } = ask;
  const amount = amountMinor === undefined ? null : BigInt(amountMinor);
  const counters = to === 'confirmed' ? 'all' : [];
  return {
    pipeline: settlePipeline(
      { id, amount, nonce },
      { to, remembers, ofOneCall: nonce !== null },
      now,
    ),
    upsert: false,
    returnDocument: 'before',
    projection: viewProjection({ ids: [id], counters, countsLive: false }, now),
  };
}

/** The update that completes a hold over several documents. */
export function completeUpdate(id: string, nonce: string): Update {
  return {
    pipeline: completePipeline({ id, nonce }),
    upsert: false,
    returnDocument: 'after',
    projection: viewProjection({ ids: [id], counters: [], countsLive: false }, SERVER_NOW),
  };
}

function checkKind({ capture, pending, takesOver, renews, again, plans }: HoldAsk): CheckKind {
  const counters = plans.flatMap((plan) => plan.counters);
  return {
    captures: capture,
    pending,
    takesOver,
    renews: renews ?? false,
    again,
    stepped: counters.some(({ bucket }) => bucket.kind === 'stepped'),
    shadowed: counters.some(({ shadow }) => shadow),
  };
}

function checkData(ask: HoldAsk): CheckData {
  const { id, nonce, digest, openHoldsMax } = ask;
  const asked = { amount: BigInt(ask.amountMinor), count: BigInt(ask.count) };
  const own = { id, nonce, digest, ...asked, ...sharesElsewhere(ask) };
  return {
    own,
    share: shareData(ask, own.amount),
    holdMs: BigInt(ask.holdMs),
    openHoldsMax,
    plans: ask.plans.map(({ from, until, barred, counters }) => ({
      from,
      until,
      open: !barred,
      counters: counters.map((counter) => counterData(counter, ask)),
    })),
  };
}

/** Where else the order has shares, as it is stored: not at all where it has none. */
export function sharesElsewhere({ others, home }: SharesElsewhere): SharesElsewhere {
  return { ...(others === undefined ? {} : { others }), ...(home === undefined ? {} : { home }) };
}

/** @param amount what enters the sums of amounts; null where amounts are not summed */
function shareData({ capture, count }: HoldAsk, amount: bigint | null): ShareData {
  const none = amount === null ? null : 0n;
  return {
    usedAmount: capture ? amount : none,
    usedCount: capture ? BigInt(count) : 0n,
    heldAmount: capture ? none : amount,
    heldCount: capture ? 0n : BigInt(count),
  };
}

function counterData(plan: CounterPlan, ask: HoldAsk): CounterData {
  const { key: counter, bucket, sumsAmounts, shadow } = plan;
  const asksAmount = sumsAmounts ? ask.amountMinor : 0;
  const limits = {
    roomAmount: BigInt(plan.maxAmountMinor - asksAmount),
    roomCount: BigInt(plan.maxCount - ask.count),
    ...(shadow ? { shadow } : {}),
    ...(sumsAmounts ? {} : { share: shareData(ask, null) }),
  };
  return bucket.kind === 'fixed'
    ? { name: { counter, start: bucket.start, until: bucket.until }, ...limits }
    : {
        name: { counter },
        stepMs: BigInt(bucket.stepMs),
        keepMs: BigInt(bucket.keepMs),
        ...limits,
      };
}
