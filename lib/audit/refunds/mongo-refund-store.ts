import type { ClientSession, Db } from 'mongodb';
import { documentTime } from '../../limits/document/document-time.ts';
import type { KeptRefund, RefundStore } from './refund.ts';
import { giveBackUpdate } from '../../limits/document/give-back.ts';
import { refundUpdate } from '../../limits/document/refund.ts';
import type { StoredDocument } from '../../limits/document/stored.ts';
import { SERVER_NOW } from '../../limits/document/update.ts';
import { decided } from '../../mongo/failure.ts';
import { serverNow } from '../mongo-audit-store.ts';
import type { CounterDocument } from '../../limits/mongo-counter-store.ts';
import { COUNTERS } from '../../limits/mongo-counter-store.ts';

/** The ledger of one order's refunds as it is stored. Amounts are 64-bit integers, and numbers once read. */
export type RefundDocument = {
  readonly _id: string;
  /** What was counted. */
  readonly amount: bigint | number;
  readonly refunds: readonly (Omit<KeptRefund, 'amount'> & { readonly amount: bigint | number })[];
  readonly seen?: Date;
  /** The TTL index's field. */
  readonly expireAt: Date;
};

/** Name of the collection of ledgers, one a refunded order. */
export const REFUNDS = 'refunds';

/**
 * Keeps refunds in MongoDB, as part of a multi-document commit.
 *
 * @param timeoutMs longest wait for the answer to one call
 */
export function mongoRefundStore(db: Db, session: ClientSession, timeoutMs: number): RefundStore {
  const ledgers = db.collection<RefundDocument>(REFUNDS);
  const run = <T>(statement: Promise<T>): Promise<T> => decided(statement, timeoutMs);
  return {
    async read({ id, amountMinor }, at) {
      const projection = { now: SERVER_NOW, amount: 1, refunds: 1, seen: 1 };
      const found = await run(
        ledgers.findOne<RefundDocument & { readonly now: Date }>(
          { _id: id },
          { projection, session },
        ),
      );
      const { amount, refunds, seen } = found ?? { amount: amountMinor, refunds: [] };
      const now = at ?? found?.now ?? (await run(serverNow(db, session)));
      if (now === undefined)
        throw new TypeError('an order that is refunded has a row that says so');
      return {
        amount: Number(amount),
        refunds: refunds.map((refund) => ({ ...refund, amount: Number(refund.amount) })),
        now: documentTime(now, seen),
      };
    },

    async keep({ id, amountMinor, keepUntil }, added) {
      const { filter, update, upsert } = refundUpdate(id, { amountMinor, keepUntil, added });
      await run(ledgers.updateOne(filter, update, { upsert, session }));
    },

    async giveBack(giveBack, at) {
      const counters = db.collection<CounterDocument>(COUNTERS);
      const projection = { now: at ?? SERVER_NOW, seen: 1, buckets: 1 };
      const found = await run(
        counters.findOne<StoredDocument>({ _id: giveBack.document }, { projection, session }),
      );
      if (found?.now === undefined) return;
      const update = giveBackUpdate(giveBack, found, documentTime(found.now, found.seen));
      if (update === undefined) return;
      await run(counters.updateOne(update.filter, update.update, { upsert: false, session }));
    },
  };
}
