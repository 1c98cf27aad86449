import { KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../../shared/bounds.ts';
import type { Difference } from './difference.ts';
import { bucketFields, bucketName } from '../../document/document.ts';
import type { Update } from '../../document/update.ts';
import { Increments } from '../../document/update.ts';
import { isOver } from '../../document/effect.ts';

/**
 * The update that adds what differs from the rows to a document's sums, so that what checks do meanwhile
 * stays. When the document comes back, it is proven that nobody mended it since `looked`.
 */
export function mendUpdate(
  documentId: string,
  looked: { readonly now: Date; readonly mendedAt?: Date },
  differences: readonly Difference[],
): Update {
  const sums = new Increments();
  let last = looked.now.getTime() + MEMORY_MS;
  for (const difference of differences) {
    if (difference.kind !== 'sum' || isOver(difference.bucket, looked.now)) continue;
    const { bucket, sum, stored, expected } = difference;
    const fields = bucketFields(bucketName(bucket));
    const by = BigInt(expected - stored);
    sums.add(sum.endsWith('Amount') ? fields.amount : fields.count, by);
    if (sum === 'usedAmount' || sum === 'usedCount') sums.add(fields[sum], by);
    last = Math.max(last, bucket.until.getTime() + KEPT_BEYOND_MS);
  }
  return {
    filter: { _id: documentId, mendedAt: looked.mendedAt ?? { $exists: false } },
    update: {
      ...sums.update(),
      $currentDate: { mendedAt: true },
      $max: { expireAt: new Date(Math.min(NEVER.getTime(), last)) },
    },
    ...(looked.mendedAt === undefined ? { upsert: true } : {}),
  };
}
