import type { CountedOrder, GiveBack, RefundAsk, RefundLedger } from './refund.ts';

/**
 * What is kept of refunds, and where they give back. Each call is one round trip.
 *
 * `at` stands in the place of the database's clock, in tests and in local mode.
 */
export interface RefundStore {
  /** Adds a refund to the ledger of an order, if it fits; the ledger as it is afterwards. */
  add(order: CountedOrder, ask: RefundAsk, at?: Date): Promise<RefundLedger>;
  /** Gives back in one document, in buckets that are still there. */
  giveBack(giveBack: GiveBack, at?: Date): Promise<void>;
}
