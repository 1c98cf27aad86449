import { describe, expect, it } from 'vitest';
import type { Documents } from '../support/mingo-store.ts';
import { countersWithoutCommits, mingoStatements } from '../support/mingo-store.ts';
import {
  BESIDE,
  DAY_NAME,
  ESTIMATE,
  HOME,
  ORDER,
  UNTIL,
  holdAsk,
} from '../support/statement-asks.ts';

const ENDED = new Date(ESTIMATE.getTime() - 1);

describe('a document in which something lapsed whenever it is read', () => {
  it.each([
    { order: ORDER, of: 'one document' },
    { order: { ...ORDER, until: UNTIL, home: BESIDE }, of: 'several' },
  ])('takes an order of $of, which fits beside that', async ({ order }) => {
    const documents: Documents = new Map();
    const statements = mingoStatements(documents, () => ESTIMATE);
    let lapsed = 0;
    const counters = countersWithoutCommits({
      ...statements,
      find(ids, projection) {
        const id = `shop:cart-${++lapsed}`;
        const { holds = [], ...stored } = documents.get(HOME) ?? {};
        const buckets = (stored.buckets ?? {}) as Readonly<Record<string, Sums>>;
        const { [DAY_NAME]: day = { amount: 0, count: 0 } } = buckets;
        const hold = { ...{ id, nonce: id, digest: ORDER.digest, amount: 1 }, until: ENDED };
        documents.set(HOME, {
          ...{ ...stored, _id: HOME, seen: ENDED, expireAt: UNTIL },
          buckets: { ...buckets, [DAY_NAME]: { amount: day.amount + 1, count: day.count + 1 } },
          holds: [...(holds as object[]), { ...hold, buckets: [DAY_NAME] }],
        });
        return statements.find(ids, projection);
      },
    });
    const { held } = await counters.hold(HOME, holdAsk([order]), ESTIMATE);
    expect([...held.keys()]).toEqual([ORDER.id]);
    expect(lapsed).toBe(2);
  });
});

describe('a hold that outlasts a window', () => {
  it('keeps no expired hold in the way, though its bucket has to stay', async () => {
    const over = `other----- ${ENDED.getTime()}`;
    const id = 'shop:long';
    const long = { ...{ id, nonce: 'long', digest: ORDER.digest }, amount: 5, until: UNTIL };
    const mine = { ...{ id: ORDER.id, nonce: 'mine' }, digest: ORDER.digest, amount: 1 };
    const stored = {
      buckets: { [over]: { amount: 5, count: 1 } },
      holds: [
        { ...long, buckets: [over] },
        { ...mine, until: ENDED, buckets: [] },
      ],
    };
    const documents: Documents = new Map([[HOME, { _id: HOME, ...stored, expireAt: UNTIL }]]);
    const counters = countersWithoutCommits(mingoStatements(documents, () => ESTIMATE));
    const { held } = await counters.hold(HOME, holdAsk([ORDER]), ESTIMATE);
    expect([...held.keys()]).toEqual([ORDER.id]);
    expect(documents.get(HOME)?.buckets).toHaveProperty([over]);
  });
});

type Sums = { readonly amount: number; readonly count: number };
