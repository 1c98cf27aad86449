import fc from 'fast-check';
import { ANY_CHARACTER } from '../support/any-character.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { callOverHttp, handlersOn } from '../support/service-on-database.ts';
import { countsIn } from '../support/stored-buckets.ts';
import type { Handlers } from '../support/handlers.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import { USER_LIFE } from '../support/stored-rules.ts';

const RUNS = times('forgeries');
const SUBJECTS = { user: 'u-1', merchant: 'm-1' };
const ENTRIES = Object.entries(SUBJECTS);

const database = useDatabase();
let handlers: Handlers;
beforeEach(async () => {
  handlers = await handlersOn(database, [USER_LIFE], { AUDIT: 'best-effort' });
});

/** Everything that calls write. */
async function stored(): Promise<unknown> {
  const names = ['counters', 'audit', 'refunds'];
  return Promise.all(
    names.map((name) =>
      database.db
        .collection(name)
        .find({}, { sort: { _id: 1 } })
        .toArray(),
    ),
  );
}

/** The content of a reservation, to an attacker that reads it. */
type Content = readonly [
  version: unknown,
  digest: unknown,
  nonce: unknown,
  kinds: unknown,
  entries: unknown,
  ...held: unknown[],
];

const written = (content: unknown): string =>
  Buffer.from(JSON.stringify(content), 'utf8').toString('base64url');

const noKinds = fc.constantFrom<unknown>(
  ...['\u0000', 'user\u0000', 'User', '', '1st', 'a'.repeat(33), 'u.x', '$user', '用户', ' user'],
  ...['type', 'currency', 'constructor', '__proto__', 'prototype', 5, null, ['user'], { $ne: '' }],
);
const noIds = fc.oneof(
  fc.constantFrom<unknown>('', '\u0000', 'u\u0000', '\ufffd', '\ud800', 'x'.repeat(257), 5, null),
  fc.constantFrom<unknown>({ $ne: null }, ['u-1'], true),
  fc.string({ unit: ANY_CHARACTER, minLength: 257, maxLength: 400 }),
);
const noNonces = fc.constantFrom<unknown>(
  ...['', 'a b', 'x\u0000', '.', 'x'.repeat(65), 5, null, { $ne: null }, ['x']],
);
const kindsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `k${at}`);

/** Ways to make a reservation of an order of one's own into one that no check answered. */
const forgeries: readonly {
  readonly why: string;
  readonly forged: (real: Content) => fc.Arbitrary<unknown>;
}[] = [
  {
    why: 'it names a kind that no check may have',
    forged: ([version, digest, nonce]) =>
      noKinds.map((kind) => [version, digest, nonce, [kind], [[kind, 'u-1']]]),
  },
  {
    why: 'it names such a kind beside home',
    forged: ([version, digest, nonce, kinds]) =>
      noKinds.map((kind) => [version, digest, nonce, kinds, [...ENTRIES, [kind, 'x']]]),
  },
  {
    why: 'it names an id that no check may have',
    forged: ([version, digest, nonce, kinds]) =>
      noIds.map((id) => [version, digest, nonce, kinds, [['user', id]]]),
  },
  {
    why: 'it names no call, or what cannot be its name',
    forged: ([version, digest, , ...rest]) =>
      noNonces.map((nonce) => [version, digest, nonce, ...rest]),
  },
  {
    why: 'it is of another order, or of none',
    forged: ([version, , ...rest]) =>
      fc
        .constantFrom<unknown>('', 'x', 'x'.repeat(16), 5, null)
        .map((digest) => [version, digest, ...rest]),
  },
  {
    why: 'it names more subjects than a check may, or none',
    forged: ([version, digest, nonce]) =>
      fc.constantFrom(0, 11, 50, 600).map((count) => {
        const kinds = kindsOf(count);
        return [version, digest, nonce, kinds, kinds.map((kind) => [kind, 'x'])];
      }),
  },
  {
    why: 'its kinds are no list of its subjects',
    forged: ([version, digest, nonce, , entries]) =>
      fc
        .constantFrom<unknown>([], ['card'], ['user', 'user'], ['user', 'card'], 'user', null, {})
        .map((kinds) => [version, digest, nonce, kinds, entries]),
  },
  {
    why: 'its kinds name a document of several that no check has',
    forged: ([version, digest, nonce, , entries]) =>
      fc
        .constantFrom<unknown>(
          ['user|merchant'],
          ['user|merchant', 'user'],
          ['user', 'user|user'],
          ['user', 'merchant|'],
          ['user', '|merchant'],
          ['user', '|'],
          ['user', 'user|card'],
          ['user', Array(300).fill('merchant').join('|')],
        )
        .map((kinds) => [version, digest, nonce, kinds, entries]),
  },
  {
    why: 'its subjects are no pairs, or one stands twice',
    forged: ([version, digest, nonce, kinds]) =>
      fc
        .constantFrom<unknown>([['user']], [['user', 'u-1', 'u-2']], SUBJECTS, null, [
          ...ENTRIES,
          ['user', 'u-2'],
        ])
        .map((entries) => [version, digest, nonce, kinds, entries]),
  },
  {
    why: 'it is longer, shorter or newer than it should be',
    forged: (real) =>
      fc.constantFrom<unknown>(
        ...[
          [...real, 1],
          real.slice(0, 4),
          real.slice(0, 9),
          [3, ...real.slice(1)],
          [5, ...real.slice(1)],
          {},
          5,
          null,
        ],
      ),
  },
  {
    why: 'what it says is held could be no hold',
    forged: (real) =>
      fc
        .constantFrom<readonly [number, unknown]>(
          ...([
            [5, 'x'],
            [5, '$'.repeat(16)],
            [6, -1],
            [6, 1.5],
            [6, '5'],
            [6, 1e15 + 1],
          ] as const),
          ...([
            [7, 0],
            [7, 1_000_001],
            [8, -1],
            [8, 8.64e15 + 1],
            [8, null],
          ] as const),
          ...([
            [9, []],
            [9, ['', '']],
            [9, ['a.b 0hll6j07i0']],
            [9, ['$a 0hll6j07i0']],
            [9, [5]],
            [9, [[]]],
          ] as const),
          ...([
            [9, ['x'.repeat(10)]],
            [9, [`${String(real[9])},${String(real[9])}`]],
            [9, [Array.from({ length: 51 }, (_, at) => `count-${at + 10} 0hl62o`).join(',')]],
            [9, 'x'],
          ] as const),
        )
        .map(([at, value]) => real.map((each, index) => (index === at ? value : each))),
  },
  {
    why: 'some place of it has any value',
    forged: (real) =>
      fc
        .tuple(fc.nat({ max: 4 }), fc.jsonValue({ maxDepth: 2 }))
        .filter(([at, value]) => JSON.stringify(real[at]) !== JSON.stringify(value))
        .map(([at, value]) => real.map((each, index) => (index === at ? value : each)))
        // A text may be another call's name: then the order is of another check, and known as such.
        .filter(([, , nonce]) => typeof nonce !== 'string' || !/^[\w-]{1,64}$/.test(nonce)),
  },
];

async function heldOrder(): Promise<{ token: string; content: Content }> {
  const check = { orderId: 'o-1', subjects: SUBJECTS, amount: 5, currency: 'CNY' };
  const { body } = await callOverHttp(handlers.check, check);
  const token = String(body.reservation);
  // It is read below only to be forged.
  const content = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Content;
  return { token, content };
}

async function isRefusedEverywhere(reservation: string): Promise<void> {
  const order = { orderId: 'o-1', reservation };
  const refused = { status: 400, body: { code: 'INVALID_REQUEST' } };
  expect(await callOverHttp(handlers.confirm, order)).toMatchObject(refused);
  expect(await callOverHttp(handlers.rollback, order)).toMatchObject(refused);
  const refund = { ...order, refundId: 'r-1' };
  expect(await callOverHttp(handlers.refund, refund)).toMatchObject(refused);
  const settlements = [{ ...order, status: 'SUCCESS' }];
  const { status, body } = await callOverHttp(handlers.settlements, { settlements });
  // Too long a text is a mistake of the whole call, any other of its order.
  if (status === 200) expect(body.results).toMatchObject([{ problem: refused.body }]);
  else expect({ status, body }).toMatchObject(refused);
}

describe('a reservation of an order of one’s own that was forged', () => {
  it.each(forgeries)(
    'is refused by every call and stores nothing, where $why',
    async ({ forged }) => {
      const { content } = await heldOrder();
      const before = await stored();
      await fc.assert(
        fc.asyncProperty(forged(content), (it) => isRefusedEverywhere(written(it))),
        { numRuns: RUNS, seed: SEED },
      );
      expect(await stored()).toEqual(before);
    },
  );

  it.each([
    { at: 6, value: 1, why: 'another amount' },
    { at: 7, value: 2, why: 'another count' },
    { at: 8, value: 4_102_444_800_000, why: 'another end' },
    { at: 9, value: ['A2345678 1xuhhc0'], why: 'another bucket' },
    { at: 9, value: [''], why: 'no bucket' },
  ])('is settled by what its document says, where it tells of $why', async ({ at, value }) => {
    await database.db.collection('counters').deleteMany({});
    const { content } = await heldOrder();
    const reservation = written(content.map((each, index) => (index === at ? value : each)));
    const { status, body } = await callOverHttp(handlers.confirm, { orderId: 'o-1', reservation });
    expect({ status, body }).toMatchObject({ status: 200, body: { amount: 5, repeated: false } });
    expect(await countsIn(database.db, 'user:u-1')).toEqual({ used: 1, held: 0 });
  });

  it('is refused where it says the same in another way', async () => {
    const { token, content } = await heldOrder();
    const before = await stored();
    const spaced = JSON.stringify(content, null, 1);
    const escaped = JSON.stringify(content).replace('user', '\\u0075ser');
    for (const text of [spaced, escaped])
      await isRefusedEverywhere(Buffer.from(text).toString('base64url'));
    await isRefusedEverywhere(`${token}_`);
    expect(await stored()).toEqual(before);
  });

  it('is taken by every call as it was answered', async () => {
    const { token } = await heldOrder();
    const order = { orderId: 'o-1', reservation: token };
    expect(await callOverHttp(handlers.confirm, order)).toMatchObject({ status: 200 });
    const refund = { ...order, refundId: 'r-1' };
    expect(await callOverHttp(handlers.refund, refund)).toMatchObject({ status: 200 });
  });
});
