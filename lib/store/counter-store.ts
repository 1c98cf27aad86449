import type { DocumentView, SharesElsewhere } from '../domain/document.ts';
import type { CounterPlan, Plan } from '../domain/plan.ts';
import type { SettlementAsk } from '../domain/settlement.ts';

/** What a check asks of one document. */
export type HoldAsk = {
  /** The hold's id. */
  readonly id: string;
  readonly nonce: string;
  readonly digest: string;
  readonly amountMinor: number;
  readonly count: number;
  readonly holdMs: number;
  readonly capture: boolean;
  /** One of several documents: the hold waits for `complete`. */
  readonly pending: boolean;
  /** Whether a pending hold of this order that another call made is made this call's. */
  readonly takesOver: boolean;
  /** Whether this call's own hold is decided anew, as if its time were over; it stays if it does not fit. */
  readonly renews?: true;
  /** Whether the order's own hold may have expired here: then the check looks closer. */
  readonly again: boolean;
  readonly openHoldsMax: number;
  readonly plans: readonly (Pick<Plan, 'from' | 'until' | 'barred'> & {
    readonly counters: readonly CounterPlan[];
  })[];
} & SharesElsewhere;

/** What a check of many orders asks of one document; all have the same plans. */
export type HoldManyAsk = Pick<HoldAsk, 'pending' | 'openHoldsMax' | 'plans'> & {
  /** 1 to ORDERS_PER_CALL_MAX, decided in this order; no id twice. */
  readonly orders: readonly (Pick<
    HoldAsk,
    'id' | 'nonce' | 'digest' | 'amountMinor' | 'count' | 'holdMs' | 'capture' | 'others' | 'home'
  > & {
    /** It only looks, and is not held whatever the counters say. */
    readonly barred: boolean;
  })[];
};

/** What a settlement asks of one document. */
export type SettleAsk = Omit<SettlementAsk, 'to'> & {
  readonly id: string;
  /** `withdrawn`: the pending hold never was. */
  readonly to: SettlementAsk['to'] | 'withdrawn';
  /** Whether a hold that is complete is none that is meant; of many alone. */
  readonly onlyPending?: true;
  /** Whether the outcome is remembered in this document. */
  readonly remembers: boolean;
};

/** A hold of one call. */
export type HoldName = { readonly id: string; readonly nonce: string };

/**
 * The documents in which holds and sums are kept. Each call is one round trip and atomic.
 *
 * `at` stands in the place of the database's clock, in tests and in local mode.
 *
 * Every call throws UndecidedError where the store does not answer in time.
 */
export interface CounterStore {
  /** Decides a check and holds its share if it fits; the document as it is afterwards. */
  hold(documentId: string, ask: HoldAsk, at?: Date): Promise<DocumentView>;
  /** Confirms or gives back; the document as it was before, undefined where there is none. */
  settle(documentId: string, ask: SettleAsk, at?: Date): Promise<DocumentView | undefined>;
  /** Marks a pending hold of this call as complete; false where it is no longer this call's. */
  complete(documentId: string, id: string, nonce: string): Promise<boolean>;
  /** The same for many orders in one update; `entries` of what comes back are of all of them. */
  holdMany(documentId: string, ask: HoldManyAsk, at?: Date): Promise<DocumentView>;
  /** The same as `settle` for many orders, none of them twice, in one update. */
  settleMany(
    documentId: string,
    asks: readonly Omit<SettleAsk, 'remembers'>[],
    remembers: boolean,
    at?: Date,
  ): Promise<DocumentView | undefined>;
  /** The same as `complete` for many holds; gives the ids of those that are complete now. */
  completeMany(documentId: string, holds: readonly HoldName[]): Promise<ReadonlySet<string>>;
  /** Only looks; undefined where there is no document. */
  read(
    documentId: string,
    id: string,
    counters: readonly string[],
    at?: Date,
  ): Promise<DocumentView | undefined>;
  /** Only looks, for many orders. */
  readMany(
    documentId: string,
    ids: readonly string[],
    counters: readonly string[],
    at?: Date,
  ): Promise<DocumentView | undefined>;
}

/** Ids of the holds that a document shows as complete, and still those of these calls. */
export function completedOf(
  view: DocumentView | undefined,
  holds: readonly HoldName[],
): ReadonlySet<string> {
  const complete = (view?.entries ?? []).filter(
    (entry) => entry.state === 'open' && !entry.pending,
  );
  const nonces = new Map(complete.map(({ id, nonce }) => [id, nonce]));
  return new Set(holds.filter(({ id, nonce }) => nonces.get(id) === nonce).map(({ id }) => id));
}
