import { ORDERS_PER_CALL_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { OrderName, SettlementRequest } from '../shared/request.ts';
import { holdId } from '../shared/subject.ts';

/** How one order of a call of many ended: its answer, or what its own call would have thrown. */
export type ManyResult<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Refuses a call of many that is none, or that names an order twice: which of the two was meant first
 * would be decided by chance.
 *
 * @param field where the orders stand in the request
 * @throws InvalidRequestError
 */
export function refuseRepeatedOrders(field: string, orders: readonly OrderName[]): void {
  if (orders.length < 1 || orders.length > ORDERS_PER_CALL_MAX)
    throw new InvalidRequestError([
      {
        path: field,
        value: `a list of ${orders.length}`,
        expected: `1 to ${ORDERS_PER_CALL_MAX} orders`,
      },
    ]);
  const [mistake, ...others] = repeatedOrders(field, orders);
  if (mistake !== undefined) throw new InvalidRequestError([mistake, ...others]);
}

/**
 * Names the orders that stand before, each with both places.
 *
 * @param orders undefined where an order has no name that could be compared
 */
export function repeatedOrders(
  field: string,
  orders: readonly (OrderName | undefined)[],
): readonly Mistake[] {
  const seen = new Map<string, number>();
  return orders.flatMap((order, index) => {
    if (order === undefined) return [];
    const first = seen.get(holdId(order));
    if (first === undefined) {
      seen.set(holdId(order), index);
      return [];
    }
    const path = `${field}[${index}].orderId`;
    const expected = `an order that stands once; it is ${field}[${first}], too`;
    return [{ path, value: JSON.stringify(order.orderId), expected }];
  });
}

/** Puts items together by a key, in the order in which each key first comes. */
export function groupedBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Refuses settlements that name their order alone, where there is no audit in which it could be found.
 *
 * @throws InvalidRequestError
 */
export function refuseRecorded(
  places: readonly { readonly path: string; readonly request: SettlementRequest }[],
): void {
  const [first, ...others] = places
    .filter(({ request }) => request.whereabouts.kind === 'recorded')
    .map(({ path }) => ({ path, expected: ONE_PLACE }));
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
}

const ONE_PLACE = 'exactly one of reservation and subjects; with an audit, the orderId is enough';
