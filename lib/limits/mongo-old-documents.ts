import type { Db } from 'mongodb';
import { COUNTERS } from './mongo-counter-store.ts';

/** Old documents stand first in a collection, as it was written. */
const LOOKED_AT_MAX = 100_000;
const PATIENCE_MS = 20_000;

/** An earlier version named a bucket by the start of its window, too. */
const hasThreeParts = { $gt: [{ $size: { $split: ['$$bucket.k', ' '] } }, 2] };

/** And it summed what is held in place of what is used. */
const sumsHeld = { $ne: [{ $type: '$$bucket.v.heldCount' }, 'missing'] };

const buckets = { $objectToArray: { $ifNull: ['$buckets', { $literal: {} }] } };
const old = { $filter: { input: buckets, as: 'bucket', cond: { $or: [hasThreeParts, sumsHeld] } } };

/** Names a document of counters that an earlier version wrote, if one of the first 100,000 is. */
export async function oldDocumentIn(db: Db): Promise<string | undefined> {
  const found = db
    .collection(COUNTERS)
    .aggregate<{ readonly _id: string }>(
      [
        { $limit: LOOKED_AT_MAX },
        { $match: { $expr: { $gt: [{ $size: old }, 0] } } },
        { $limit: 1 },
        { $project: { _id: 1 } },
      ],
      { maxTimeMS: PATIENCE_MS },
    );
  return (await found.next())?._id;
}
