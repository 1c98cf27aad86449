import type { Db } from 'mongodb';
import { oldDocuments } from './old-documents.ts';
import { COUNTERS } from './mongo-counter-store.ts';

/** Old documents stand first in a collection, as it was written. */
const LOOKED_AT_MAX = 100_000;
const PATIENCE_MS = 20_000;

/** Names a document of counters that an earlier version wrote, if one of the first 100,000 is. */
export async function oldDocumentIn(db: Db): Promise<string | undefined> {
  const [found] = await db
    .collection(COUNTERS)
    .aggregate<{ readonly _id: string }>([...oldDocuments(LOOKED_AT_MAX)], {
      maxTimeMS: PATIENCE_MS,
    })
    .toArray();
  return found?._id;
}
