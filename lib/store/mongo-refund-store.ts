import type { ClientSession, Collection, Db } from 'mongodb';
import { bucketName } from '../domain/document.ts';
import type { KeptRefund, RefundLedger } from '../domain/refund.ts';
import { SERVER_NOW } from '../pipeline/expression.ts';
import { giveBackPipeline, refundPipeline } from '../pipeline/refund-pipeline.ts';
import { decided } from './failure.ts';
import type { CounterDocument } from './mongo-counter-store.ts';
import { COUNTERS } from './mongo-counter-store.ts';
import type { RefundStore } from './refund-store.ts';

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

/** A day beyond the last row that says what was counted: no ledger is gone while a refund could be asked. */
const BEYOND_MS = 86_400_000;

/** The ledgers of a database. */
function refundCollection(db: Db): Collection<RefundDocument> {
  return db.collection<RefundDocument>(REFUNDS);
}

/**
 * Keeps refunds in MongoDB, as part of a multi-document commit.
 *
 * @param timeoutMs longest wait for the answer to one call
 */
export function mongoRefundStore(db: Db, session: ClientSession, timeoutMs: number): RefundStore {
  return {
    async add({ id, amountMinor, keepUntil }, ask, at) {
      const data = {
        counted: BigInt(amountMinor),
        id: ask.id,
        nonce: ask.nonce,
        amount: ask.amountMinor === undefined ? null : BigInt(ask.amountMinor),
        keepUntil: new Date(keepUntil.getTime() + BEYOND_MS),
      };
      const found = await decided(
        refundCollection(db).findOneAndUpdate(
          { _id: id },
          [...refundPipeline(data, at ?? SERVER_NOW)],
          {
            upsert: true,
            returnDocument: 'after',
            projection: { amount: 1, refunds: 1 },
            includeResultMetadata: false,
            session,
          },
        ),
        timeoutMs,
      );
      if (found === null) throw new TypeError('an upsert returns the document that it left');
      return ledgerOf(found);
    },

    async giveBack({ document, amountMinor, amountIn, count, countIn }, at) {
      const [amounts, counts] = [amountIn.map(bucketName), countIn.map(bucketName)];
      const data = {
        amount: BigInt(amountMinor),
        amountIn: amounts,
        count: BigInt(count),
        countIn: counts,
        names: [...new Set([...amounts, ...counts])],
      };
      const counters = db.collection<CounterDocument>(COUNTERS);
      const pipeline = [...giveBackPipeline(data, at ?? SERVER_NOW)];
      await decided(
        counters.updateOne({ _id: document }, pipeline, { upsert: false, session }),
        timeoutMs,
      );
    },
  };
}

function ledgerOf({ amount, refunds }: Pick<RefundDocument, 'amount' | 'refunds'>): RefundLedger {
  return {
    amount: Number(amount),
    refunds: refunds.map((refund) => ({ ...refund, amount: Number(refund.amount) })),
  };
}
