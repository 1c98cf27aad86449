import type { Value } from '../../document/update.ts';
import type { Rule } from '../../rule/rule.ts';
import { SETTLED_STATES } from '../../shared/states.ts';

/** The part of a rule that says which ends of orders count. */
export type CountedEnds = Pick<Rule, 'outcomes' | 'reasonCodes'>;

/** Outcomes of rows that tell of payments. */
export const OF_PAYMENTS = ['held', 'confirmed', 'refunded'];

/** Outcomes of rows that tell of what a rule counts. */
export function rowsFor({ outcomes }: CountedEnds): readonly string[] {
  return outcomes === undefined ? OF_PAYMENTS : [...OF_PAYMENTS, 'rolledBack'];
}

const isRefund = { $eq: ['$outcome', 'refunded'] };
/** A row of a confirm. */
export const IS_CONFIRMED = { $eq: ['$outcome', 'confirmed'] };
const IS_ROLLED_BACK = { $eq: ['$outcome', 'rolledBack'] };
/** One value or another. */
export const when = (condition: Value, yes: Value, no: Value): Value => ({
  $cond: [condition, yes, no],
});

/** @param isCounted says of the row of an order's end whether it counts */
export function counted(isCounted: Value): Readonly<Record<string, Value>> {
  return {
    currency: { $max: '$currency' },
    amount: { $max: when(isCounted, '$amountMinor', null) },
    count: { $max: when(isRefund, null, '$count') },
    refunds: { $sum: when(isRefund, 1, 0) },
    refundedAmount: { $sum: when(isRefund, '$amountMinor', 0) },
    refundedCount: { $sum: when(isRefund, '$count', 0) },
  };
}

/** Whether a row of an order's end counts for a rule. */
export function countsFor({ outcomes, reasonCodes }: CountedEnds): Value {
  if (outcomes === undefined) return IS_CONFIRMED;
  const isFailure =
    reasonCodes === undefined
      ? IS_ROLLED_BACK
      : { $and: [IS_ROLLED_BACK, { $in: ['$reasonCode', reasonCodes] }] };
  const ends = [
    ...(outcomes.includes('confirmed') ? [IS_CONFIRMED] : []),
    ...(outcomes.includes('rolledBack') ? [isFailure] : []),
  ];
  const [only = false, another] = ends;
  return another === undefined ? only : { $or: ends };
}

/** The rows of an order, grouped: what an attempt holds that nobody ended, and when it expires. */
const HELD = {
  isEnded: { $max: { $in: ['$outcome', SETTLED_STATES] } },
  heldAmount: { $max: when({ $eq: ['$outcome', 'held'] }, '$amountMinor', null) },
  holdExpiresAt: { $max: '$holdExpiresAt' },
};

/** Counts such an attempt for a rule that counts what expired: no row tells of that. */
export function expiredFor({ outcomes = [] }: CountedEnds, now: Date) {
  if (!outcomes.includes('expired')) return { fields: {}, stages: [] };
  const isExpired = { $and: [{ $not: ['$isEnded'] }, { $lte: ['$holdExpiresAt', now] }] };
  const amount = when(isExpired, '$heldAmount', '$amount');
  return { fields: HELD, stages: [{ $set: { amount } }] };
}
