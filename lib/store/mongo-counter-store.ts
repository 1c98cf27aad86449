import type { ClientSession, Collection, Document, FindOneAndUpdateOptions } from 'mongodb';
import type { DocumentView } from '../domain/document.ts';
import { UndecidedError } from '../domain/errors.ts';
import { SERVER_NOW } from '../pipeline/expression.ts';
import type { Projected } from '../pipeline/document-view.ts';
import { readView } from '../pipeline/document-view.ts';
import type { ViewAsk } from '../pipeline/view-projection.ts';
import { viewProjection } from '../pipeline/view-projection.ts';
import type { CounterStore } from './counter-store.ts';
import { completedOf } from './counter-store.ts';
import type { Update } from './counter-updates.ts';
import { completeUpdate, holdUpdate, settleUpdate } from './counter-updates.ts';
import { completeManyUpdate, holdManyUpdate, settleManyUpdate } from './many-updates.ts';
import { whenConnected } from './client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided } from './failure.ts';

/** A stored document, as the driver types it. Its shape is in `domain/document.ts`. */
export type CounterDocument = Document & { readonly _id: string };

/** Name of the collection, one document a subject. */
export const COUNTERS = 'counters';

/**
 * Keeps counters in MongoDB: one `findOneAndUpdate` by `_id` a call.
 *
 * The filter is `_id` alone, so that a lost insert race is repeated by the server itself.
 * Source: MongoDB manual, findAndModify, "Upsert with Unique Index".
 *
 * @param timeoutMs longest wait for the answer to one call
 * @param session the multi-document commit that every call is part of
 */
export function mongoCounterStore(
  counters: Collection<CounterDocument>,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
  session?: ClientSession,
): CounterStore {
  // Within a session the write concern is its commit's: MongoDB refuses one that a statement brings
  // (mongodb/mongo, transaction_validation.cpp, validateWriteConcernForTransaction).
  const read = session === undefined ? ({ readPreference: 'primary' } as const) : { session };
  const write =
    session === undefined ? ({ writeConcern: { w: 'majority' } } as const) : { session };
  const run = (documentId: string, update: Update): Promise<DocumentView | undefined> =>
    decided(
      whenConnected(counters.db.client, () => updateDocument(counters, documentId, update, write)),
      timeoutMs,
    );
  const upsert = async (documentId: string, update: Update): Promise<DocumentView> => {
    const view = await run(documentId, update);
    if (view === undefined) throw new TypeError('an upsert returns the document that it left');
    return view;
  };
  const find = async (
    documentId: string,
    ids: readonly string[],
    keys: ViewAsk['counters'],
    at?: Date,
  ): Promise<DocumentView | undefined> => {
    const projection = viewProjection({ ids, counters: keys, countsLive: true }, at ?? SERVER_NOW);
    const found = await decided(
      whenConnected(counters.db.client, () =>
        counters.findOne<Projected>({ _id: documentId }, { projection, ...read }),
      ),
      timeoutMs,
    );
    return found === null ? undefined : readView(found);
  };
  return {
    hold: (documentId, ask, at) => upsert(documentId, holdUpdate(ask, at)),

    settle: (documentId, ask, at) => run(documentId, settleUpdate(ask, at)),

    async complete(documentId, id, nonce) {
      const view = await run(documentId, completeUpdate(id, nonce));
      const hold = view?.entries.find((entry) => entry.nonce === nonce);
      return hold?.state === 'open' && !hold.pending;
    },

    read: (documentId, id, keys, at) => find(documentId, [id], keys, at),

    holdMany: (documentId, ask, at) => upsert(documentId, holdManyUpdate(ask, at)),

    settleMany: (documentId, asks, remembers, at) =>
      run(documentId, settleManyUpdate(asks, remembers, at)),

    async completeMany(documentId, holds) {
      return completedOf(await run(documentId, completeManyUpdate(holds)), holds);
    },

    readMany: find,
  };
}

async function updateDocument(
  counters: Collection<CounterDocument>,
  documentId: string,
  { pipeline, upsert, returnDocument, projection }: Update,
  write: Pick<FindOneAndUpdateOptions, 'session' | 'writeConcern'>,
): Promise<DocumentView | undefined> {
  const found = await counters.findOneAndUpdate({ _id: documentId }, [...pipeline], {
    upsert,
    returnDocument,
    projection,
    includeResultMetadata: false,
    ...write,
  });
  if (found === null) return undefined;
  const projected = found as Document as Partial<Projected>; // by its projection
  if (!isWhole(projected))
    throw new UndecidedError('the write stands, and the driver repeated it without its answer');
  return readView(projected);
}

/**
 * Whether an answer is what the projection asked for. A write that the driver repeats is answered with
 * the stored document, which has no `now`: that the write took effect is all that it tells.
 * Source: mongodb/mongo, write_ops_retryability.cpp, `parseOplogEntryForFindAndModify`; SERVER-31242.
 */
function isWhole(projected: Partial<Projected>): projected is Projected {
  return projected.now !== undefined;
}
