import { describe, expect, it } from 'vitest';
import { PLAIN_OFF, PLAIN_ON } from '../support/lanes.ts';
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

describe('buckets that rollbacks left empty, of an exact window say', () => {
  const later = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `other----- ${UNTIL.getTime() + index}`);

  it.each([
    { lanes: PLAIN_ON, empty: 8, stay: 0, why: 'an add that looks at all buckets drops them' },
    { lanes: PLAIN_OFF, empty: 8, stay: 0, why: 'one that reads first does likewise' },
    { lanes: PLAIN_ON, empty: 7, stay: 7, why: 'few are not worth a statement' },
  ])('stay $stay of $empty, because $why', async ({ lanes, empty, stay }) => {
    const kept = `other----- ${UNTIL.getTime() - 1}`;
    const buckets = {
      ...Object.fromEntries(later(empty).map((name) => [name, NONE])),
      [kept]: ONE,
    };
    const documents: Documents = new Map([[HOME, { _id: HOME, buckets, expireAt: UNTIL }]]);
    const statements = mingoStatements(documents, () => ESTIMATE);
    const counters = countersWithoutCommits(statements, { lanes });
    await counters.hold(HOME, holdAsk([{ ...ORDER, nonce: 'h looks' }]), ESTIMATE);
    const left = Object.keys(documents.get(HOME)?.buckets as object);
    expect(left.filter((name) => later(empty).includes(name))).toHaveLength(stay);
    expect(left).toContain(kept);
  });
});

const NONE = { count: 0 };
const ONE = { count: 1 };
