import type { AuditStore, OrderRows } from './audit.ts';
import type { OrderAsked } from '../shared/request.ts';

/** Reads the effects of an order. */
export type ReadRows = (order: OrderAsked) => Promise<OrderRows>;

/** Reads the effects of these orders of a call at once, as soon as those of one are asked for. */
export function readTogether(store: AuditStore, orders: readonly OrderAsked[]): ReadRows {
  const alone: ReadRows = ({ home, ...order }) => store.effectsOf(order, home);
  if (orders.length < 2) return alone;
  let all: Promise<readonly OrderRows[]> | undefined;
  return async (order) => {
    all ??= store.effectsOfMany(orders);
    const found = await all;
    const { appId, orderId, home } = order;
    const isAsked = (one: OrderAsked): boolean =>
      one.appId === appId && one.orderId === orderId && one.home === home;
    return found[orders.findIndex(isAsked)] ?? alone(order);
  };
}
