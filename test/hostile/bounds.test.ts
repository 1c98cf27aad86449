import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOverHttp, handlersOn, watchCommands } from '../support/service-on-database.ts';
import type { Handlers } from '../support/handlers.ts';
import { useDatabase } from '../support/database.ts';
import { OPERATORS, RIGHT } from './nonsense.ts';
import { USER_LIFE } from '../support/stored-rules.ts';
import { countersIn } from '../support/stored-buckets.ts';

const RULE = { ...USER_LIFE, max: { amount: 10 ** 15 } };
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

const stored = () => countersIn(database.db);

/** So many names that begin alike, each with the same value. */
function many(count: number, name: string, value: unknown): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, value]));
}

describe('a call at its bounds', () => {
  const long = (length: number) => 'x'.repeat(length);

  // One beyond each bound is refused by http/check-request.test.ts.
  it.each([
    { what: 'the largest of everything', amount: 10 ** 15, count: 1_000_000, hold: 'P7D' },
    { what: 'the least of everything', amount: 0, count: 1, hold: 'PT1S' },
  ])('is decided: $what', async ({ what, ...least }) => {
    const largest = {
      orderId: '😀'.repeat(256),
      type: long(64),
      subjects: { user: long(256), [long(32)]: 'x', ...many(8, 'kind', '😀'.repeat(256)) },
      currency: 'A'.repeat(12),
      attributes: { [long(64)]: 2 ** 53 - 1, ...many(49, 'name', long(256)) },
    };
    const isLargest = what === 'the largest of everything';
    const order = { ...CHECK, attributes: {}, ...least, ...(isLargest ? largest : {}) };
    const { status, body } = await callOverHttp(handlers.check, order);
    expect({ status, body }).toMatchObject({ status: 200, body: { decision: 'allowed' } });
    const settle = { orderId: order.orderId, reservation: body.reservation };
    expect(await callOverHttp(handlers.confirm, settle)).toMatchObject({ status: 200 });
  });

  const order = { orderId: 'o-1', subjects: { user: 'u-1' } };
  it.each([
    { call: 'check', body: { ...order, amount: 1, currency: 'CNY' }, bytesMax: 65_536 },
    { call: 'checks', body: { orders: [CHECK] }, bytesMax: 1_048_576 },
    {
      call: 'settlements',
      body: { settlements: [{ ...order, status: 'SUCCESS' }] },
      bytesMax: 1_048_576,
    },
  ] as const)('of $call is read up to $bytesMax bytes', async ({ call, body, bytesMax }) => {
    // Spaces mean nothing to JSON.
    const send = (bytes: number) =>
      callOverHttp(handlers[call], JSON.stringify(body).padEnd(bytes, ' '));
    expect(await send(bytesMax)).toMatchObject({ status: 200 });
    commands.splice(0);
    expect(await send(bytesMax + 1)).toMatchObject({ status: 400 });
    expect(commands).toEqual([]);
  });
});

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
});
