import { HeadroomError, errorOf } from '../../shared/errors.ts';

/** The order is held, and nobody said that its payment happened: there is nothing to refund yet. */
export class NotConfirmedError extends errorOf(
  'NOT_CONFIRMED',
  (orderId: string) =>
    `order ${JSON.stringify(orderId)} is not confirmed; nothing was changed: confirm it first, or roll it back`,
) {}

/** More was to be refunded than is left of what was counted. */
export class RefundTooLargeError extends HeadroomError {
  override readonly name = 'RefundTooLargeError';
  readonly code = 'REFUND_TOO_LARGE';
  /** What may still be refunded, in minor units. */
  readonly remainingMinor: number;
  constructor(orderId: string, refundedMinor: number, remainingMinor: number) {
    super(
      `order ${JSON.stringify(orderId)} has ${remainingMinor} left to refund, after refunds of ${refundedMinor}; nothing was changed: refund at most ${remainingMinor}`,
    );
    this.remainingMinor = remainingMinor;
  }
}

/** The refund's id was used before for another amount of the same order. */
export class RefundReusedError extends errorOf(
  'REFUND_REUSED',
  (refundId: string, amountMinor: number) =>
    `refund ${JSON.stringify(refundId)} of this order had the amount ${amountMinor} before; nothing was changed: use a new refundId, or send the first request again`,
) {}

/** The order has as many refunds as one may have. */
export class TooManyRefundsError extends errorOf(
  'TOO_MANY_REFUNDS',
  (orderId: string, most: number) =>
    `order ${JSON.stringify(orderId)} has ${most} refunds, the most it may have; nothing was changed`,
) {}

/** The order was counted, but the audit rows that say where got lost. */
export class NotRecordedError extends errorOf(
  'NOT_RECORDED',
  (orderId: string) =>
    `order ${JSON.stringify(orderId)} counts, but its audit rows are lost, so Headroom cannot tell in which windows; nothing was changed`,
) {}
