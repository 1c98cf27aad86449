import { KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../../shared/bounds.ts';
import type { Mend } from '../../audit/reconcile/differences.ts';
import { bucketName } from './document.ts';
import type { Update } from './update.ts';
import { Increments } from './update.ts';

/**
 * The update that adds what differs from the rows to a document's sums as they are now, so that what
 * checks do meanwhile stays. When the document comes back, it is proven that nobody mended it since it was
 * compared. A bucket that is missing is made.
 *
 * @param looked when the document was mended last, as it was read, and the instant of that
 */
export function mendUpdate(
  documentId: string,
  looked: { readonly now: Date; readonly mendedAt?: Date },
  mends: readonly Mend[],
): Update {
  const sums = new Increments();
  const live = mends.filter(({ bucket }) => bucket.until > looked.now);
  for (const { bucket, usedAmount, usedCount, heldAmount, heldCount } of live) {
    const path = `buckets.${bucketName(bucket)}`;
    sums.add(`${path}.amount`, BigInt(usedAmount + heldAmount));
    sums.add(`${path}.usedAmount`, BigInt(usedAmount));
    sums.add(`${path}.count`, BigInt(usedCount + heldCount));
    sums.add(`${path}.usedCount`, BigInt(usedCount));
  }
  const ends = live.map(({ bucket }) => bucket.until.getTime() + KEPT_BEYOND_MS);
  const last = Math.max(looked.now.getTime() + MEMORY_MS, ...ends);
  return {
    filter: { _id: documentId, mendedAt: looked.mendedAt ?? { $exists: false } },
    update: {
      ...sums.update(),
      $currentDate: { mendedAt: true },
      $max: { expireAt: new Date(Math.min(NEVER.getTime(), last)) },
    },
    returnDocument: 'after',
    projection: { _id: 1 },
    ...(looked.mendedAt === undefined ? { upsert: true } : {}),
  };
}
