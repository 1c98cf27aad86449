import { DAY_MS } from '../shared/bounds.ts';
import type { Db } from 'mongodb';
import type { InCommit } from '../mongo/transaction.ts';
import type { AuditRow } from './audit.ts';
import type { ChainBreak, ChainedRow, ChainHead, LastRead } from './chain.ts';
import { breakAtEnd, followed, linkAfter, rowHash } from './chain.ts';
import { present } from '../shared/present.ts';
import type { AuditDocument } from './mongo-audit-store.ts';
import { auditCollection, auditDocument } from './mongo-audit-store.ts';

/** The end of a chain as it is stored, until `goneAt`: a day longer than the row that it names. */
export type ChainDocument = ChainHead & { readonly _id: string; readonly goneAt: Date };

/** Name of the collection of chains' ends, one a counter document. */
export const CHAINS = 'chains';

/** @param isChained whether each row is added to the chain of every document that it concerned */
export async function appendWithin(
  db: Db,
  inCommit: InCommit,
  days: number,
  rows: readonly AuditRow[],
  isChained: boolean,
): Promise<void> {
  const plain = rows.map((row) => auditDocument(row, days));
  const documents = isChained ? await chainRows(db, inCommit, plain) : plain;
  if (documents.length > 0)
    await auditCollection(db).insertMany([...documents], { ...inCommit, ordered: true });
}

/**
 * Two commits that add to one chain write the same end of it, so that one of them begins again. All ends are
 * one read and one write: in a commit each request waits for the one before.
 */
async function chainRows(db: Db, inCommit: InCommit, rows: readonly AuditDocument[]) {
  const ends = db.collection<ChainDocument>(CHAINS);
  const ids = [...new Set(rows.flatMap(chainsOf))];
  const found = ids.length === 0 ? [] : await ends.find({ _id: { $in: ids } }, inCommit).toArray();
  const heads = new Map<string, ChainHead>(found.map((end) => [end._id, end]));
  const documents: AuditDocument[] = [];
  for (const row of rows) {
    const links = chainsOf(row).map((document) => linkAfter(document, heads.get(document) ?? null));
    const linked = { ...row, links };
    const hash = rowHash(linked);
    documents.push({ ...linked, hash });
    const { expireAt } = row;
    for (const { document, sequence } of links) heads.set(document, { sequence, hash, expireAt });
  }
  const replacements = [...heads].map(([_id, { sequence, hash, expireAt }]) => {
    const goneAt = new Date(expireAt.getTime() + DAY_MS);
    const replacement = { sequence, hash, expireAt, goneAt };
    return { replaceOne: { filter: { _id }, replacement, upsert: true } };
  });
  if (replacements.length > 0) await ends.bulkWrite(replacements, { ...inCommit, ordered: true });
  return documents;
}

/** A row about an order that no document knows is in the chain of its first subject. */
function chainsOf({ documents, subjectIds }: AuditDocument): readonly string[] {
  return documents.length > 0 ? documents : subjectIds.toSorted().slice(0, 1);
}

/** @param now the instant by which rows may be gone */
export async function verifyChain(
  db: Db,
  document: string,
  now: Date,
): Promise<{ readonly rows: number; readonly broken?: ChainBreak }> {
  const readEnd = () => db.collection<ChainDocument>(CHAINS).findOne({ _id: document });
  const before = await readEnd();
  let first: ChainedRow | undefined;
  let last: LastRead | undefined;
  let rows = 0;
  for await (const row of rowsInChain(db, document)) {
    first ??= row;
    const next = followed(last, row, now);
    if ('kind' in next) return { rows, broken: next };
    last = next;
    rows += 1;
  }
  const broken = breakAtEnd(last, before, await readEnd(), now);
  if (broken !== undefined || first === undefined) return { rows, ...present({ broken }) };
  // The newest row about the document that is in no chain, where it is younger than the chain.
  const unchained = { subjectIds: document, links: null as never };
  const row = await auditCollection(db).findOne(unchained, { sort: { at: -1 } });
  if (row === null || row.at <= first.at) return { rows };
  return { rows, broken: { kind: 'added', row: row._id } };
}

/** The rows of a chain in the order of their places; two at one place by their names. */
function rowsInChain(db: Db, document: string): AsyncIterable<ChainedRow> {
  const isIts = { $eq: ['$$link.document', { $literal: document }] };
  const place = { $first: { $filter: { input: '$links', as: 'link', cond: isIts } } };
  return auditCollection(db).aggregate<ChainedRow>(
    [
      { $match: { 'links.document': document } },
      { $set: { place } },
      { $sort: { 'place.sequence': 1, _id: 1 } },
    ],
    { allowDiskUse: true },
  );
}
