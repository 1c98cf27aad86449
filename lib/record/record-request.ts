import type { Mistake } from '../shared/errors.ts';
import { namesUsedTwice, paymentShape } from '../http/check-request.ts';
import { instant } from '../schema/fields.ts';
import { listOf, manySchema } from '../http/many-request.ts';
import { mistakesOf, onePerPlace } from '../schema/mistakes.ts';
import { requestSchema } from '../http/requests.ts';
import { component, said } from '../schema/said.ts';

const { orderId, ...payment } = paymentShape;

/** One payment that happened. */
export const recordOrderSchema = component(
  'Payment',
  said(
    requestSchema({
      orderId,
      at: instant(
        'The time of the payment: RFC 3339 with a zone, at most milliseconds, not in the future.',
      ),
      ...payment,
    }),
    'A payment that happened without a check.',
  ),
);
/** The request for `record`. */
export const recordSchema = manySchema('RecordRequest', {
  orders: listOf(recordOrderSchema, 'Payment'),
});

/** Mistakes in one payment by itself; its time is compared with no clock. */
export function recordMistakes(order: unknown): readonly Mistake[] {
  const { success, error } = recordOrderSchema.safeParse(order);
  return onePerPlace([...(success ? [] : mistakesOf(error, order)), ...namesUsedTwice(order)]);
}
