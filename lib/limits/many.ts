import { ORDERS_PER_CALL_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { OrderName } from '../shared/request.ts';
import { holdId } from '../shared/subject.ts';

/** How one order of a call of many ended: its answer, or what its own call would have thrown. */
export type ManyResult<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Refuses an order that stands twice: chance would decide which of the two was meant first.
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

/** Names each order that stands twice. Pass undefined for one without a name. */
export function repeatedOrders(field: string, orders: readonly (OrderName | undefined)[]) {
  const seen = new Map<string, number>();
  const mistakes: Mistake[] = [];
  for (const [index, order] of orders.entries()) {
    if (order === undefined) continue;
    const id = holdId(order);
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, index);
      continue;
    }
    const path = `${field}[${index}].orderId`;
    const expected = `an order that stands once; it is ${field}[${first}], too`;
    mistakes.push({ path, value: JSON.stringify(order.orderId), expected });
  }
  return mistakes;
}

/** Puts what became of requests, or of orders by their ids, in the order in which they were asked. */
export function inOrderAsked<Asked, One>(
  asked: readonly Asked[],
  told: ReadonlyMap<Asked, One>,
): readonly One[] {
  return asked.map((order) => {
    const one = told.get(order);
    if (one === undefined) throw new TypeError('each order that is asked has an answer');
    return one;
  });
}
