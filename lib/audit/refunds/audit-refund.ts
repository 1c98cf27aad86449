import type { AuditRow, Witness } from '../audit.ts';
import { errorRow } from '../audit-rows.ts';
import type { CountedOrder, Refund } from './refund.ts';
import { present } from '../../shared/present.ts';
import type { RefundRequest, Subjects } from '../../shared/request.ts';
import { joinParts } from '../../shared/subject.ts';

/**
 * The row of a refund. It tells what it took off the order's shares, so that sums follow from rows; and
 * names every document of the payment, those among them that gave back nothing.
 */
export function refundRow(
  request: RefundRequest,
  { id, count, shares, row }: CountedOrder,
  { refund, remainingMinor }: Extract<Refund, { readonly kind: 'refunded' }>,
  requestId: string | undefined,
): AuditRow {
  const { appId, orderId, refundId } = request;
  const gaveBack = shares.map(({ document }) => document);
  return {
    id: joinParts([id, 'refunded', refundId]),
    ...{ appId, orderId, operation: 'refund', outcome: 'refunded', effective: true },
    ...{ at: refund.at, subjects: row.subjects, violations: [] },
    ...{ amountMinor: refund.amount, count: remainingMinor > 0 ? 0 : count, refundId },
    ...present({ requestId, reason: request.reason, nonce: row.nonce }),
    ...{ documents: [...new Set([...gaveBack, ...row.documents])], shares },
  };
}

/** The row of a refund that was refused; undefined where that tells nothing of the order. */
export function refundErrorRow(
  request: RefundRequest,
  error: unknown,
  subjects: Subjects,
  witness: Witness,
): AuditRow | undefined {
  const { refundId, amountMinor, reason } = request;
  const asked = { refundId, ...present({ amountMinor, reason }), subjects };
  return errorRow(request, 'refund', error, asked, witness);
}
