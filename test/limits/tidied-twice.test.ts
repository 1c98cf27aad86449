import { expect, it } from 'vitest';
import { tidy } from '../../lib/limits/document/tidy.ts';
import type { Documents } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import { DAY_NAME, ESTIMATE, HOME, ORDER } from '../support/statement-asks.ts';

it('five callers who read one expired hold take it off the sums once', async () => {
  const until = new Date(ESTIMATE.getTime() - 1);
  const hold = { id: ORDER.id, nonce: 'n', digest: ORDER.digest, amount: 10, until };
  const stored = {
    buckets: { [DAY_NAME]: { amount: 30, count: 3, usedAmount: 20, usedCount: 2 } },
    holds: [{ ...hold, buckets: [DAY_NAME] }],
    seen: until,
  };
  const documents: Documents = new Map([[HOME, { _id: HOME, ...stored }]]);
  const statements = mingoStatements(documents, () => ESTIMATE);
  const tidying = { outcomesMax: 64, asked: new Set<string>(), projection: { _id: 1 } };
  const statement = tidy(HOME, { stored, databaseNow: ESTIMATE }, tidying);
  for (let callers = 0; callers < 5; callers++) await statements.update(statement);
  expect(documents.get(HOME)).toMatchObject({
    buckets: { [DAY_NAME]: { amount: 20, count: 2, usedAmount: 20, usedCount: 2 } },
    holds: [],
    expired: [{ id: ORDER.id }],
    seen: ESTIMATE,
  });
});
