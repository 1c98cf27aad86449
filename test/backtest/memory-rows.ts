import type { AuditRow, AuditStore, OrderRows } from '../../lib/audit/audit.ts';
import type { OrderName } from '../../lib/shared/request.ts';
import { appendTo, appendedRowsIn } from '../interleavings/memory-audit.ts';
import type { Documents } from '../support/mingo-store.ts';

/** Rows in memory, as they were written. */
export function memoryRows() {
  const documents: Documents = new Map();
  const rowsOf = (order: OrderName, isAsked: (row: AuditRow) => boolean): OrderRows => {
    const found = appendedRowsIn(documents).filter(
      (row) => row.appId === order.appId && row.orderId === order.orderId && isAsked(row),
    );
    return { rows: found, now: found.at(-1)?.at };
  };
  const effectsOf = (order: OrderName): OrderRows => rowsOf(order, ({ effective }) => effective);
  const store: AuditStore = {
    append: (rows) => {
      appendTo(documents, rows);
      return Promise.resolve();
    },
    rowsOf: (order) => Promise.resolve(rowsOf(order, () => true)),
    effectsOf: (order) => Promise.resolve(effectsOf(order)),
    effectsOfMany: (orders) => Promise.resolve(orders.map(effectsOf)),
  };
  return { store, rows: () => appendedRowsIn(documents) };
}
