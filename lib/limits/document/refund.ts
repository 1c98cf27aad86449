import type { CountedOrder, KeptRefund } from '../../audit/refunds/refund.ts';
import type { Update } from './update.ts';

/** A day beyond the last row that says what was counted: no ledger is gone while a refund could be asked. */
const BEYOND_MS = 86_400_000;

/**
 * The update that reads the ledger of an order's refunds, makes it before the first one, and keeps it as
 * long as the order's rows.
 *
 * @param serverNow as statements name it
 */
export function openLedger(
  { id, amountMinor, keepUntil }: Pick<CountedOrder, 'id' | 'amountMinor' | 'keepUntil'>,
  serverNow: Date | string,
): Update {
  return {
    filter: { _id: id },
    update: {
      $setOnInsert: { amount: BigInt(amountMinor), refunds: [] },
      $max: { expireAt: new Date(keepUntil.getTime() + BEYOND_MS) },
    },
    returnDocument: 'after',
    projection: { now: serverNow, amount: 1, refunds: 1, seen: 1 },
    upsert: true,
  };
}

/** The update that adds a refund to a ledger. It asks nothing: its commit has read the ledger. */
export function addRefund(ledgerId: string, refund: KeptRefund): Update {
  return {
    filter: { _id: ledgerId },
    update: {
      $push: { refunds: { ...refund, amount: BigInt(refund.amount) } },
      $max: { seen: refund.at },
    },
    returnDocument: 'after',
    projection: { _id: 1 },
  };
}
