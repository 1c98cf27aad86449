import { bucketName } from './document.ts';
import type { GiveBack } from '../../audit/refunds/refund.ts';
import type { StoredDocument } from './stored.ts';
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
  const takeOff = (name: string, sum: 'Amount' | 'Count', asked: number): void => {
    const bucket = stored.buckets?.[name];
    const used = numberOf(bucket?.[`used${sum}`] ?? 0);
    const less = BigInt(Math.min(used, asked));
    if (less === 0n) return;
    const path = `buckets.${name}`;
    sums.add(`${path}.${sum.toLowerCase()}`, -less);
    sums.add(`${path}.used${sum}`, -less);
    filter[`${path}.used${sum}`] = { $gte: less };
  };
  for (const bucket of buckets) {
    const gives = refundsOf(bucket.counter);
    if (gives.amount) takeOff(bucketName(bucket), 'Amount', amountMinor);
    if (gives.count) takeOff(bucketName(bucket), 'Count', count);
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
