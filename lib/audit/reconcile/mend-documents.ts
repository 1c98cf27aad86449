import { KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../../shared/bounds.ts';
import type { Difference } from './difference.ts';
import { isMendable } from './difference.ts';
import { bucketFields, bucketName } from '../../counter/name.ts';
import { cellPath } from '../../counter/name.ts';
import type { Filter, Update } from '../../document/update.ts';
import { addTo, incrementing } from '../../document/update.ts';
import { isOver } from '../../counter/effect.ts';

/**
 * The update that adds what differs to a document's sums and to its counts of open holds, so that what checks
 * do meanwhile stays. When the document comes back, it is proven that nobody mended it since `looked`, and that
 * no tidy dropped the names of buckets whose holds are counted.
 */
export function mendUpdate(
  documentId: string,
  looked: { readonly now: Date; readonly mendedAt?: Date },
  differences: readonly Difference[],
): Update {
  const sums: Record<string, bigint> = {};
  let last = looked.now.getTime() + MEMORY_MS;
  const named: Record<string, Filter> = {};
  for (const difference of differences) {
    if (!isMendable(difference)) continue;
    const by = BigInt(difference.expected - difference.stored);
    if (difference.kind === 'open') {
      const { field } = difference;
      addTo(sums, field, by);
      if (field.startsWith('p.')) named[field] = { $exists: true };
      continue;
    }
    const { bucket, sum, value } = difference;
    if (isOver(bucket, looked.now)) continue;
    const fields = bucketFields(bucketName(bucket));
    const isUsed = sum === 'usedAmount' || sum === 'usedCount';
    if (value === undefined) {
      addTo(sums, sum.endsWith('Amount') ? fields.amount : fields.count, by);
      if (isUsed) addTo(sums, fields[sum], by);
    } else {
      addTo(sums, cellPath(fields.name, 'd', value), by);
      if (isUsed) addTo(sums, cellPath(fields.name, 'ud', value), by);
    }
    last = Math.max(last, bucket.until.getTime() + KEPT_BEYOND_MS);
  }
  const isOpen = differences.some(({ kind }) => kind === 'open');
  // Only a document that is there has numbers of open holds.
  const mayBeNew = looked.mendedAt === undefined && !isOpen;
  return {
    filter: { _id: documentId, mendedAt: looked.mendedAt ?? { $exists: false }, ...named },
    update: {
      ...incrementing(sums),
      $currentDate: { mendedAt: true },
      ...(mayBeNew ? { $setOnInsert: { madeAt: looked.now } } : {}),
      $max: { expireAt: new Date(Math.min(NEVER.getTime(), last)) },
    },
    ...(mayBeNew ? { upsert: true } : {}),
  };
}
