import type { Collection, Db } from 'mongodb';
import type { Bucket } from '../../lib/counter/sums.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { bucketFields, bucketName } from '../../lib/counter/name.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';
import { readStored } from '../../lib/audit/reconcile/stored-counters.ts';

/** What is stored of subjects, a document each. */
export function storedCounters(db: Db): Collection<CounterDocument> {
  return db.collection<CounterDocument>(COUNTERS);
}

/** The buckets of a document as they are stored, in the order in which they were made. */
export async function bucketsIn(db: Db, document: string): Promise<readonly Bucket[]> {
  const found = (await storedCounters(db).findOne({ _id: document })) as StoredDocument | null;
  return readStored({ ...found, now: new Date(0) }).buckets;
}

export async function countsIn(db: Db, document: string): Promise<{ used: number; held: number }> {
  const buckets = await bucketsIn(db, document);
  return {
    used: buckets.reduce((sum, { usedCount }) => sum + usedCount, 0),
    held: buckets.reduce((sum, { heldCount }) => sum + heldCount, 0),
  };
}

export type Damage = Partial<
  Record<'usedAmount' | 'usedCount' | 'heldAmount' | 'heldCount', number>
>;

/** Changes buckets behind everybody's back, by their places in the document, in one update. */
export async function damageBuckets(
  db: Db,
  document: string,
  damages: readonly Damage[],
): Promise<number> {
  const buckets = await bucketsIn(db, document);
  const increments = damages.flatMap((damage, index): [string, number][] => {
    const bucket = buckets[index];
    if (bucket === undefined) throw new Error(`${document} has no bucket ${index}`);
    const { usedAmount = 0, usedCount = 0, heldAmount = 0, heldCount = 0 } = damage;
    const fields = bucketFields(bucketName(bucket));
    return [
      [fields.amount, usedAmount + heldAmount],
      [fields.count, usedCount + heldCount],
      [fields.usedAmount, usedAmount],
      [fields.usedCount, usedCount],
    ];
  });
  const result = await storedCounters(db).updateOne(
    { _id: document },
    { $inc: Object.fromEntries(increments) },
  );
  return result.modifiedCount;
}

/** Everything that is stored of subjects. */
export function countersIn(db: Db): Promise<readonly object[]> {
  return storedCounters(db)
    .find({}, { sort: { _id: 1 } })
    .toArray();
}
