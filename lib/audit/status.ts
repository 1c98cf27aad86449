import { inOrder } from './audit.ts';
import { AUDIT_ROWS_MAX } from '../shared/bounds.ts';
import { refuseSeveralHomes } from '../limits/homes.ts';
import type { OrderStatus } from './order-status.ts';
import { statusOf } from './order-status.ts';
import type { OrderName } from '../shared/request.ts';
import type { AuditStore } from './audit-store.ts';
import type { Context } from '../limits/context.ts';

/**
 * Says how an order stands, from its audit rows.
 *
 * @throws OrderAmbiguousError where orders of several homes have the id
 */
export async function status(
  { clock, at }: Pick<Context, 'clock' | 'at'>,
  store: AuditStore,
  order: OrderName,
): Promise<OrderStatus> {
  const { rows, now } = await store.rowsOf(order);
  // Beyond the rows that are read there may be the one that counts.
  const effects = rows.length < AUDIT_ROWS_MAX ? [] : (await store.effectsOf(order)).rows;
  refuseSeveralHomes(
    order.orderId,
    [...rows, ...effects].filter(({ effective }) => effective),
  );
  const known = new Set(rows.map(({ id }) => id));
  const all = inOrder([...rows, ...effects.filter(({ id }) => !known.has(id))]);
  return statusOf(order.orderId, all, rows, at ?? now ?? clock.estimate());
}
