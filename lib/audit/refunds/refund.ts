import type { AuditRow, RecordedShare } from '../audit.ts';
import { REFUNDS_PER_ORDER_MAX } from '../../shared/bounds.ts';
import { RefundReusedError, RefundTooLargeError, TooManyRefundsError } from './refund-errors.ts';
import type { RefundRequest } from '../../shared/request.ts';

/** A payment that was counted, as its rows tell. */
export type CountedOrder = {
  /** Of the payment: an order that was forgotten may be checked and counted again. */
  readonly id: string;
  readonly amountMinor: number;
  readonly count: number;
  /** Home first. */
  readonly shares: readonly RecordedShare[];
  /** The row that says it. */
  readonly row: AuditRow;
  /** What is kept of its refunds must be kept until then: no row outlives it. */
  readonly keepUntil: Date;
};

/** One refund, as it was kept. */
export type KeptRefund = {
  /** Unique within the order; the caller's. */
  readonly id: string;
  /** Minor units. */
  readonly amount: number;
  readonly at: Date;
};

/** What is kept of a counted order's refunds: nothing is given back that is not written here. */
export type RefundLedger = {
  /** What was counted, in minor units. */
  readonly amount: number;
  /** Oldest first, at most REFUNDS_PER_ORDER_MAX. */
  readonly refunds: readonly KeptRefund[];
  /** Of a refund that is made now. */
  readonly now: Date;
};

/** A refund that is made, or was before. */
export type Refunded = {
  readonly repeated: boolean;
  readonly refund: KeptRefund;
  /** Of the order, this refund included and later ones not. */
  readonly refundedMinor: number;
  readonly remainingMinor: number;
};

/**
 * Decides a refund by what was given back before it.
 *
 * @throws RefundReusedError, RefundTooLargeError, TooManyRefundsError
 */
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

/** What one document gives back, as the rules of its counters have it, in the buckets of a payment. */
export type GiveBack = RecordedShare & {
  readonly amountMinor: number;
  /** 0 while something of the order is left. */
  readonly count: number;
};
