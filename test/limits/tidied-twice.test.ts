import { expect, it } from 'vitest';
import { tidy } from '../../lib/limits/document/tidy.ts';
import type { Documents } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import { DAY_NAME, ESTIMATE, HOME, ORDER } from '../support/statement-asks.ts';

it('five callers who read one expired hold take it off the sums once', async () => {
  const until = new Date(ESTIMATE.getTime() - 1);
  const hold = { id: ORDER.id, nonce: 'n', digest: ORDER.digest, a: 10, until };
  const stored = {
    b: { [DAY_NAME]: { a: 30, n: 3, ua: 20, un: 2 } },
    holds: [{ ...hold, b: [DAY_NAME] }],
    seen: until,
  };
  const documents: Documents = new Map([[HOME, { _id: HOME, ...stored }]]);
  const statements = mingoStatements(documents, () => ESTIMATE);
  const statement = tidy(HOME, { stored, databaseNow: ESTIMATE }, 64, new Set());
  for (let callers = 0; callers < 5; callers++) await statements.update(statement);
  expect(documents.get(HOME)).toMatchObject({
    b: { [DAY_NAME]: { a: 20, n: 2, ua: 20, un: 2 } },
    holds: [],
    expired: [{ id: ORDER.id }],
    seen: ESTIMATE,
  });
});
