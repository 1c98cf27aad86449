import type { DocumentView } from '../domain/document.ts';
import type { CounterPlan, Plan } from '../domain/plan.ts';
import type { SettlementAsk } from '../domain/settlement.ts';
import type { Terms } from '../domain/terms.ts';

/** One order of a check, as one document is asked to hold its share. */
export type HoldOrder = {
  /** The hold's id. */
  readonly id: string;
  /** Of this attempt alone: a share is asked for once. */
  readonly nonce: string;
  readonly digest: string;
  readonly amountMinor: number;
  readonly count: number;
  readonly holdMs: number;
  /** When its time is over, where several documents must agree; otherwise `holdMs` from now. */
  readonly until?: Date;
  /** Counted at once, without a hold. */
  readonly capture: boolean;
  /** A rule for single transactions says no whatever the counters say. */
  readonly barred: boolean;
  /** At home: the other documents in which the order has a share. */
  readonly others?: readonly string[];
  /** In those: the document that is home. */
  readonly home?: string;
};

/** What a check asks of one document. */
export type HoldAsk = {
  /** 1 to ORDERS_PER_CALL_MAX, decided in this order; no id twice. All are at home here, or none. */
  readonly orders: readonly HoldOrder[];
  /** The same for all. */
  readonly plans: readonly (Pick<Plan, 'from' | 'until' | 'barred'> & {
    readonly counters: readonly CounterPlan[];
  })[];
  /** The caller's best idea of the database's clock. */
  readonly estimate: Date;
  /** How many outcomes home had when it was read; it must not have forgotten any since. */
  readonly rememberedBefore?: number;
  readonly openHoldsMax: number;
  /** Outcomes that home remembers afterwards, at least; those of these orders where nothing is said. */
  readonly remembersAtLeast?: number;
  /** The terms that the plans were made under: the document must still have them, or none. */
  readonly terms?: Terms;
};

/** A hold as its reservation tells, so that it need not be looked up. */
export type ReservedShare = {
  readonly digest: string;
  readonly amountMinor: number;
  readonly count: number;
  readonly until: Date;
  readonly buckets: readonly string[];
};

/** What a settlement asks of home. */
export type HomeSettleAsk = SettlementAsk & {
  readonly id: string;
  readonly reserved?: ReservedShare & {
    readonly nonce: string;
    readonly others?: readonly string[];
  };
};

/**
 * What a settlement asks of a document beside home: the share of one call, and no other, is counted,
 * given back, or dropped and kept for a late confirm.
 */
export type ShareSettleAsk = {
  readonly id: string;
  readonly nonce: string;
  readonly to: 'confirmed' | 'rolledBack' | 'dropped';
  /** Final amount of a confirm; what was held when absent. */
  readonly amountMinor?: number;
  readonly reserved?: ReservedShare & { readonly home: string };
};

/** A change of a subject's terms. */
export type TermsChange = {
  /** The version of those that it changes; undefined where there were none. */
  readonly expected: string | undefined;
  /** Undefined to take them away. */
  readonly terms: Terms | undefined;
};

/** What is to be seen of a document. */
export type LookAsk = { readonly documentId: string; readonly counters: readonly string[] };

/**
 * The documents in which holds and sums are kept.
 *
 * `estimate` is the caller's best idea of the database's clock; `at` stands in the place of that clock,
 * in tests and in local mode. Every call is one round
 * trip in the ordinary case and atomic, and throws UndecidedError where the store does not answer in
 * time. Views are of all orders of the call.
 */
export interface CounterStore {
  /** How many outcomes, and expired shares, a document remembers. */
  readonly outcomesMax: number;
  /** Whether all calls are part of one multi-document commit already. */
  readonly isOneCommit: boolean;
  /** Whether a check of one order looks at its home first: it has refused just before. */
  looksFirst(documentId: string): boolean;
  /** A look found room, so that the next check need not look. */
  sawRoom(documentId: string): void;
  /** Decides a check and holds what fits; the document as it is afterwards. */
  hold(documentId: string, ask: HoldAsk, at?: Date): Promise<DocumentView>;
  /** Confirms or gives back at home; the document as it was before, undefined where there is none. */
  settle(
    documentId: string,
    asks: readonly HomeSettleAsk[],
    estimate: Date,
    at?: Date,
  ): Promise<DocumentView | undefined>;
  /** Settles shares beside home; the document as it was before, undefined where there is none. */
  settleShares(
    documentId: string,
    asks: readonly ShareSettleAsk[],
    estimate: Date,
    at?: Date,
  ): Promise<DocumentView | undefined>;
  /**
   * Changes a subject's terms where they are those that are expected. Says whether they were: of terms
   * that are taken away, the document afterwards does not tell by whom.
   */
  changeTerms(documentId: string, change: TermsChange, at?: Date): Promise<boolean>;
  /** Only looks, at several documents in one round trip; one that is not there is not in the map. */
  read(
    asks: readonly LookAsk[],
    ids: readonly string[],
    estimate: Date,
    at?: Date,
  ): Promise<ReadonlyMap<string, DocumentView>>;
  /** The database's clock, where no document tells it; undefined where the database does not either. */
  now(): Promise<Date | undefined>;
  /**
   * Does work on several documents that becomes visible all at once, or not at all. The work may run
   * several times; what it throws ends it without a trace.
   */
  together<T>(work: (counters: CounterStore) => Promise<T>): Promise<T>;
}
