import type { DocumentView } from '../domain/document.ts';
import { currentEntry, viewOfOrder } from '../domain/document.ts';
import type { PlainUpdate } from '../pipeline/plain-update.ts';
import type { StoredDocument } from '../pipeline/stored-document.ts';
import { readView } from '../pipeline/stored-document.ts';
import type {
  CounterStore,
  HoldAsk,
  HomeSettleAsk,
  LookAsk,
  ShareSettleAsk,
  TermsChange,
} from './counter-store.ts';
import { KnownBuckets } from './known-buckets.ts';
import type { Lanes } from './lanes.ts';
import type { PlainStatement } from './plain-statement.ts';
import { plainHold } from './plain-hold.ts';
import { plainSettlement } from './plain-settlement.ts';
import type { PipelineUpdate, Projection } from './statements.ts';
import {
  holdUpdate,
  lookProjection,
  settleSharesUpdate,
  settleUpdate,
  termsUpdate,
} from './statements.ts';

/** Runs statements on documents: a database, or whatever evaluates what a database would. */
export type Statements = {
  /** Nothing where the filter matches no document. */
  readonly plain: (update: PlainUpdate) => Promise<StoredDocument | undefined>;
  readonly general: (
    documentId: string,
    update: PipelineUpdate,
  ) => Promise<StoredDocument | undefined>;
  readonly find: (
    documentIds: readonly string[],
    projection: Projection,
  ) => Promise<readonly (StoredDocument & { readonly _id: string })[]>;
  /** The server's clock; undefined where it does not tell. */
  readonly now: () => Promise<Date | undefined>;
};

/** What a store of counters is made of, beside the statements. */
export type CountersOptions = {
  readonly outcomesMax: number;
  readonly lanes: Lanes;
  readonly isOneCommit: boolean;
  readonly together: CounterStore['together'];
};

/**
 * Keeps counters by statements: the plain lane first, the general lane where it decides nothing.
 *
 * Both give the same answers and leave the same sums; the general lane alone refuses.
 */
export function countersOver(statements: Statements, options: CountersOptions): CounterStore {
  const { outcomesMax, lanes } = options;
  const known = new KnownBuckets();

  const plainly = async (
    documentId: string,
    call: 'hold' | 'settle',
    statement: () => PlainStatement | undefined,
  ): Promise<DocumentView | undefined> => {
    const plain = lanes.takesPlain(documentId, call) ? statement() : undefined;
    const found = plain && (await statements.plain(plain.update));
    if (plain === undefined || found === undefined) {
      if (call === 'hold') known.forget(documentId);
      return undefined;
    }
    if (call === 'hold') known.learn(documentId, plain.names, found.buckets);
    lanes.note('plain');
    return plain.read(found);
  };

  const settle = async (
    documentId: string,
    asks: readonly (HomeSettleAsk | ShareSettleAsk)[],
    update: () => PipelineUpdate,
    estimate: Date,
    at: Date | undefined,
  ): Promise<DocumentView | undefined> => {
    const statement = (): PlainStatement | undefined =>
      plainSettlement(documentId, asks, outcomesMax, estimate, at);
    const plain = await plainly(documentId, 'settle', statement);
    if (plain !== undefined) return plain;
    lanes.note('general');
    const found = await statements.general(documentId, update());
    if (found === undefined) return undefined;
    const ids = asks.map(({ id }) => id);
    if (found.now !== undefined) return readView(found, ids, found.now);
    const [after] = await statements.find([documentId], lookProjection(ids, [], at));
    return viewOfImage(found, after, ids, at ?? estimate);
  };

  return {
    outcomesMax,
    isOneCommit: options.isOneCommit,
    together: options.together,

    looksFirst: lanes.looksFirst,
    sawRoom(documentId) {
      lanes.learn(documentId, true);
    },

    async hold(documentId, ask, at) {
      const plain = await plainly(documentId, 'hold', () =>
        plainHold(documentId, ask, outcomesMax, at, known.of(documentId)),
      );
      if (plain !== undefined) return plain;
      lanes.note('general');
      const found = await leftBy(statements, documentId, holdUpdate(ask, outcomesMax, at));
      // Of a write that was repeated, the stored image says when it was.
      const now = found.now ?? found.seen ?? ask.estimate;
      const ids = ask.orders.map(({ id }) => id);
      const view = readView(found, ids, now);
      // Where other terms are in force than were known, nothing is known of its room.
      if (view.terms?.version === ask.terms?.version)
        lanes.learn(documentId, holdsAnyOf(view, ask));
      return view;
    },

    settle: (documentId, asks, estimate, at) =>
      settle(documentId, asks, () => settleUpdate(asks, outcomesMax, at), estimate, at),

    settleShares: (documentId, asks, estimate, at) =>
      settle(documentId, asks, () => settleSharesUpdate(asks, outcomesMax, at), estimate, at),

    changeTerms: (documentId, change, at) => changeTerms(statements, documentId, change, at),

    read: (asks, ids, estimate, at) => read(statements, asks, ids, estimate, at),
    now: statements.now,
  };
}

/** The document that an upsert left. */
async function leftBy(
  statements: Statements,
  documentId: string,
  update: PipelineUpdate,
): Promise<StoredDocument> {
  const found = await statements.general(documentId, update);
  if (found === undefined) throw new TypeError('an upsert returns the document that it left');
  return found;
}

/** Whether a document holds the share of one of the orders that were asked. */
function holdsAnyOf({ entries, shares }: DocumentView, { orders }: HoldAsk): boolean {
  const nonces = new Set([...entries, ...shares].map(({ nonce }) => nonce));
  return orders.some(({ nonce }) => nonces.has(nonce));
}

async function changeTerms(
  { general }: Statements,
  documentId: string,
  change: TermsChange,
  at: Date | undefined,
): Promise<boolean> {
  const found = await general(documentId, termsUpdate(change, at));
  return found?.terms?.version === change.expected;
}

async function read(
  { find }: Statements,
  asks: readonly LookAsk[],
  ids: readonly string[],
  estimate: Date,
  at: Date | undefined,
): Promise<ReadonlyMap<string, DocumentView>> {
  const counters = [...new Set(asks.flatMap((ask) => ask.counters))];
  const documentIds = asks.map(({ documentId }) => documentId);
  const found = await find(documentIds, lookProjection(ids, counters, at));
  return new Map(found.map((document) => [document._id, readView(document, ids, at ?? estimate)]));
}

/**
 * A document before a settlement, from the stored image that a repeated write is answered with: it
 * does not tell the instant of the write, but what is remembered of it does. Of each order that was
 * confirmed in time, the write came before the end of its hold; of the others, at it or later.
 */
function viewOfImage(
  image: StoredDocument,
  after: StoredDocument | undefined,
  ids: readonly string[],
  estimate: Date,
): DocumentView {
  const latest = after?.seen ?? estimate;
  const before = readView(image, ids, latest);
  if (after === undefined) return before;
  const outcomes = readView(after, ids, latest);
  const inTime = ids.flatMap((id) => {
    const entry = currentEntry(viewOfOrder(before, id));
    const outcome = currentEntry(viewOfOrder(outcomes, id));
    if (entry?.state !== 'open' || outcome?.state !== 'confirmed' || outcome.late) return [];
    return [entry.until.getTime() - 1];
  });
  if (inTime.length === 0) return before;
  return readView(image, ids, new Date(Math.min(before.now.getTime(), ...inTime)));
}
