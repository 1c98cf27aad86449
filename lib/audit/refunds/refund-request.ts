import * as z from 'zod/mini';
import { AMOUNT_MINOR_MAX } from '../../shared/bounds.ts';
import { text, wholeNumber } from '../../schema/fields.ts';
import { forTheRecords, settlementRequest, settlementShape } from '../../http/settle-request.ts';

const { orderId, reservation, subjects } = settlementShape;

/** The request for `refund`. */
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
  reservation,
  subjects,
  reason: forTheRecords,
});
