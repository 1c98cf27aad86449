import type { DocumentView } from '../domain/document.ts';
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
  readonly openHoldsMax: number;
  readonly plans: readonly (Pick<Plan, 'from' | 'until' | 'barred'> & {
    readonly counters: readonly CounterPlan[];
  })[];
};

/** What a settlement asks of one document. */
export type SettleAsk = Omit<SettlementAsk, 'to'> & {
  readonly id: string;
  /** `withdrawn`: the pending hold never was. */
  readonly to: SettlementAsk['to'] | 'withdrawn';
  /** Whether the outcome is remembered in this document. */
  readonly remembers: boolean;
};

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
  /** Only looks; undefined where there is no document. */
  read(
    documentId: string,
    id: string,
    counters: readonly string[],
    at?: Date,
  ): Promise<DocumentView | undefined>;
}
