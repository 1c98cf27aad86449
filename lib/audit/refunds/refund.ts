import type { AuditRow, RecordedShare } from '../audit.ts';
import { REFUNDS_PER_ORDER_MAX } from '../../shared/bounds.ts';
import { refundsOf } from '../../windows/counter.ts';
import type { BucketReference } from '../../limits/document/document.ts';
import { decisiveRow } from '../order-status.ts';
import { joinParts } from '../../shared/subject.ts';

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
  /** Which call made it. */
  readonly nonce: string;
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
};

/** What a refund asks. */
export type RefundAsk = {
  readonly id: string;
  readonly nonce: string;
  /** All that is left when absent. */
  readonly amountMinor?: number;
};

/** What a ledger says to a refund, read from what it holds afterwards. */
export type Refund =
  | {
      readonly kind: 'refunded';
      readonly repeated: boolean;
      readonly refund: KeptRefund;
      /** Of the order, this refund included and later ones not. */
      readonly refundedMinor: number;
      readonly remainingMinor: number;
    }
  | { readonly kind: 'reused'; readonly amountMinor: number }
  | { readonly kind: 'tooMany' }
  | { readonly kind: 'tooLarge'; readonly refundedMinor: number; readonly remainingMinor: number };

/** The refund that a ledger takes of an ask; undefined where it takes none. */
export function refundIn(
  { amount, refunds }: RefundLedger,
  ask: RefundAsk,
): { readonly id: string; readonly nonce: string; readonly amount: number } | undefined {
  const left = refunds.reduce((rest, refund) => rest - refund.amount, amount);
  const asked = ask.amountMinor ?? left;
  const isNew = !refunds.some(({ id }) => id === ask.id);
  // An order of nothing is refunded by its first refund.
  const isSome = left > 0 || refunds.length === 0;
  const fits = isNew && isSome && asked <= left && refunds.length < REFUNDS_PER_ORDER_MAX;
  return fits ? { id: ask.id, nonce: ask.nonce, amount: asked } : undefined;
}

/** Decides a refund from the ledger after it. */
export function decideRefund({ amount, refunds }: RefundLedger, ask: RefundAsk): Refund {
  const index = refunds.findIndex(({ id }) => id === ask.id);
  const refund = refunds[index];
  const soFar = refund === undefined ? refunds : refunds.slice(0, index + 1);
  const refundedMinor = soFar.reduce((sum, each) => sum + each.amount, 0);
  const sums = { refundedMinor, remainingMinor: amount - refundedMinor };
  if (refund === undefined)
    return refunds.length >= REFUNDS_PER_ORDER_MAX && sums.remainingMinor > 0
      ? { kind: 'tooMany' }
      : { kind: 'tooLarge', ...sums };
  const { nonce } = refund;
  if (nonce !== ask.nonce && ask.amountMinor !== undefined && ask.amountMinor !== refund.amount)
    return { kind: 'reused', amountMinor: refund.amount };
  return { kind: 'refunded', repeated: nonce !== ask.nonce, refund, ...sums };
}

/**
 * What rows say of the payment that an order was counted as; undefined where none says that it was.
 *
 * @param rows of the order, oldest first, every effect among them
 * @param seen what home knows of the order, where the row of its confirm got lost
 */
export function countedOrder(
  rows: readonly AuditRow[],
  seen?: { readonly amount: number; readonly count: number },
): CountedOrder | undefined {
  const row = decisiveRow(rows);
  const isCounted = row?.outcome === 'confirmed' || (row?.outcome === 'held' && seen !== undefined);
  if (row?.nonce === undefined || !isCounted) return undefined;
  const own = rows.filter(({ nonce, effective }) => effective && nonce === row.nonce);
  const kept = own.flatMap(({ expireAt }) => expireAt?.getTime() ?? []);
  return {
    id: joinParts([row.appId, row.orderId, row.nonce]),
    amountMinor: seen?.amount ?? row.amountMinor ?? 0,
    count: seen?.count ?? row.count ?? 1,
    shares: sharesIn(own, row),
    row,
    keepUntil: new Date(Math.max(0, ...kept)),
  };
}

/**
 * Where a payment was counted. The row of the call that counted it says it; where that one got lost,
 * the row of its check says where its share was held.
 */
function sharesIn(own: readonly AuditRow[], row: AuditRow): readonly RecordedShare[] {
  if (row.outcome === 'confirmed' && row.repeated !== true) return row.shares;
  const held = own.find(({ outcome }) => outcome === 'held')?.shares ?? [];
  const known = new Set(held.map(({ document }) => document));
  return [...held, ...row.shares.filter(({ document }) => !known.has(document))];
}

/** The amount that one document gives back. */
export type GiveBack = {
  readonly document: string;
  readonly amountMinor: number;
  /** Buckets that get the amount back. */
  readonly amountIn: readonly BucketReference[];
  readonly count: number;
  /** Buckets that get the count back; none while something of the order is left. */
  readonly countIn: readonly BucketReference[];
};

/** What each document gives back for a refund, as the rules of its counters have it. */
export function giveBacks(
  { shares, count }: Pick<CountedOrder, 'shares' | 'count'>,
  { refund, remainingMinor }: Extract<Refund, { readonly kind: 'refunded' }>,
): readonly GiveBack[] {
  return shares.flatMap(({ document, buckets }) => {
    const amountIn = buckets.filter(({ counter }) => refundsOf(counter).amount);
    const countIn =
      remainingMinor > 0 ? [] : buckets.filter(({ counter }) => refundsOf(counter).count);
    return amountIn.length + countIn.length === 0
      ? []
      : [{ document, amountMinor: refund.amount, amountIn, count, countIn }];
  });
}

/** How many of the windows in which an order counted still count at an instant, and how many are over. */
export function windowsAt(
  shares: readonly RecordedShare[],
  at: Date,
): { readonly open: number; readonly over: number } {
  const buckets = shares.flatMap((share) => share.buckets);
  const open = buckets.filter(({ until }) => until > at).length;
  return { open, over: buckets.length - open };
}
