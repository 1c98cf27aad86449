import { documentTime } from '../../document/document.ts';
import { addRefund, openLedger, giveBackUpdate } from './refund-documents.ts';
import type { Statements } from '../../document/statements.ts';
import { SERVER_NOW } from '../../document/update.ts';
import type { CountedOrder, GiveBack, KeptRefund, RefundLedger } from './refund.ts';

/** The statements of refunds, within a commit. */
export type RefundStore = ReturnType<typeof refundsOver>;

/** `at` stands in the place of the database's clock, in tests and in local mode. */
export function refundsOver(ledgers: Statements, counters: Statements) {
  return {
    /** Reads the ledger of an order, which it makes before the first refund. */
    async open(order: CountedOrder, at?: Date): Promise<RefundLedger> {
      const found = await ledgers.update(openLedger(order, at ?? SERVER_NOW));
      // As these statements write it; the driver reads 64-bit integers as numbers.
      const ledger = found as (RefundLedger & { readonly seen?: Date }) | undefined;
      if (ledger === undefined) throw new TypeError('an upsert returns the document that it left');
      const { amount, refunds, now, seen } = ledger;
      return { amount, refunds, now: documentTime(now, seen) };
    },

    async add({ id }: CountedOrder, refund: KeptRefund): Promise<void> {
      await ledgers.update(addRefund(id, refund));
    },

    /** Gives back in one document, in buckets that are still there; how many writes that has seen by then. */
    async giveBack(giveBack: GiveBack, at?: Date): Promise<number> {
      const projection = { now: at ?? SERVER_NOW, seen: 1, b: 1 };
      const [found] = await counters.find([giveBack.document], projection);
      if (found?.now === undefined) return 0;
      const update = giveBackUpdate(giveBack, found, documentTime(found.now, found.seen));
      const after = update && (await counters.update(update));
      return Number(after?.q ?? 0);
    },
  };
}
