import type { AuditRow } from '../audit/audit.ts';
import { OrderAmbiguousError } from '../shared/errors.ts';

/**
 * Refuses an order id that was allowed for subjects of several homes: an order is known in its home
 * document alone, so that each of them may have one under the same id.
 *
 * @param rows effects of the order, the AUDIT_ROWS_MAX newest: a home that has none among them is
 *   not seen
 * @throws OrderAmbiguousError that names the homes, the oldest first
 */
export function refuseSeveralHomes(orderId: string, rows: readonly AuditRow[]): void {
  const homes = new Set(rows.flatMap(({ documents: [home] }) => home ?? []));
  const [first, second, ...others] = homes;
  if (first !== undefined && second !== undefined)
    throw new OrderAmbiguousError(orderId, [first, second], others.length);
}

/** The rows of the order that has this document as its home. */
export function rowsOfHome(rows: readonly AuditRow[], home: string): readonly AuditRow[] {
  return rows.filter(({ documents }) => documents[0] === home);
}
