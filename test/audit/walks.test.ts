import type { CommandSucceededEvent, Long } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChainDocument } from '../../lib/audit/mongo-chain.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import type { AuditDocument } from '../../lib/audit/mongo-audit-store.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { allDocuments } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { allIds } from '../../lib/audit/mongo-all-ids.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase({ monitorCommands: true });

/** Several times what one answer of the server brings first, and more than a page. */
const STORED = Array.from({ length: 2_500 }, (_, index) => `user:u-${10_000 + index}`);
/** More than two answers of the server bring. */
const GONE = Array.from({ length: 2_500 }, (_, index) => `card:gone-${10_000 + index}`);

beforeAll(async () => {
  await makeIndexes(database.db);
  const counters = storedCounters(database.db);
  await counters.insertMany(STORED.map((_id) => ({ _id })));
  const chains = database.db.collection<ChainDocument>('chains');
  await chains.insertMany(STORED.map((_id) => ({ _id }) as ChainDocument)); // only named here
  const documents = [...GONE, ...STORED.slice(0, 3)];
  const row = { effective: true, subjectIds: documents, documents, orderId: 'o-1' };
  await auditCollection(database.db).insertOne({ _id: 'r-1', ...row } as unknown as AuditDocument);
});

/**
 * What a walk names where every cursor that is open after its first step is ended, as the server ends
 * those of a session that was idle for 30 minutes.
 */
async function walkWithoutCursors(
  collections: readonly string[],
  walk: AsyncIterable<string>,
): Promise<readonly string[]> {
  const open: Long[] = [];
  const remember = ({ reply }: CommandSucceededEvent): void => {
    const { cursor } = reply as { readonly cursor?: { readonly id: Long } };
    if (cursor !== undefined && String(cursor.id) !== '0') open.push(cursor.id);
  };
  database.client.on('commandSucceeded', remember);
  const named: string[] = [];
  for await (const name of walk) {
    named.push(name);
    for (const cursors = open.splice(0); cursors.length > 0; cursors.length = 0)
      for (const killCursors of collections) await database.db.command({ killCursors, cursors });
  }
  database.client.off('commandSucceeded', remember);
  return named;
}

describe('a walk over everything, however slowly it goes', () => {
  it('of reconcile names every document, and those that rows alone tell of', async () => {
    const named = await walkWithoutCursors([COUNTERS, 'audit'], allDocuments(database.db));
    expect(named).toEqual([...STORED, ...GONE]);
  });

  it('of reconcile reads the rows once, however many documents they tell of', async () => {
    const sent: string[] = [];
    const remember = ({ commandName }: CommandSucceededEvent) => sent.push(commandName);
    database.client.on('commandSucceeded', remember);
    const named: string[] = [];
    for await (const name of allDocuments(database.db)) named.push(name);
    database.client.off('commandSucceeded', remember);
    expect(named).toEqual([...STORED, ...GONE]);
    expect(sent.filter((name) => name === 'aggregate')).toHaveLength(1);
  });

  it('of verify names every chain', async () => {
    const named = await walkWithoutCursors(['chains'], allIds(database.db, 'chains'));
    expect(named).toEqual(STORED);
  });
});
