import { describe, expect, it } from 'vitest';
import { decideHold } from '../../lib/document/decide.ts';
import { bucketName, endText } from '../../lib/counter/name.ts';
import { readView } from '../../lib/document/stored.ts';
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
import type { Statements } from '../../lib/document/statements.ts';
import { tidy } from '../../lib/document/tidy.ts';
import { heldIn, openHoldsOf } from '../support/held.ts';

const ENDED = new Date(ESTIMATE.getTime() - 1);

it.each([
  { order: ORDER, of: 'one document' },
  { order: { ...ORDER, until: UNTIL, home: BESIDE }, of: 'several' },
])(
  'a document in which something lapsed whenever it is read takes an order of $of, which fits beside that',
  async ({ order }) => {
    const documents: Documents = new Map();
    const statements = mingoStatements(documents, () => ESTIMATE);
    let lapsed = 0;
    const counters = countersWithoutCommits({
      ...statements,
      find(ids, projection) {
        const id = `shop:cart-${++lapsed}`;
        const stored = documents.get(HOME) ?? {};
        const buckets = (stored.b ?? {}) as Readonly<Record<string, Sums>>;
        const { [DAY_NAME]: day = { a: 0, n: 0 } } = buckets;
        const hold = { ...{ id, nonce: id, digest: ORDER.digest, a: 1 }, until: ENDED };
        documents.set(HOME, {
          ...{ ...stored, _id: HOME, seen: ENDED, expireAt: UNTIL },
          b: { ...buckets, [DAY_NAME]: { a: day.a + 1, n: day.n + 1 } },
          ...heldIn([...openHoldsOf(stored), { ...hold, b: DAY_NAME }]),
        });
        return statements.find(ids, projection);
      },
    });
    const { held } = await counters.hold({ ...holdAsk([order]), document: HOME }, ESTIMATE);
    expect([...held.keys()]).toEqual([ORDER.id]);
    expect(lapsed).toBe(2);
  },
);

it('a hold that outlasts a window keeps no expired hold in the way, though its bucket has to stay', async () => {
  const over = bucketName({ counter: 'other---', until: ENDED });
  const id = 'shop:long';
  const long = { ...{ id, nonce: 'long', digest: ORDER.digest }, a: 5, until: UNTIL };
  const mine = { ...{ id: ORDER.id, nonce: 'mine' }, digest: ORDER.digest, a: 1 };
  const stored = {
    b: { [over]: { a: 5, n: 1 } },
    ...heldIn([
      { ...long, b: over },
      { ...mine, until: ENDED, b: '' },
    ]),
  };
  const documents: Documents = new Map([[HOME, { _id: HOME, ...stored, expireAt: UNTIL }]]);
  const counters = countersWithoutCommits(mingoStatements(documents, () => ESTIMATE));
  const { held } = await counters.hold({ ...holdAsk([ORDER]), document: HOME }, ESTIMATE);
  expect([...held.keys()]).toEqual([ORDER.id]);
  expect(documents.get(HOME)?.b).toHaveProperty([over]);
});

it('holds that expired are added up once for all orders of a call', () => {
  const cart = { id: 'shop:cart', nonce: 'cart', digest: ORDER.digest, a: 1, until: ENDED };
  const stored = { b: { [DAY_NAME]: { a: 1, n: 1 } }, ...heldIn([{ ...cart, b: DAY_NAME }]) };
  const view = readView(stored, [], ESTIMATE);
  let looks = 0;
  const lapsed = new Proxy(view.lapsed, {
    get(holds, name): unknown {
      looks += 1;
      return Reflect.get(holds, name);
    },
  });
  expect(lapsed[0]).toMatchObject({ id: cart.id });
  looks = 0;
  const orders = Array.from({ length: 11 }, (_, index) => ({ ...ORDER, id: `shop:o-${index}` }));
  expect(decideHold({ ...view, lapsed }, holdAsk(orders), Infinity).taken).toHaveLength(10);
  expect(looks).toBe(0);
});

type Sums = { readonly a: number; readonly n: number };

describe('buckets that rollbacks left empty, of an exact window say', () => {
  const later = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `other--- ${endText(UNTIL.getTime() + index)}`);

  it.each([
    { lanes: PLAIN_ON, empty: 8, stay: 0, why: 'an add that looks at all buckets drops them' },
    { lanes: PLAIN_OFF, empty: 8, stay: 0, why: 'one that reads first does likewise' },
    { lanes: PLAIN_ON, empty: 7, stay: 7, why: 'few are not worth a statement' },
  ])('stay $stay of $empty, because $why', async ({ lanes, empty, stay }) => {
    const kept = `other--- ${endText(UNTIL.getTime() - 1)}`;
    const b = {
      ...Object.fromEntries(later(empty).map((name) => [name, NONE])),
      [kept]: ONE,
    };
    const documents: Documents = new Map([[HOME, { _id: HOME, b, expireAt: UNTIL }]]);
    const statements = mingoStatements(documents, () => ESTIMATE);
    const counters = countersWithoutCommits(statements, { lanes });
    await counters.hold({ ...holdAsk([{ ...ORDER, nonce: 'h looks' }]), document: HOME }, ESTIMATE);
    const left = Object.keys(documents.get(HOME)?.b as object);
    expect(left.filter((name) => later(empty).includes(name))).toHaveLength(stay);
    expect(left).toContain(kept);
  });
});

it.each([
  { lists: 2, stay: 0, why: 'so many are worth a statement' },
  { lists: 1, stay: 1, why: 'one is not' },
])(
  'of $lists lists of names that no hold has, of windows that go on, $stay stay, because $why',
  async ({ lists, stay }) => {
    const names = Array.from(
      { length: lists },
      (_, index) => `other--- ${endText(UNTIL.getTime() + index)}`,
    );
    const b = Object.fromEntries(names.map((name) => [name, ONE]));
    const p = Object.fromEntries(names.map((name, index) => [`list-${index}`, { b: name, n: 0 }]));
    const documents: Documents = new Map([[HOME, { _id: HOME, b, p, expireAt: UNTIL }]]);
    const counters = countersWithoutCommits(
      mingoStatements(documents, () => ESTIMATE),
      { lanes: PLAIN_ON },
    );
    await counters.hold({ ...holdAsk([{ ...ORDER, nonce: 'h looks' }]), document: HOME }, ESTIMATE);
    const left = Object.keys(documents.get(HOME)?.p as object);
    expect(left.filter((digest) => digest.startsWith('list-'))).toHaveLength(stay);
    expect(openHoldsOf(documents.get(HOME))).toMatchObject([{ b: DAY_NAME }]);
  },
);

describe('while callers enter a list of names that nobody had when it was read', () => {
  const outcomes = Array.from({ length: 151 }, (_, index) => ({
    id: `shop:${index}`,
    is: 'c',
    a: 1,
  }));
  const cart = { ...{ id: 'shop:cart', nonce: 'cart', digest: ORDER.digest, a: 1 }, until: ENDED };

  it.each([
    { holds: [cart], settled: [], stays: 0, what: 'a hold that expired goes' },
    { holds: [{ ...cart, home: BESIDE }], settled: [], stays: 0, what: 'an expired share goes' },
    { holds: [], settled: outcomes, stays: 101, what: 'outcomes that are too many go' },
  ])('$what', async ({ holds, settled, stays }) => {
    const lists = Array.from({ length: 8 }, (_, index) => `list-${index}`);
    const { p, ...held } = heldIn(holds);
    const stored = {
      ...held,
      settled,
      p: { ...p, ...Object.fromEntries(lists.map((name) => [name, { b: DAY_NAME, n: 0 }])) },
    };
    const documents: Documents = new Map([[HOME, { _id: HOME, ...stored, expireAt: UNTIL }]]);
    const statements = mingoStatements(documents, () => ESTIMATE);
    const entered = (n: number): void => {
      const before = documents.get(HOME) ?? {};
      const changed = { ...(before.p as object), 'list-0': { b: DAY_NAME, n } };
      documents.set(HOME, { ...before, p: changed });
    };
    const update: Statements['update'] = async (statement) => {
      if (statement.filter.$and === undefined) return statements.update(statement);
      entered(1);
      const found = await statements.update(statement);
      entered(0);
      return found;
    };
    const counters = countersWithoutCommits({ ...statements, update }, { lanes: PLAIN_ON });
    await counters.hold({ ...holdAsk([{ ...ORDER, nonce: 'h looks' }]), document: HOME }, ESTIMATE);
    const { settled: left } = documents.get(HOME) as { readonly settled: readonly unknown[] };
    expect(openHoldsOf(documents.get(HOME)).map(({ id }) => id)).toEqual([ORDER.id]);
    expect(left).toHaveLength(stays);
  });
});

const NONE = { n: 0 };
const ONE = { n: 1 };

it('five callers who read one expired hold take it off the sums once', async () => {
  const until = new Date(ESTIMATE.getTime() - 1);
  const hold = { id: ORDER.id, nonce: 'n', digest: ORDER.digest, a: 10, until };
  const stored = {
    b: { [DAY_NAME]: { a: 30, n: 3, ua: 20, un: 2 } },
    ...heldIn([{ ...hold, b: DAY_NAME }]),
    seen: until,
  };
  const documents: Documents = new Map([[HOME, { _id: HOME, ...stored }]]);
  const statements = mingoStatements(documents, () => ESTIMATE);
  const statement = tidy(HOME, { stored, databaseNow: ESTIMATE }, 64, 1);
  for (let callers = 0; callers < 5; callers++) await statements.update(statement);
  expect(documents.get(HOME)).toMatchObject({
    b: { [DAY_NAME]: { a: 20, n: 2, ua: 20, un: 2 } },
    open: 0,
    expired: [{ id: ORDER.id }],
    seen: ESTIMATE,
  });
  expect(openHoldsOf(documents.get(HOME))).toEqual([]);
});

describe('a bucket that was over when it was read stays, and so do its names, once a clock was set back', () => {
  const over = bucketName({ counter: 'other---', until: ENDED });
  const long = { ...{ id: 'shop:long', nonce: 'long', digest: ORDER.digest }, a: 5, until: UNTIL };
  const read = { b: { [over]: { a: 5, n: 1, ua: 5, un: 1 } }, seen: new Date(ENDED.getTime() - 1) };

  it.each([
    { names: over, before: {}, why: 'a hold entered it' },
    { names: `${over},${DAY_NAME}`, before: {}, why: 'a hold entered it among others' },
    {
      names: over,
      before: { p: heldIn([{ ...long, b: over }]).p },
      why: 'a hold came to names that nobody had',
    },
  ])('and $why', async ({ names, before }) => {
    const p = Object.fromEntries(
      Object.entries(before.p ?? {}).map(([digest, { b }]) => [digest, { b, n: 0 }]),
    );
    const statement = tidy(HOME, { stored: { ...read, p }, databaseNow: ESTIMATE }, 64, 1);
    expect(statement.update.$unset).toHaveProperty([`b.${over}`]);
    const documents: Documents = new Map([
      [HOME, { _id: HOME, ...read, ...heldIn([{ ...long, b: names }]) }],
    ]);
    await mingoStatements(documents, () => ESTIMATE).update(statement);
    expect(documents.get(HOME)?.b).toHaveProperty([over]);
    expect(openHoldsOf(documents.get(HOME))).toMatchObject([{ b: names }]);
  });
});
