import * as z from 'zod/mini';
import { AMOUNT_MINOR_MAX } from '../domain/bounds.ts';
import type { RefundRequest } from '../domain/request.ts';
import { text, wholeNumber } from './fields.ts';
import type { ParsedText } from './json-text.ts';
import { onlyFields, readRequest } from './requests.ts';
import { notOnePlace, settlementShape, whereaboutsOf } from './settle-request.ts';

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
