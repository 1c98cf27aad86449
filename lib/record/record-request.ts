import * as z from 'zod/mini';
import { COUNT_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import type { RecordRequest } from '../shared/request.ts';
import { namesUsedTwice, positiveZero } from '../http/check-request.ts';
import {
  amount,
  attributes,
  currencyCode,
  subjects,
  text,
  typeName,
  wholeNumber,
} from '../http/fields.ts';
import { INSTANT_EXPECTED, readInstant } from '../http/instant.ts';
import type { ParsedText } from '../http/json-text.ts';
import { betweenOrders, listOf } from '../http/many-request.ts';
import { mistakesOf, onePerPlace } from '../http/mistakes.ts';
import { onlyFields, readRequest } from '../http/requests.ts';

/** What one of `orders` is. */
export const recordFields = {
  orderId: text,
  at: z.custom<string>((value) => readInstant(value) !== undefined, { error: INSTANT_EXPECTED }),
  type: z.optional(typeName),
  subjects,
  amount,
  currency: currencyCode,
  count: z.optional(wholeNumber(1, COUNT_MAX)),
  attributes: z.optional(attributes),
};

/** One payment that happened. */
export const recordOrderSchema = z.strictObject(recordFields, {
  error: onlyFields(Object.keys(recordFields)),
});
const shape = { orders: listOf(recordOrderSchema) };
/** What `record` takes. */
export const recordSchema = z.strictObject(shape, { error: onlyFields(Object.keys(shape)) });

/** What is wrong with one payment by itself; what it says of time is compared with no clock. */
export function recordMistakes(order: unknown): readonly Mistake[] {
  const { success, error } = recordOrderSchema.safeParse(order);
  return onePerPlace([...(success ? [] : mistakesOf(error, order)), ...namesUsedTwice(order)]);
}

/**
 * Reads what `record` is asked.
 *
 * @param appId whose orders they are
 * @throws InvalidRequestError with every mistake of every order
 */
export function readRecordRequest(parsed: ParsedText, appId: string): readonly RecordRequest[] {
  const { orders } = readRequest(recordSchema, parsed, (value) =>
    betweenOrders(value, 'orders', appId, namesUsedTwice),
  );
  return orders.map((order) => {
    const happenedAt = readInstant(order.at);
    if (happenedAt === undefined) throw new TypeError('an instant that was read can be read');
    return {
      appId,
      orderId: order.orderId,
      happenedAt,
      ...(order.type === undefined ? {} : { type: order.type }),
      subjects: order.subjects,
      amountMinor: positiveZero(order.amount),
      currency: order.currency,
      count: order.count ?? 1,
      attributes: order.attributes ?? {},
    };
  });
}
