import type { AuditRow } from './audit.ts';
import type { OrderName } from '../shared/request.ts';

/** Rows of one order, and the instant at which the database read them. */
export type OrderRows = {
  /** Undefined where there are none. */
  readonly now?: Date;
  /** Oldest first; the AUDIT_ROWS_MAX newest. */
  readonly rows: readonly AuditRow[];
};

/**
 * The rows of the audit. They are added and read, never changed; that of a repeat may be replaced.
 *
 * Every call throws UndecidedError where the store does not answer in time.
 */
export interface AuditStore {
  /** Adds rows in the order given; one whose id is there already is left as it is, unless a repeat wrote it. */
  append(rows: readonly AuditRow[]): Promise<void>;
  /** Reads what is known of an order. */
  rowsOf(order: OrderName): Promise<OrderRows>;
  /** Reads what changed something for an order, however much else was tried with it since. */
  effectsOf(order: OrderName): Promise<OrderRows>;
  /**
   * Reads the effects of 1 to ORDERS_PER_CALL_MAX orders of one application, in the order given: one read,
   * and one more for each order where together they have more than AUDIT_ROWS_AT_ONCE_MAX.
   */
  effectsOfMany(orders: readonly OrderName[]): Promise<readonly OrderRows[]>;
}
