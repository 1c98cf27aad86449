import { bucketFields, bucketName } from './document.ts';
import type { GiveBack } from '../../audit/refunds/refund.ts';
import type { StoredDocument, Whole } from './stored.ts';
import { numberOf } from './stored.ts';
import { refundsOf } from '../../windows/counter.ts';
import type { Update } from './update.ts';
import { Increments } from './update.ts';

/**
 * The update that gives back what a refund takes off a document's sums; undefined where no bucket is left
 * to take it off. When the document comes back, it is proven that so much was used: what is used never
 * falls below zero.
 *
 * @param stored the document as it was read
 */
export function giveBackUpdate(
  { document, buckets, amountMinor, count }: GiveBack,
  stored: StoredDocument,
  now: Date,
): Update | undefined {
  const sums = new Increments();
  const filter: Record<string, unknown> = {};
  const takeOff = (all: string, used: string, sum: Whole, asked: number): void => {
    const less = BigInt(Math.min(numberOf(sum), asked));
    if (less === 0n) return;
    sums.add(all, -less);
    sums.add(used, -less);
    filter[used] = { $gte: less };
  };
  for (const bucket of buckets) {
    const gives = refundsOf(bucket.counter);
    const fields = bucketFields(bucketName(bucket));
    const { ua = 0, un = 0 } = stored.b?.[fields.name] ?? {};
    if (gives.amount) takeOff(fields.amount, fields.usedAmount, ua, amountMinor);
    if (gives.count) takeOff(fields.count, fields.usedCount, un, count);
  }
  const added = sums.update();
  if (added.$inc === undefined) return undefined;
  return {
    filter: { _id: document, ...filter },
    update: { ...added, $max: { seen: now } },
    returnDocument: 'after',
    projection: { _id: 1 },
  };
}
