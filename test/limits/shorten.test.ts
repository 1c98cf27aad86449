import { describe, expect, it } from 'vitest';
import { MEMORY_MS } from '../../lib/shared/bounds.ts';
import { bucketName } from '../../lib/limits/document/document.ts';
import { mendUpdate } from '../../lib/audit/reconcile/mend-documents.ts';
import { changeTerms, shorten } from '../../lib/rules/terms/terms-documents.ts';
import type { Documents } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import { ESTIMATE, HOME } from '../support/statement-asks.ts';

const YEAR_END = new Date('2026-12-31T16:00:00.000Z');
const LATER = new Date('2027-12-31T16:00:00.000Z');

describe('a document whose terms were taken away', () => {
  it('stays as long as a sum counts that is mended between its read and its end', async () => {
    const documents: Documents = new Map([[HOME, { _id: HOME, seen: ESTIMATE, expireAt: LATER }]]);
    const statements = mingoStatements(documents, () => ESTIMATE);
    const bucket = { counter: 'year-amount', until: YEAR_END };
    const missing = { kind: 'sum', bucket, sum: 'usedAmount', stored: 0, expected: 500 } as const;
    const mend = mendUpdate(HOME, { now: ESTIMATE }, [missing]);
    let reads = 0;
    const find: typeof statements.find = async (ids, projection) => {
      const found = await statements.find(ids, projection);
      if (reads++ === 0) await statements.update(mend);
      return found;
    };
    await shorten({ ...statements, find }, HOME, ESTIMATE);
    const { expireAt, b } = documents.get(HOME) ?? {};
    expect(Object.keys(b ?? {})).toEqual([bucketName(bucket)]);
    expect(expireAt).toEqual(new Date(YEAR_END.getTime() + 60_000));
  });

  it('stays as long as a hold that is added between them, in the same millisecond', async () => {
    const documents: Documents = new Map([[HOME, { _id: HOME, seen: ESTIMATE, expireAt: LATER }]]);
    const statements = mingoStatements(documents, () => ESTIMATE);
    const hold = { id: 'shop:o-1', nonce: 'n', digest: '-', a: 5, until: YEAR_END };
    let reads = 0;
    const find: typeof statements.find = async (ids, projection) => {
      const found = await statements.find(ids, projection);
      if (reads++ === 0) documents.set(HOME, { ...documents.get(HOME), holds: [hold] });
      return found;
    };
    await shorten({ ...statements, find }, HOME, ESTIMATE);
    const until = new Date(YEAR_END.getTime() + MEMORY_MS);
    expect(documents.get(HOME)?.expireAt).toEqual(until);
  });
});

describe('terms that nobody has', () => {
  it('are taken away where there is no document', async () => {
    const statements = mingoStatements(new Map(), () => ESTIMATE);
    const change = { expected: undefined, terms: undefined };
    expect(await changeTerms(statements, HOME, change, ESTIMATE)).toBe(true);
  });
});
