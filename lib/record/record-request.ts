import * as z from 'zod/mini';
import type { Mistake } from '../shared/errors.ts';
import { namesUsedTwice, orderShape, paymentShape } from '../http/check-request.ts';
import { instant } from '../schema/fields.ts';
import { INSTANT_FORM } from '../schema/instant.ts';
import { STATUSES, endOfPayment, manyOrders, manySchema } from '../http/many-request.ts';
import { failureCode } from '../http/settle-request.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt, mistakesOf, onePerPlace, ownField } from '../schema/mistakes.ts';
import type { RecordRequest } from '../shared/request.ts';
import { requestSchema } from '../http/requests.ts';
import { component, said } from '../schema/said.ts';

const { orderId, ...payment } = paymentShape;

/** One payment that happened. */
const recordOrderSchema = component(
  'Payment',
  said(
    requestSchema({
      orderId,
      at: instant(`The time of the payment, not in the future: ${INSTANT_FORM}.`),
      ...payment,
      proofs: orderShape.proofs,
      status: said(
        z.optional(endOfPayment('SUCCESS', 'FAIL')),
        'The end of the payment. Rules that count failures count one that failed. Default: `SUCCESS`.',
      ),
      reasonCode: failureCode,
    }),
    'A payment that happened, or failed, without a check.',
    {
      if: { properties: { status: { const: 'FAIL' } }, required: ['status'] },
      else: { not: { required: ['reasonCode'] } },
    },
  ),
);
/** The request for `record`. */
export const recordSchema = manySchema('RecordRequest', {
  orders: manyOrders(recordOrderSchema, 'Payment'),
});

/** How a payment ended that did not succeed. */
export function endingGiven({
  status,
  reasonCode,
}: Pick<z.infer<typeof recordOrderSchema>, 'status' | 'reasonCode'>): Pick<
  RecordRequest,
  'ending'
> {
  return status === 'FAIL' ? { ending: { to: STATUSES.FAIL, reasonCode } } : {};
}

/** Finds mistakes between the fields of one payment. */
export function reasonCodeMistakes(order: unknown, at: Path = []): readonly Mistake[] {
  const code = ownField(order, 'reasonCode');
  const isMisplaced = code !== undefined && ownField(order, 'status') !== 'FAIL';
  const expected = 'no reasonCode but with status FAIL';
  return [
    ...namesUsedTwice(order, at),
    ...(isMisplaced ? [mistakeAt([...at, 'reasonCode'], code, expected)] : []),
  ];
}

/** Mistakes in one payment by itself; its time is compared with no clock. */
export function recordMistakes(order: unknown): readonly Mistake[] {
  const { success, error } = recordOrderSchema.safeParse(order);
  const found = success ? [] : mistakesOf(error, order);
  return onePerPlace([...found, ...reasonCodeMistakes(order)]);
}
