import { describe, expect, it } from 'vitest';
import { tidy } from '../../lib/limits/document/tidy.ts';
import type { Documents } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import { DAY_NAME, ESTIMATE, HOME, ORDER } from '../support/statement-asks.ts';

const ENDED = new Date(ESTIMATE.getTime() - 1);

describe('a document in which more holds lapsed at once than it remembers', () => {
  it('remembers those that the call asks about, the oldest too', async () => {
    const holds = [1, 2, 3, 4].map((order) => ({
      ...{ id: `shop:o-${order}`, nonce: `nonce-${order}`, digest: ORDER.digest, a: 1 },
      ...{ until: ENDED, b: [DAY_NAME] },
    }));
    const stored = { holds, b: { [DAY_NAME]: { a: 4, n: 4 } } };
    const documents: Documents = new Map([[HOME, { _id: HOME, ...stored }]]);
    const asked = new Set(['shop:o-1']);
    const statement = tidy(HOME, { stored, databaseNow: ESTIMATE }, 2, asked);
    await mingoStatements(documents, () => ESTIMATE).update(statement);
    expect(documents.get(HOME)?.expired).toContainEqual(
      expect.objectContaining({ id: 'shop:o-1' }),
    );
  });
});
