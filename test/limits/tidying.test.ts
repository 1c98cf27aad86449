import { describe, expect, it } from 'vitest';
import { countersOver } from '../../lib/limits/document/counters.ts';
import type { Statements } from '../../lib/limits/document/statements.ts';
import { tidy } from '../../lib/limits/document/tidy.ts';
import type { Documents } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import { PLAIN_OFF } from '../support/lanes.ts';
import { DAY_NAME, ESTIMATE, HOME, ORDER, holdAsk } from '../support/statement-asks.ts';

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

const DAY_END = new Date('2026-03-02T16:00:00.000Z');
const after = (ms: number): Date => new Date(DAY_END.getTime() + ms);

/** Orders that a full day holds after its bucket was dropped and the server's clock was set back. */
async function heldAfterSetBack(dropping: (statements: Statements) => Statements): Promise<number> {
  const full = { amount: 100_000, count: 1, usedAmount: 100_000, usedCount: 1 };
  const stored = { buckets: { [DAY_NAME]: full }, seen: ESTIMATE };
  const documents: Documents = new Map([[HOME, { _id: HOME, ...stored, expireAt: after(1e9) }]]);
  const statements = mingoStatements(documents, () => ESTIMATE);
  const tidying = { outcomesMax: 64, asked: new Set<string>(), projection: { _id: 1 } };
  await dropping(statements).update(tidy(HOME, { stored, databaseNow: after(1) }, tidying));
  expect(documents.get(HOME)?.buckets).toEqual({});
  const counters = countersOver(statements, {
    ...{ outcomesMax: 64, lanes: PLAIN_OFF, isOneCommit: false },
    together: () => Promise.reject(new Error('no commit is asked for')),
  });
  const { held } = await counters.hold(HOME, holdAsk([ORDER]), after(-1_000));
  return held.size;
}

describe('a day whose bucket was dropped', () => {
  it('is over for good, also where the clock is set back', async () => {
    expect(await heldAfterSetBack((statements) => statements)).toBe(0);
  });

  it('would be open again if the drop did not date the document', async () => {
    const undated = (statements: Statements): Statements => ({
      ...statements,
      update: ({ update: { $max, ...update }, ...one }) =>
        statements.update({ ...one, update: { ...update, $max: { expireAt: $max?.expireAt } } }),
    });
    expect(await heldAfterSetBack(undated)).toBe(1);
  });
});
