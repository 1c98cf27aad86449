import type { Db } from 'mongodb';
import type { ChainBreak, ChainHead, ChainedRow } from './chain.ts';
import { ChainReader } from './chain.ts';
import { allIds } from '../mongo/all-ids.ts';
import { CHAINS, chainCollection, headOf } from './mongo-chain.ts';
import { chainPipeline } from './chain-pipeline.ts';
import { AUDIT } from './mongo-audit-store.ts';

type Verified = { readonly rows: number; readonly broken?: ChainBreak };

/**
 * Reads the chain of one document from its first row that is kept to its end.
 *
 * Rows whose days are over may be gone, and rows may be added while it reads.
 *
 * @param now the instant by which rows may be gone
 */
export async function verifyChain(db: Db, document: string, now: Date): Promise<Verified> {
  const before = await readEnd(db, document);
  const reader = new ChainReader(document, now);
  let first: ChainedRow | undefined;
  let read = 0;
  const chained = db
    .collection(AUDIT)
    .aggregate<ChainedRow>([...chainPipeline(document)], { allowDiskUse: true });
  for await (const row of chained) {
    first ??= row;
    const broken = reader.next(row);
    if (broken !== undefined) return { rows: read, broken };
    read += 1;
  }
  const after = await readEnd(db, document);
  const broken = reader.end(before, after) ?? (await outside(db, document, first));
  return { rows: read, ...(broken === undefined ? {} : { broken }) };
}

async function readEnd(db: Db, document: string): Promise<ChainHead | undefined> {
  return headOf(await chainCollection(db).findOne({ _id: document }));
}

/** The newest row about the document that is in no chain, where it is younger than the chain. */
async function outside(
  db: Db,
  document: string,
  first: ChainedRow | undefined,
): Promise<ChainBreak | undefined> {
  if (first === undefined) return undefined;
  const row = await db
    .collection<ChainedRow & { readonly subjectIds: readonly string[] }>(AUDIT)
    .findOne({ subjectIds: document, links: null as never }, { sort: { at: -1 } });
  return row !== null && row.at > first.at ? { kind: 'added', row: row._id } : undefined;
}

/** Names every document that has a chain. */
export function chainedDocuments(db: Db): AsyncGenerator<string> {
  return allIds(db, CHAINS);
}
