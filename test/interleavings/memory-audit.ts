/** Rows of the audit and ledgers of refunds in memory, kept beside the documents under names of their own. */
import type { AuditRow, AuditStore, OrderRows } from '../../lib/audit/audit.ts';
import { rowsInOrder } from '../../lib/audit/audit.ts';
import type { KeptRefund } from '../../lib/audit/refunds/refund.ts';
import type { Statements } from '../../lib/document/statements.ts';
import type { OrderAsked, OrderName } from '../../lib/shared/request.ts';
import type { Documents } from '../support/mingo-store.ts';
import type { Issue } from './moves.ts';

/** Names rows, in place of a document. */
export const AUDIT = '(audit)';

const ROW = 'row ';
const LEDGER = 'ledger ';

/** Whether a row is of an order of this home; of any, where none is asked for. */
export function isAtHome({ documents }: AuditRow, home: string | undefined): boolean {
  return home === undefined || documents[0] === home;
}

/** Every row, in the order in which they happened. */
export function rowsIn(documents: Documents): readonly AuditRow[] {
  return rowsInOrder(appendedRowsIn(documents));
}

/** Every row, in the order in which they were written. */
export function appendedRowsIn(documents: Documents): readonly AuditRow[] {
  const rows = [...documents].filter(([name]) => name.startsWith(ROW));
  return rows.map(([, row]) => row as AuditRow); // as they are appended
}

export function ledgersIn(documents: Documents): ReadonlyMap<string, readonly KeptRefund[]> {
  const ledgers = [...documents].filter(([name]) => name.startsWith(LEDGER));
  return new Map(
    ledgers.map(([name, { refunds = [] }]) => [
      name.slice(LEDGER.length),
      refunds as readonly KeptRefund[], // as `addRefund` pushes them
    ]),
  );
}

/** Adds what is not there; the row of a call takes the place of a repeat's, and rows of repeats add up. */
export function appendTo(documents: Documents, rows: readonly AuditRow[]): void {
  for (const row of rows) {
    const before = documents.get(ROW + row.id) as AuditRow | undefined; // as it was appended
    if (before !== undefined && before.repeated !== true) continue;
    const known = row.repeated === true ? (before?.shares ?? []) : [];
    const more = row.shares.filter(
      ({ document }) => !known.some((one) => one.document === document),
    );
    const first = before !== undefined && row.repeated === true ? before : row;
    documents.set(ROW + row.id, { ...first, shares: [...known, ...more], expireAt: KEPT_UNTIL });
  }
}

const KEPT_UNTIL = new Date(Date.UTC(2030, 0));

/** The store of rows of one process: each of its calls is a step. */
export function auditOver(documents: Documents, issue: Issue, now: () => Date): AuditStore {
  const read = async (isAsked: (row: AuditRow) => boolean): Promise<OrderRows> => {
    const rows = (await issue('rows', AUDIT, false, () =>
      Promise.resolve(rowsIn(documents).filter(isAsked)),
    )) as readonly AuditRow[]; // what the step gives
    return rows.length === 0 ? { rows } : { rows, now: now() };
  };
  const isOf =
    ({ appId, orderId }: OrderName) =>
    (row: AuditRow): boolean =>
      row.appId === appId && row.orderId === orderId;
  return {
    async append(rows) {
      if (rows.length === 0) return;
      await issue('append', AUDIT, true, () => {
        appendTo(documents, rows);
        return Promise.resolve();
      });
    },
    rowsOf: (order) => read(isOf(order)),
    effectsOf: (order, home) =>
      read((row) => row.effective && isOf(order)(row) && isAtHome(row, home)),
    async effectsOfMany(orders) {
      const isAsked = (order: OrderAsked) => (row: AuditRow) =>
        isOf(order)(row) && isAtHome(row, order.home);
      const found = await read((row) => row.effective && orders.some((one) => isAsked(one)(row)));
      return orders.map((order) => {
        const rows = found.rows.filter(isAsked(order));
        return rows.length === 0 ? { rows } : { ...found, rows };
      });
    },
  };
}

/** Statements on ledgers, which are kept beside the documents under names of their own. */
export function ledgersAmong(statements: Statements): Statements {
  return {
    ...statements,
    update: ({ filter, ...statement }) =>
      statements.update({
        ...statement,
        filter: { ...filter, _id: LEDGER + String(filter._id) },
      }),
  };
}
