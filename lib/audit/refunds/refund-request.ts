import * as z from 'zod/mini';
import { AMOUNT_MINOR_MAX } from '../../shared/bounds.ts';
import type { RefundRequest } from '../../shared/request.ts';
import { text, wholeNumber } from '../../http/fields.ts';
import type { ParsedText } from '../../http/json-text.ts';
import { onlyFields, readRequest } from '../../http/requests.ts';
import { notOnePlace, settlementShape, whereaboutsOf } from '../../http/settle-request.ts';

const { orderId, reservation, subjects } = settlementShape;
const shape = {
  ...{ orderId, refundId: text },
  amount: z.optional(wholeNumber(1, AMOUNT_MINOR_MAX)),
  ...{ reservation, subjects, reason: z.optional(text) },
};
/** What `refund` takes. */
export const refundSchema = z.strictObject(shape, { error: onlyFields(Object.keys(shape)) });

/**
 * Reads what `refund` is asked.
 *
 * @param appId whose order it is
 * @throws InvalidRequestError with every mistake
 */
export function readRefundRequest(text: ParsedText, appId: string): RefundRequest {
  const body = readRequest(refundSchema, text, notOnePlace);
  return {
    appId,
    orderId: body.orderId,
    refundId: body.refundId,
    ...(body.amount === undefined ? {} : { amountMinor: body.amount }),
    whereabouts: whereaboutsOf(body),
    ...(body.reason === undefined ? {} : { reason: body.reason }),
  };
}
