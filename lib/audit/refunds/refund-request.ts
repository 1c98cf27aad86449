import * as z from 'zod/mini';
import { AMOUNT_MINOR_MAX } from '../../shared/bounds.ts';
import type { RefundRequest } from '../../shared/request.ts';
import { text, wholeNumber } from '../../http/fields.ts';
import type { ParsedText } from '../../http/json-text.ts';
import { readRequest } from '../../http/requests.ts';
import {
  forTheRecords,
  notOnePlace,
  settlementRequest,
  settlementShape,
  whereaboutsOf,
} from '../../http/settle-request.ts';

const { orderId, reservation, subjects } = settlementShape;

/** What `refund` takes. */
export const refundSchema = settlementRequest('RefundRequest', {
  orderId,
  refundId: text('Yours; names the refund within the order for ever.'),
  amount: z.optional(
    wholeNumber(
      1,
      AMOUNT_MINOR_MAX,
      '1 to what is left, in minor units; left out, all that is left.',
    ),
  ),
  ...{ reservation, subjects, reason: forTheRecords },
});

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
