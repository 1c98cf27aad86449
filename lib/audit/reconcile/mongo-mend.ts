import type { Db, OptionalId } from 'mongodb';
import { ObjectId } from 'mongodb';
import type { CounterDocument } from '../../document/mongo-counter-store.ts';
import { COUNTERS } from '../../document/mongo-counter-store.ts';
import { writing } from '../../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, isDuplicateKey } from '../../mongo/failure.ts';
import type { Difference } from './difference.ts';
import { isMendable } from './difference.ts';
import { mendUpdate } from './mend-documents.ts';
import type { Look } from './mongo-reconciling.ts';

/** A mend of a document: its sums moved from `stored` to `expected`. */
type MendDocument = {
  readonly document: string;
  /** The database's instant of the look. */
  readonly at: Date;
  readonly differences: readonly Difference[];
};

/** Collection with a document for each mend; they stay. */
export const AUDIT_MENDS = 'audit_mends';

/**
 * Adds what differs in sums and counts, and notes it; false where somebody else mended the document since the look.
 */
export async function mend(
  db: Db,
  document: string,
  look: Pick<Look, 'mendedAt' | 'now'>,
  differences: readonly Difference[],
): Promise<boolean> {
  const { filter, update, upsert = false } = mendUpdate(document, look, differences);
  try {
    // A mended document has another `mendedAt`: a second time it does not match.
    const write = writing(db, STORE_TIMEOUT_MS_DEFAULT, 'once');
    const result = await write((bounded) =>
      db.collection<CounterDocument>(COUNTERS).updateOne(filter, update, { upsert, ...bounded() }),
    );
    const isMended = result.modifiedCount + result.upsertedCount > 0;
    if (isMended)
      await note(db, { document, at: look.now, differences: differences.filter(isMendable) });
    return isMended;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function note(db: Db, mend: MendDocument): Promise<void> {
  const write = writing(db, STORE_TIMEOUT_MS_DEFAULT, 'as often as it takes');
  const noted: OptionalId<MendDocument> = { _id: new ObjectId(), ...mend };
  try {
    await write((bounded) => db.collection<MendDocument>(AUDIT_MENDS).insertOne(noted, bounded()));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
