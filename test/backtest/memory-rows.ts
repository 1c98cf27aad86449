import type { AuditRow, AuditStore, OrderRows } from '../../lib/audit/audit.ts';
import { rowsInOrder } from '../../lib/audit/audit.ts';
import type { Audit } from '../../lib/audit/recorded.ts';
import type { OrderName } from '../../lib/shared/request.ts';
import { appendTo, appendedRowsIn, isAtHome } from '../interleavings/memory-audit.ts';
import type { Documents } from '../support/mingo-store.ts';

/** Rows in memory, as they were written. */
export function memoryRows() {
  const all: Documents = new Map();
  const ofOrders = new Map<string, Documents>();
  const documentsOf = ({ appId, orderId }: OrderName): Documents => {
    const name = `${appId} ${orderId}`;
    const known = ofOrders.get(name) ?? new Map();
    ofOrders.set(name, known);
    return known;
  };
  const rowsOf = (order: OrderName, isAsked: (row: AuditRow) => boolean): OrderRows => {
    const found = rowsInOrder(appendedRowsIn(documentsOf(order)).filter(isAsked));
    return { rows: found, now: found.at(-1)?.at };
  };
  const effectsOf = (order: OrderName, home?: string): OrderRows =>
    rowsOf(order, (row) => row.effective && isAtHome(row, home));
  const store: AuditStore = {
    append: (rows) => {
      appendTo(all, rows);
      for (const row of rows) appendTo(documentsOf(row), [row]);
      return Promise.resolve();
    },
    rowsOf: (order) => Promise.resolve(rowsOf(order, () => true)),
    effectsOf: (order, home) => Promise.resolve(effectsOf(order, home)),
    effectsOfMany: (orders) => Promise.resolve(orders.map((order) => effectsOf(order, order.home))),
  };
  const audit: Audit = {
    store,
    refunds: () => Promise.reject(new Error('no refund is asked for')),
    onLost: (error) => {
      throw error;
    },
  };
  return { audit, rows: () => appendedRowsIn(all) };
}
