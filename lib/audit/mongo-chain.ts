import type { ClientSession, Collection, Db } from 'mongodb';
import type { AuditRow } from './audit.ts';
import type { ChainHead, ChainLink } from './chain.ts';
import { linkAfter, rowHash } from './chain.ts';
import type { AuditDocument } from './mongo-audit-store.ts';
import { DAY_MS, auditCollection, documentOf } from './mongo-audit-store.ts';

/** The end of a chain as it is stored. It outlives the row that it names by a day. */
export type ChainDocument = Omit<ChainHead, 'document'> & {
  readonly _id: string;
  /** The TTL index's field. */
  readonly goneAt: Date;
};

/** Name of the collection of chains' ends, one a counter document. */
export const CHAINS = 'chains';

/** The ends of chains in a database. */
export function chainCollection(db: Db): Collection<ChainDocument> {
  return db.collection<ChainDocument>(CHAINS);
}

/**
 * Adds rows within a session, each to the chain of every document that it concerned.
 *
 * Two commits that add to one chain write the same end of it, so that one of them begins again.
 */
export async function appendChained(
  db: Db,
  session: ClientSession,
  days: number,
  rows: readonly AuditRow[],
): Promise<void> {
  const ends = chainCollection(db);
  const heads = new Map<string, ChainHead>();
  const documents: AuditDocument[] = [];
  for (const row of rows) {
    const content = documentOf(row, days);
    const links: ChainLink[] = [];
    for (const document of chainsOf(content)) {
      const head =
        heads.get(document) ?? headOf(await ends.findOne({ _id: document }, { session }));
      links.push(linkAfter(document, head));
    }
    const chained = { ...content, links };
    const hash = rowHash(chained);
    documents.push({ ...chained, hash });
    for (const { document, sequence } of links)
      heads.set(document, { document, sequence, hash, expireAt: content.expireAt });
  }
  for (const { document, ...end } of heads.values()) {
    const goneAt = new Date(end.expireAt.getTime() + DAY_MS);
    await ends.replaceOne({ _id: document }, { ...end, goneAt }, { session, upsert: true });
  }
  if (documents.length > 0)
    await auditCollection(db).insertMany(documents, { session, ordered: true });
}

/** A row about an order that no document knows is in the chain of its first subject. */
function chainsOf({ documents, subjectIds }: AuditDocument): readonly string[] {
  return documents.length > 0 ? documents : subjectIds.toSorted().slice(0, 1);
}

/** The end of a chain, as the domain knows it. */
export function headOf(found: ChainDocument | null): ChainHead | undefined {
  if (found === null) return undefined;
  const { _id, sequence, hash, expireAt } = found;
  return { document: _id, sequence, hash, expireAt };
}
