import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOverHttp, handlersOn, watchCommands } from '../support/service-on-database.ts';
import type { Handlers } from '../support/handlers.ts';
import { useDatabase } from '../support/database.ts';
import { processorTimeOf } from '../support/elapsed.ts';
import { OPERATORS, RIGHT } from './nonsense.ts';

const RULE = {
  id: 'life',
  per: ['user'],
  currency: 'CNY',
  window: 'lifetime',
  max: { amount: 10 ** 15 },
};
const { check: CHECK } = RIGHT;

const database = useDatabase({ monitorCommands: true });
let handlers: Handlers;
let commands: string[];

beforeAll(() => {
  commands = watchCommands(database.client, database.db.databaseName);
});
beforeEach(async () => {
  await database.db.collection('counters').deleteMany({});
  // Some rows are about names that no rule has.
  handlers = await handlersOn(database, [RULE], { ON_NO_RULE: 'allow' });
});

function stored(): Promise<unknown[]> {
  return database.db
    .collection('counters')
    .find({}, { sort: { _id: 1 } })
    .toArray();
}

/** So many names, each with the same value. */
function many(count: number, value: unknown): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
}

/** A check of exactly so many bytes: spaces mean nothing to JSON. */
function ofBytes(bytes: number): string {
  const text = JSON.stringify(CHECK);
  return text.padEnd(bytes, ' ');
}

describe('at its bound a check is decided, and one beyond it is a mistake', () => {
  const long = (length: number) => 'x'.repeat(length);
  it.each([
    {
      what: 'characters of an order id',
      at: { orderId: long(256) },
      beyond: { orderId: long(257) },
    },
    {
      what: 'characters beyond U+FFFF of an order id',
      at: { orderId: '😀'.repeat(256) },
      beyond: { orderId: '😀'.repeat(257) },
    },
    {
      what: 'characters of a subject',
      at: { subjects: { user: long(256) } },
      beyond: { subjects: { user: long(257) } },
    },
    {
      what: 'characters of a kind',
      at: { subjects: { [long(32)]: 'x' } },
      beyond: { subjects: { [long(33)]: 'x' } },
    },
    { what: 'subjects', at: { subjects: many(10, 'x') }, beyond: { subjects: many(11, 'x') } },
    { what: 'characters of a type', at: { type: long(64) }, beyond: { type: long(65) } },
    { what: 'amount', at: { amount: 10 ** 15 }, beyond: { amount: 10 ** 15 + 1 } },
    { what: 'least amount', at: { amount: 0 }, beyond: { amount: -1 } },
    { what: 'count', at: { count: 1_000_000 }, beyond: { count: 1_000_001 } },
    { what: 'least count', at: { count: 1 }, beyond: { count: 0 } },
    {
      what: 'capitals of a currency',
      at: { currency: 'A'.repeat(12) },
      beyond: { currency: 'A'.repeat(13) },
    },
    {
      what: 'attributes',
      at: { attributes: many(50, 'x') },
      beyond: { attributes: many(51, 'x') },
    },
    {
      what: 'characters of an attribute',
      at: { attributes: { a: long(256) } },
      beyond: { attributes: { a: long(257) } },
    },
    {
      what: 'an attribute that is a number',
      at: { attributes: { a: 2 ** 53 - 1 } },
      beyond: { attributes: { a: 2 ** 53 } },
    },
    { what: 'longest hold', at: { hold: 'P7D' }, beyond: { hold: 'P7DT1S' } },
    { what: 'shortest hold', at: { hold: 'PT1S' }, beyond: { hold: 'PT0.999S' } },
  ])('$what', async ({ at, beyond }) => {
    const rest = { attributes: {} };
    const inside = await callOverHttp(handlers.check, { ...CHECK, ...rest, ...at });
    expect(inside).toMatchObject({ status: 200, body: { decision: 'allowed' } });
    const before = await stored();
    commands.splice(0);
    const outside = await callOverHttp(handlers.check, { ...CHECK, ...rest, ...beyond });
    expect(outside).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    expect(commands).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  it('bytes of a body', async () => {
    expect(await callOverHttp(handlers.check, ofBytes(65_536))).toMatchObject({ status: 200 });
    expect(await callOverHttp(handlers.check, ofBytes(65_537))).toMatchObject({ status: 400 });
  });
});

describe('many orders at their bounds', () => {
  const BYTES_MAX = 1_048_576;
  const orders = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, index) => ({ ...CHECK, ...more, orderId: `o-${index}` }));
  const ends = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      orderId: `o-${index}`,
      subjects: CHECK.subjects,
      status: 'SUCCESS',
    }));

  it.each([
    {
      what: 'orders',
      at: { checks: { orders: orders(100) }, settlements: { settlements: ends(100) } },
      beyond: { checks: { orders: orders(101) }, settlements: { settlements: ends(101) } },
    },
    {
      what: 'bytes of a body',
      at: {
        checks: JSON.stringify({ orders: orders(1) }).padEnd(BYTES_MAX, ' '),
        settlements: JSON.stringify({ settlements: ends(1) }).padEnd(BYTES_MAX, ' '),
      },
      beyond: {
        checks: JSON.stringify({ orders: orders(1) }).padEnd(BYTES_MAX + 1, ' '),
        settlements: JSON.stringify({ settlements: ends(1) }).padEnd(BYTES_MAX + 1, ' '),
      },
    },
  ])('$what', async ({ at, beyond }) => {
    expect(await callOverHttp(handlers.checks, at.checks)).toMatchObject({
      status: 200,
      body: { allAllowed: true },
    });
    const settled = await callOverHttp(handlers.settlements, at.settlements);
    const results = settled.body.results as readonly { readonly state?: string }[]; // as answered
    expect(new Set(results.map(({ state }) => state))).toEqual(new Set(['confirmed']));
    commands.splice(0);
    for (const name of ['checks', 'settlements'] as const)
      expect(await callOverHttp(handlers[name], beyond[name])).toMatchObject({ status: 400 });
    expect(commands).toEqual([]);
  });

  it('an answer about a hundred orders under fifty rules is below what Lambda returns', async () => {
    const titles = { en: 'A title of an ordinary length', zh: '单日累计限额' };
    const rules = Array.from({ length: 50 }, (_, index) => ({
      ...RULE,
      id: `life-${index}`,
      title: titles,
      max: { amount: 10 ** 12 + index },
      window: { unit: 'day', timeZone: 'Asia/Shanghai', every: index + 1 },
    }));
    const many = await handlersOn(database, rules);
    const { status, body } = await callOverHttp(many.checks, { orders: orders(100) });
    expect({ status, allAllowed: body.allAllowed }).toEqual({ status: 200, allAllowed: true });
    // 6 MB, AWS Lambda developer guide, "Lambda quotas": response of a synchronous invocation.
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(6_000_000);
  });

  it.each([
    { what: 'orders that are nothing', body: `{"orders":[${'0,'.repeat(500_000)}0]}` },
    { what: 'fields that nobody knows', body: `{"orders":[{${unknownFields(90_000)}}]}` },
    { what: 'kinds that are none', body: `{"orders":[{"subjects":{${unknownFields(90_000)}}}]}` },
  ])('a megabyte of $what is a mistake at once', async ({ body }) => {
    commands.splice(0);
    const { result: answer, ms } = await processorTimeOf(() => callOverHttp(handlers.checks, body));
    expect(ms).toBeLessThan(3_000);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).length).toBeLessThan(40_000);
    expect(commands).toEqual([]);
  });
});

/** So many fields that no request has, as text. */
function unknownFields(count: number): string {
  return Array.from({ length: count }, (_, index) => `"K${index}":1`).join(',');
}

describe('what looks like an operator is text', () => {
  const TEXTS = [
    '$NOW',
    '$$ROOT',
    '$subjects',
    'a.$.b',
    ...OPERATORS.map((value) => JSON.stringify(value)),
  ];

  it.each(TEXTS)('%s, in every field that takes any text', async (text) => {
    const order = { orderId: text, subjects: { user: text, merchant: `${text}!` } };
    const check = { ...CHECK, ...order, attributes: { channel: text } };
    const allowed = await callOverHttp(handlers.check, check);
    expect(allowed).toMatchObject({
      status: 200,
      body: { decision: 'allowed', rules: [{ subjects: { user: text }, held: { amount: 100 } }] },
    });
    const rolledBack = await callOverHttp(handlers.rollback, { ...order, reason: text });
    expect(rolledBack).toMatchObject({
      status: 200,
      body: { state: 'rolledBack', repeated: false },
    });
    expect(await stored()).toHaveLength(1);
  });

  it.each(TEXTS)('%s, a mistake in every field with a form of its own', async (text) => {
    for (const field of ['type', 'currency', 'hold']) {
      const { status, body } = await callOverHttp(handlers.check, { ...CHECK, [field]: text });
      expect({ field, status, code: body.code }).toEqual({
        field,
        status: 400,
        code: 'INVALID_REQUEST',
      });
    }
    const settle = { orderId: 'o-1', reservation: text };
    expect(await callOverHttp(handlers.confirm, settle)).toMatchObject({ status: 400 });
    expect(await stored()).toEqual([]);
  });
});

describe('a reservation that somebody made up', () => {
  /** The content of a reservation, to an attacker that reads it: version, order, nonce, kinds, subjects. */
  const forge = (...content: readonly unknown[]) =>
    Buffer.from(JSON.stringify(content), 'utf8').toString('base64url');

  it('settles nothing, costs no more than a real one, and is never an error of ours', async () => {
    const { body } = await callOverHttp(handlers.check, { ...CHECK, attributes: {} });
    const before = await stored();
    const real = Buffer.from(String(body.reservation), 'base64url').toString('utf8');
    const [version, digest, nonce] = JSON.parse(real) as unknown[]; // see `forge`
    const other = [['user', 'u-2']];
    const forged = [
      forge(),
      forge(version, digest),
      forge(2, digest, nonce, ['user'], other),
      forge(version, 'x', nonce, ['user'], other),
      forge(version, digest, nonce, [], []),
      forge(version, digest, nonce, ['user'], other),
      forge(version, digest, { $ne: null }, ['user'], other),
      forge(version, digest, nonce, ['__proto__'], [['__proto__', 'x']]),
      forge(version, digest, nonce, ['constructor'], [['constructor', 'x']]),
      forge(version, digest, nonce, ['user'], [['user', '\u0000\ud800']]),
      forge(version, digest, nonce, ['user'], [['user', 'x'.repeat(20_000)]]),
      forge(
        version,
        digest,
        nonce,
        Array.from({ length: 2_000 }, () => 'user'),
        other,
      ),
      forge(version, digest, nonce, { length: 1 }, other),
      forge(version, digest, nonce, [['user']], other),
    ];
    for (const [index, reservation] of forged.entries()) {
      for (const name of ['confirm', 'rollback'] as const) {
        commands.splice(0);
        const settled = await callOverHttp(handlers[name], { orderId: 'o-1', reservation });
        expect({ index, name, status: settled.status }).toEqual({
          index,
          name,
          status: expect.toBeOneOf([400, 404, 409, 410]) as unknown,
        });
        expect(commands.length).toBeLessThanOrEqual(10);
      }
    }
    expect(await stored()).toEqual(before);
    expect(({} as Record<string, unknown>).x).toBeUndefined(); // nothing was polluted
  });
});
