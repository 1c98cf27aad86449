import { describe, expect, it } from 'vitest';
import { UNTIDIED_MAX } from '../../lib/domain/bounds.ts';
import { tidy } from '../../lib/limits/tidy.ts';
import type { Documents } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import { ESTIMATE, HOME } from '../support/statement-asks.ts';

describe('a document that several callers read before they tidy it', () => {
  it.each([
    { read: 'with buckets that are over', until: ESTIMATE.getTime() - 1 },
    { read: 'with none', until: ESTIMATE.getTime() + 1 },
  ])('counts the buckets that were entered since once, $read', async ({ until }) => {
    const buckets = { [`day-amount ${until}`]: { count: 1, usedCount: 1 } };
    const stored = { buckets, untidied: UNTIDIED_MAX, seen: ESTIMATE };
    const documents: Documents = new Map([[HOME, { _id: HOME, ...stored }]]);
    const statements = mingoStatements(documents, () => ESTIMATE);
    const tidying = { outcomesMax: 64, asked: new Set<string>(), projection: { _id: 1 } };
    const statement = tidy(HOME, { stored, databaseNow: ESTIMATE }, tidying);
    for (let callers = 0; callers < 5; callers++) await statements.update(statement);
    expect(documents.get(HOME)?.untidied).toBe(0);
  });
});
