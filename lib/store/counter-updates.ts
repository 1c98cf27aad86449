import type { CounterPlan } from '../domain/plan.ts';
import type { CheckData, CounterData } from '../pipeline/check-data.ts';
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
    pipeline: checkPipeline(checkData(ask), now),
    upsert: true,
    returnDocument: 'after',
    projection: viewProjection(ask.id, [...new Set(keys)], now),
  };
}

/** The update of a confirm or a rollback. The answer is in the document before it. */
export function settleUpdate(ask: SettleAsk, at?: Date): Update {
  const now = at ?? SERVER_NOW;
  const data = {
    id: ask.id,
    to: ask.to,
    remembers: ask.remembers,
    amount: ask.amountMinor === undefined ? null : BigInt(ask.amountMinor),
    nonce: ask.nonce ?? null,
  };
  return {
    pipeline: settlePipeline(data, now),
    upsert: false,
    returnDocument: 'before',
    projection: viewProjection(ask.id, null, now),
  };
}

/** The update that completes a hold over several documents. */
export function completeUpdate(id: string, nonce: string): Update {
  return {
    pipeline: completePipeline({ id, nonce }),
    upsert: false,
    returnDocument: 'after',
    projection: viewProjection(id, [], SERVER_NOW),
  };
}

function checkData(ask: HoldAsk): CheckData {
  return {
    id: ask.id,
    nonce: ask.nonce,
    digest: ask.digest,
    amount: BigInt(ask.amountMinor),
    count: BigInt(ask.count),
    holdMs: BigInt(ask.holdMs),
    capture: ask.capture,
    pending: ask.pending,
    takesOver: ask.takesOver,
    openHoldsMax: ask.openHoldsMax,
    plans: ask.plans.map(({ from, until, barred, counters }) => ({
      from,
      until,
      barred,
      counters: counters.map((counter) => counterData(counter, ask.amountMinor)),
    })),
  };
}

function counterData(plan: CounterPlan, amountMinor: number): CounterData {
  const { bucket } = plan;
  return {
    counter: plan.key,
    amount: plan.sumsAmounts ? BigInt(amountMinor) : null,
    maxAmount: BigInt(plan.maxAmountMinor),
    maxCount: BigInt(plan.maxCount),
    shadow: plan.shadow,
    ...(bucket.kind === 'fixed'
      ? { start: bucket.start, until: bucket.until }
      : { stepMs: BigInt(bucket.stepMs), keepMs: BigInt(bucket.keepMs) }),
  };
}
