import type { KeptRefund } from '../../audit/refunds/refund.ts';

/** A day beyond the last row that says what was counted: no ledger is gone while a refund could be asked. */
const BEYOND_MS = 86_400_000;

/** What a refund does to the ledger of its order. */
export type LedgerChange = {
  /** What was counted. */
  readonly amountMinor: number;
  /** When the last row of the order goes. */
  readonly keepUntil: Date;
  /** Undefined where the ledger has it already, or no more may be given back. */
  readonly added: KeptRefund | undefined;
};

/**
 * The update that adds a refund to the ledger of its order, and makes the ledger where there is none. It
 * asks nothing: it is part of the commit that has read the ledger, and decided by that.
 */
export function refundUpdate(ledgerId: string, { amountMinor, keepUntil, added }: LedgerChange) {
  const expireAt = new Date(keepUntil.getTime() + BEYOND_MS);
  const amount = BigInt(amountMinor);
  return {
    filter: { _id: ledgerId },
    update:
      added === undefined
        ? { $setOnInsert: { amount, refunds: [] }, $max: { expireAt } }
        : {
            $setOnInsert: { amount },
            $push: { refunds: { ...added, amount: BigInt(added.amount) } },
            $max: { expireAt, seen: added.at },
          },
    upsert: true,
  };
}
