import type { Long } from 'mongodb';
import { refundsOf } from '../../rule/counter-key.ts';
import type { CountedSum } from './history.ts';

/** The driver gives all digits of a sum that no number keeps exactly. */
type StoredSum = number | Long;

/** Sums of a window, or of all, in one currency. */
export type SumRow = {
  /** A window by its place, from 1 on. */
  readonly _id: { readonly window?: number; readonly currency?: string | null };
} & Readonly<Record<'amountMinor' | 'count' | 'refundedMinor' | 'refundedCount', StoredSum>> &
  Readonly<Partial<Record<'recordedMinor' | 'recordedCount', StoredSum>>>;

/** Sums by currency, less what lowers them. What was refunded of that is not taken off. */
export function less(
  sums: readonly CountedSum[],
  lowering: readonly CountedSum[],
): readonly CountedSum[] {
  const currencies = new Set([...sums, ...lowering].map(({ currency }) => currency));
  return [...currencies].map((currency) => {
    const isOfIt = (one: CountedSum): boolean => one.currency === currency;
    const [counted, taken] = [sums.find(isOfIt) ?? NOTHING, lowering.find(isOfIt) ?? NOTHING];
    const amountMinor = counted.amountMinor - (taken.amountMinor - taken.refundedMinor);
    return { ...counted, currency, amountMinor };
  });
}

const NOTHING = {
  amountMinor: 0,
  count: 0,
  refundedMinor: 0,
  refundedCount: 0,
  recordedMinor: 0,
  recordedCount: 0,
};

/**
 * Reads sums, in the order of their currencies.
 *
 * @param counter what it does not give back for a refund stays counted
 */
export function countedSums(rows: readonly SumRow[], counter = ''): readonly CountedSum[] {
  const gives = refundsOf(counter);
  return rows
    .map((row) => ({
      currency: row._id.currency ?? null,
      amountMinor: Number(row.amountMinor),
      count: Number(row.count),
      refundedMinor: gives.amount ? Number(row.refundedMinor) : 0,
      refundedCount: gives.count ? Number(row.refundedCount) : 0,
      recordedMinor: Number(row.recordedMinor ?? 0),
      recordedCount: Number(row.recordedCount ?? 0),
    }))
    .sort((one, other) => ((one.currency ?? '') < (other.currency ?? '') ? -1 : 1));
}
