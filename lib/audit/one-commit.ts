import type { AuditRow } from './audit.ts';
import type { CounterStore } from '../document/counter-store.ts';
import type { RefundStore } from './refunds/refund-store.ts';

/** The stores of one multi-document commit. */
export type Together = {
  readonly counters: CounterStore;
  readonly refunds: RefundStore;
  /** Adds rows; where they are chained, each to the chains of its documents. */
  readonly append: (rows: readonly AuditRow[]) => Promise<void>;
};

/**
 * All writes become visible at once, or none. The work may run several times; what it throws ends it.
 * @throws UndecidedError where other commits kept coming first, or the store did not answer in time
 */
export type OneCommit = <T>(work: (stores: Together) => Promise<T>) => Promise<T>;

/** Ends a commit that has to see a document as it is by now: each sees it as it was when the commit began. */
export class LookAgainError extends Error {
  override readonly name = 'LookAgainError';
}
