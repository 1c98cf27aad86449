import type { Db } from 'mongodb';
import { AUDIT } from '../../lib/audit/mongo-audit-store.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import type { NamedInRule } from '../../lib/rule-book/name-warnings.ts';

/** Longest look for one name among the audit's rows, which have no index for it, in milliseconds. */
const LOOK_MS = 2_000;

/** Whether anything tells of a name; of a look that takes too long nobody knows, so nothing is said. */
export async function isUsed(db: Db, { what, name }: NamedInRule): Promise<boolean> {
  try {
    switch (what) {
      case 'subject kind': {
        // Documents are named `kind:id`; `;` comes after `:`.
        const filter = { _id: { $gte: `${name}:`, $lt: `${name};` } };
        const found = await db
          .collection<{ _id: string }>(COUNTERS)
          .findOne(filter, { projection: { _id: 1 } });
        return found !== null;
      }
      case 'type':
      case 'currency': {
        const options = { projection: { _id: 1 }, maxTimeMS: LOOK_MS } as const;
        return (await db.collection(AUDIT).findOne({ [what]: name }, options)) !== null;
      }
    }
  } catch {
    return true;
  }
}
