import type { Db } from 'mongodb';
import { asking } from '../mongo/client.ts';
import { isDuplicateKey } from '../mongo/failure.ts';

/** Name of the collection of signatures that were taken. */
export const SIGNATURES = 'signatures';

/** A signature that was taken, and when it may be forgotten: the TTL index's field. */
type SignatureDocument = { readonly _id: string; readonly expireAt: Date };

/** Remembers a signature; false where it was taken before. */
export async function takeSignature(
  db: Db,
  signature: string,
  expireAt: Date,
  timeoutMs: number,
): Promise<boolean> {
  const collection = db.collection<SignatureDocument>(SIGNATURES);
  try {
    await asking(
      db,
      timeoutMs,
    )(() =>
      collection.insertOne({ _id: signature, expireAt }, { writeConcern: { w: 'majority' } }),
    );
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
