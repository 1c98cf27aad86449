import { Aggregator } from 'mingo';
import type { DocumentView } from '../../lib/domain/document.ts';
import type { CounterStore } from '../../lib/store/counter-store.ts';
import { completedOf } from '../../lib/store/counter-store.ts';
import type { Update } from '../../lib/store/counter-updates.ts';
import { completeUpdate, holdUpdate, settleUpdate } from '../../lib/store/counter-updates.ts';
import {
  completeManyUpdate,
  holdManyUpdate,
  settleManyUpdate,
} from '../../lib/store/many-updates.ts';
import type { Projected } from '../../lib/pipeline/document-view.ts';
import { readView } from '../../lib/pipeline/document-view.ts';
import { viewProjection } from '../../lib/pipeline/view-projection.ts';

type Document = Record<string, unknown>;

/**
 * A store whose pipelines are evaluated by mingo, an independent implementation of MongoDB's
 * expressions: what it and a database agree on is not one engine's habit.
 *
 * mingo has no 64-bit integers, so bigint becomes number; the tested amounts are small.
 */
export function mingoStore(): CounterStore & { readonly documents: Map<string, Document> } {
  const documents = new Map<string, Document>();

  function run(documentId: string, update: Update): DocumentView | undefined {
    const before = documents.get(documentId) ?? (update.upsert ? { _id: documentId } : undefined);
    if (before === undefined) return undefined;
    const after = evaluate(update.pipeline, before);
    documents.set(documentId, after);
    return look(update.returnDocument === 'after' ? after : before, update.projection);
  }

  return {
    documents,
    hold(documentId, ask, at) {
      const view = run(documentId, holdUpdate(ask, at ?? new Date()));
      if (view === undefined) throw new Error('an upsert leaves a document');
      return Promise.resolve(view);
    },
    settle(documentId, ask, at) {
      return Promise.resolve(run(documentId, settleUpdate(ask, at ?? new Date())));
    },
    complete(documentId, id, nonce) {
      const update = completeUpdate(id, nonce);
      const before = documents.get(documentId);
      if (before === undefined) return Promise.resolve(false);
      const after = evaluate(update.pipeline, before);
      documents.set(documentId, after);
      const { entries } = look(
        after,
        viewProjection({ ids: [id], counters: [], countsLive: true }, new Date()),
      );
      const mine = entries.find((entry) => entry.nonce === nonce);
      return Promise.resolve(mine?.state === 'open' && !mine.pending);
    },
    holdMany(documentId, ask, at) {
      const view = run(documentId, holdManyUpdate(ask, at ?? new Date()));
      if (view === undefined) throw new Error('an upsert leaves a document');
      return Promise.resolve(view);
    },
    settleMany(documentId, asks, remembers, at) {
      const update = settleManyUpdate(asks, remembers, at ?? new Date());
      return Promise.resolve(run(documentId, update));
    },
    completeMany(documentId, holds) {
      const { pipeline } = completeManyUpdate(holds);
      const before = documents.get(documentId);
      if (before === undefined) return Promise.resolve(new Set<string>());
      const after = evaluate(pipeline, before);
      documents.set(documentId, after);
      const ids = holds.map(({ id }) => id);
      const view = look(after, viewProjection({ ids, counters: [], countsLive: true }, new Date()));
      return Promise.resolve(completedOf(view, holds));
    },
    readMany(documentId, ids, counters, at) {
      const document = documents.get(documentId);
      const projection = viewProjection({ ids, counters, countsLive: true }, at ?? new Date());
      return Promise.resolve(document && look(document, projection));
    },
    read(documentId, id, counters, at) {
      const document = documents.get(documentId);
      const ask = { ids: [id], counters, countsLive: true };
      const projection = viewProjection(ask, at ?? new Date());
      return Promise.resolve(document && look(document, projection));
    },
  };
}

function evaluate(pipeline: Update['pipeline'], document: Document): Document {
  const [after] = new Aggregator(pipeline.map(plain) as Document[]).run<Document>([
    structuredClone(document),
  ]); // a stage is an object
  if (after === undefined) throw new Error('an update of one document gives one document');
  return after;
}

function look(document: Document, projection: Update['projection']): DocumentView {
  return readView(evaluate([{ $project: projection }], document) as Projected); // its type's only source
}

/** Numbers in place of bigints. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
