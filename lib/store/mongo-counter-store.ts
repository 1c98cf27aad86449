import type { Collection, Document, FindOneAndUpdateOptions } from 'mongodb';
import type { DocumentView } from '../domain/document.ts';
import type { CounterPlan } from '../domain/plan.ts';
import type { CheckData, CounterData } from '../pipeline/check-pipeline.ts';
import { checkPipeline } from '../pipeline/check-pipeline.ts';
import { SERVER_NOW } from '../pipeline/expression.ts';
import type { PipelineStage } from '../pipeline/expression.ts';
import { completePipeline, settlePipeline } from '../pipeline/settle-pipeline.ts';
import { viewProjection } from '../pipeline/view-projection.ts';
import type { CounterStore, HoldAsk, SettleAsk } from './counter-store.ts';
import { decided } from './failure.ts';

/** A stored document, as the driver types it. Its shape is in `domain/document.ts`. */
export type CounterDocument = Document & { readonly _id: string };

/** Name of the collection, one document a subject. */
export const COUNTERS = 'counters';

/**
 * Keeps counters in MongoDB: one `findOneAndUpdate` by `_id` a call.
 *
 * The filter is `_id` alone, so that a lost insert race is repeated by the server itself.
 * Source: MongoDB manual, "Upsert with Duplicate Values" of findAndModify.
 */
export function mongoCounterStore(counters: Collection<CounterDocument>): CounterStore {
  return {
    async hold(documentId, ask, at) {
      const now = at ?? SERVER_NOW;
      const view = await update(counters, documentId, checkPipeline(checkData(ask), now), {
        upsert: true,
        returnDocument: 'after',
        projection: viewProjection(ask.id, counterKeys(ask), now),
      });
      if (view === undefined) throw new TypeError('an upsert returns the document that it left');
      return view;
    },

    settle(documentId, ask, at) {
      const now = at ?? SERVER_NOW;
      return update(counters, documentId, settlePipeline(settleData(ask), now), {
        upsert: false,
        returnDocument: 'before',
        projection: viewProjection(ask.id, null, now),
      });
    },

    async complete(documentId, id, nonce) {
      const view = await update(counters, documentId, completePipeline({ id, nonce }), {
        upsert: false,
        returnDocument: 'after',
        projection: viewProjection(id, [], SERVER_NOW),
      });
      const hold = view?.entries.find((entry) => entry.nonce === nonce);
      return hold?.state === 'open' && !hold.pending;
    },

    async read(documentId, id, keys, at) {
      const projection = viewProjection(id, keys, at ?? SERVER_NOW);
      const found = await decided(
        counters.findOne({ _id: documentId }, { projection, readPreference: 'primary' }),
      );
      return found === null ? undefined : readView(found);
    },
  };
}

async function update(
  counters: Collection<CounterDocument>,
  documentId: string,
  pipeline: readonly PipelineStage[],
  options: Required<Pick<FindOneAndUpdateOptions, 'upsert' | 'returnDocument' | 'projection'>>,
): Promise<DocumentView | undefined> {
  const found = await decided(
    counters.findOneAndUpdate({ _id: documentId }, [...pipeline], {
      ...options,
      includeResultMetadata: false,
      writeConcern: { w: 'majority' },
    }),
  );
  return found === null ? undefined : readView(found);
}

/** The projection gives a view's fields, and its 64-bit integers arrive as numbers. */
function readView(document: Document): DocumentView {
  return document as DocumentView; // the projection is the type's only source
}

function counterKeys(ask: HoldAsk): readonly string[] {
  return [...new Set(ask.plans.flatMap((plan) => plan.counters.map(({ key }) => key)))];
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

function settleData(ask: SettleAsk): Parameters<typeof settlePipeline>[0] {
  return {
    id: ask.id,
    to: ask.to,
    remembers: ask.remembers,
    amount: ask.amountMinor === undefined ? null : BigInt(ask.amountMinor),
    nonce: ask.nonce ?? null,
  };
}
