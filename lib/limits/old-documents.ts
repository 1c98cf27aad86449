/** An earlier version named a bucket by the start of its window, too. */
const hasThreeParts = { $gt: [{ $size: { $split: ['$$bucket.k', ' '] } }, 2] };

/** And it summed what is held in place of what is used. */
const sumsHeld = { $ne: [{ $type: '$$bucket.v.heldCount' }, 'missing'] };

/**
 * Names a document that has a bucket of an earlier version, if there is any among the first.
 *
 * @param most how many documents are looked at
 */
export function oldDocuments(most: number): readonly object[] {
  const input = { $objectToArray: { $ifNull: ['$buckets', { $literal: {} }] } };
  const old = { $filter: { input, as: 'bucket', cond: { $or: [hasThreeParts, sumsHeld] } } };
  return [
    { $limit: most },
    { $match: { $expr: { $gt: [{ $size: old }, 0] } } },
    { $limit: 1 },
    { $project: { _id: 1 } },
  ];
}
