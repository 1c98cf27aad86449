import type { Db } from 'mongodb';
import { COUNTERS } from './mongo-counter-store.ts';

/** Old documents stand first in a collection, as it was written. */
const LOOKED_AT_MAX = 100_000;
const PATIENCE_MS = 20_000;

/** Fields that earlier versions named in full. */
const FULL_NAMES = ['buckets', 'holds.amount', 'settled.amount', 'expired.amount', 'kept.amount'];

/** Names a document of counters that an earlier version wrote, if one of the first 100,000 is. */
export async function oldDocumentIn(db: Db): Promise<string | undefined> {
  const found = db
    .collection(COUNTERS)
    .aggregate<{ readonly _id: string }>(
      [
        { $limit: LOOKED_AT_MAX },
        { $match: { $or: FULL_NAMES.map((name) => ({ [name]: { $exists: true } })) } },
        { $limit: 1 },
        { $project: { _id: 1 } },
      ],
      { maxTimeMS: PATIENCE_MS },
    );
  return (await found.next())?._id;
}
