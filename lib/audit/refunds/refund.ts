import type { AuditRow } from '../audit.ts';
import { REFUNDS_PER_ORDER_MAX } from '../../shared/bounds.ts';
import { HeadroomError, errorOf } from '../../shared/errors.ts';
import type { RefundRequest } from '../../shared/request.ts';
import type { RecordedShare } from '../../limits/order-trace.ts';

/** A payment that was counted, as its rows tell. */
export type CountedOrder = {
  /** Names the payment: an order that was forgotten may be counted again. */
  readonly id: string;
  readonly amountMinor: number;
  readonly count: number;
  /** Home first. */
  readonly shares: readonly RecordedShare[];
  readonly row: AuditRow;
  /** Its refunds must be kept until then: no row outlives it. */
  readonly keepUntil: Date;
};

/** One refund, as it was kept: the caller's id, unique within the order, and minor units. */
export type KeptRefund = { readonly id: string; readonly amount: number; readonly at: Date };

/** The refunds of an order: nothing is given back that is not written here. */
export type RefundLedger = {
  /** Counted, in minor units. */
  readonly amount: number;
  /** Oldest first, at most REFUNDS_PER_ORDER_MAX. */
  readonly refunds: readonly KeptRefund[];
  readonly now: Date;
};

/** A refund that is made now, or was before. */
export type Refunded = {
  readonly repeated: boolean;
  readonly refund: KeptRefund;
  /** With this refund, and without later ones. */
  readonly refundedMinor: number;
  readonly remainingMinor: number;
};

/** @throws RefundReusedError, RefundTooLargeError, TooManyRefundsError */
export function decideRefund(
  { amount, refunds, now }: RefundLedger,
  { orderId, refundId, amountMinor }: RefundRequest,
): Refunded {
  const known = refunds.find(({ id }) => id === refundId);
  const earlier = known === undefined ? refunds : refunds.slice(0, refunds.indexOf(known));
  const before = earlier.reduce((sum, each) => sum + each.amount, 0);
  const left = amount - before;
  const refund = known ?? { id: refundId, amount: amountMinor ?? left, at: now };
  if (known === undefined) {
    if (refunds.length >= REFUNDS_PER_ORDER_MAX && left > 0)
      throw new TooManyRefundsError(orderId, REFUNDS_PER_ORDER_MAX);
    // An order of nothing is refunded by its first refund.
    const isSome = left > 0 || refunds.length === 0;
    if (!isSome || refund.amount > left) throw new RefundTooLargeError(orderId, before, left);
  } else if (amountMinor !== undefined && amountMinor !== known.amount)
    throw new RefundReusedError(refundId, known.amount);
  const refundedMinor = before + refund.amount;
  const repeated = known !== undefined;
  return { repeated, refund, refundedMinor, remainingMinor: amount - refundedMinor };
}

/** A part of a refund: one document gives back in the buckets of the payment, as their rules have it. */
export type GiveBack = RecordedShare & {
  readonly amountMinor: number;
  /** 0 while something of the order is left. */
  readonly count: number;
};

/** Nobody said that the payment of the held order happened. */
export class NotConfirmedError extends errorOf(
  'NOT_CONFIRMED',
  (orderId: string) =>
    `order ${JSON.stringify(orderId)} is not confirmed; nothing was changed: confirm it first, or roll it back`,
) {}

/** More than is left of what was counted. */
export class RefundTooLargeError extends HeadroomError {
  override readonly name = 'RefundTooLargeError';
  readonly code = 'REFUND_TOO_LARGE';
  /** Minor units. */
  override readonly fields: { readonly remaining: number };
  constructor(orderId: string, refundedMinor: number, remainingMinor: number) {
    super(
      `order ${JSON.stringify(orderId)} has ${remainingMinor} left to refund, after refunds of ${refundedMinor}; nothing was changed: refund at most ${remainingMinor}`,
    );
    this.fields = { remaining: remainingMinor };
  }
}

class RefundReusedError extends errorOf(
  'REFUND_REUSED',
  (refundId: string, amountMinor: number) =>
    `refund ${JSON.stringify(refundId)} of this order had the amount ${amountMinor} before; nothing was changed: use a new refundId, or send the first request again`,
) {}

class TooManyRefundsError extends errorOf(
  'TOO_MANY_REFUNDS',
  (orderId: string, most: number) =>
    `order ${JSON.stringify(orderId)} has ${most} refunds, the most it may have; nothing was changed`,
) {}

/** The order was counted, but no audit row says where: it is lost, or not written yet. */
export class NotRecordedError extends errorOf(
  'NOT_RECORDED',
  (orderId: string) =>
    `order ${JSON.stringify(orderId)} counts, but its audit rows do not say in which windows: a row is lost, or not written yet; nothing was changed: send the call that counted it once more, and refund it then`,
) {}
