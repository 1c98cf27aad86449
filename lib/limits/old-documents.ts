import type { PipelineStage } from '../mongo/expression.ts';
import { above, differ, either, firstOf, literal, size, those } from '../mongo/expression.ts';

/** An earlier version named a bucket by the start of its window, too. */
const hasThreeParts = above({ $size: { $split: ['$$bucket.k', ' '] } }, 2);

/** And it summed what is held in place of what is used. */
const sumsHeld = differ({ $type: '$$bucket.v.heldCount' }, 'missing');

/**
 * Names a document that has a bucket of an earlier version, if there is any among the first.
 *
 * @param most how many documents are looked at
 */
export function oldDocuments(most: number): readonly PipelineStage[] {
  const buckets = { $objectToArray: firstOf('$buckets', literal({})) };
  const old = those(buckets, 'bucket', either(hasThreeParts, sumsHeld));
  return [
    { $limit: most },
    { $match: { $expr: above(size(old), 0) } },
    { $limit: 1 },
    { $project: { _id: 1 } },
  ];
}
