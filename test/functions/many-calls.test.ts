import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import type { Answered } from '../support/service-on-database.ts';
import type { Handlers } from '../support/handlers.ts';
import {
  callDirectly,
  callOverHttp,
  handlersOn,
  watchCommands,
} from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';
import { countersIn } from '../support/stored-buckets.ts';

const RULES = [{ ...USER_DAY, max: { amount: 1_000 } }];

/** A check of 3.00: three of them fit. */
const order = (orderId: string, more: object = {}): Readonly<Record<string, unknown>> => ({
  orderId,
  subjects: { user: 'u-1' },
  amount: 300,
  currency: 'CNY',
  ...more,
});
const end = (orderId: string, status: string, more: object = {}): object => ({
  orderId,
  status,
  subjects: { user: 'u-1' },
  ...more,
});

const database = useDatabase({ monitorCommands: true });
let handlers: Handlers;
let commands: string[];

beforeAll(() => {
  commands = watchCommands(database.client, database.db.databaseName);
});
beforeEach(async () => {
  await database.db.collection('counters').deleteMany({});
  handlers = await handlersOn(database, RULES);
});

const stored = () => countersIn(database.db);

const WAYS = [
  { way: 'over HTTP', call: callOverHttp },
  { way: 'directly', call: callDirectly },
] as const;

describe.each(WAYS)('many orders, called $way', ({ call }) => {
  const checks = (body: object): Promise<Answered> => call(handlers.checks, body);
  const settlements = (...list: object[]): Promise<Answered> =>
    call(handlers.settlements, { settlements: list });

  it('get an answer each, in the order given, as if asked one after the other', async () => {
    const orders = [1, 2, 3, 4].map((number) => order(`o-${number}`));
    const { status, body } = await checks({ orders, report: 'all' });
    expect(status).toBe(200);
    const held = (amount: number): object => ({ rules: [{ held: { amount } }] });
    expect(body).toMatchObject({
      allAllowed: false,
      results: [
        { orderId: 'o-1', decision: 'allowed', repeated: false, state: 'held', ...held(300) },
        { orderId: 'o-2', decision: 'allowed', ...held(600) },
        { orderId: 'o-3', decision: 'allowed', ...held(900) },
        { orderId: 'o-4', decision: 'refused', headroom: { amount: 100 }, ...held(900) },
      ],
    });
    const again = await checks({ orders: orders.slice(0, 3), report: 'all' });
    const [first] = body.results as readonly { readonly reservation: string }[]; // four of them
    expect(again.body).toMatchObject({
      allAllowed: true,
      results: [
        { orderId: 'o-1', repeated: true, reservation: first?.reservation, ...held(900) },
        { orderId: 'o-2', repeated: true, ...held(900) },
        { orderId: 'o-3', repeated: true, ...held(900) },
      ],
    });
  });

  it('are told apart: a mistake of one order is a problem of that order alone', async () => {
    await checks({ orders: [order('o-1')] });
    const { status, body } = await checks({ orders: [order('o-1', { amount: 1 }), order('o-2')] });
    expect(status).toBe(200);
    expect(body).toEqual({
      allAllowed: false,
      results: [
        {
          orderId: 'o-1',
          problem: {
            type: 'urn:headroom:problem:order-reused',
            title: 'The order was checked with other content',
            status: 409,
            detail: expect.stringContaining('order "o-1" was checked before') as string,
            code: 'ORDER_REUSED',
            requestId: 'request-1',
          },
        },
        expect.objectContaining({ orderId: 'o-2', decision: 'allowed' }),
      ],
    });
  });

  it('are settled together, each with the answer of confirm or rollback', async () => {
    const { body } = await checks({ orders: [order('o-1'), order('o-2'), order('o-3')] });
    const [, second] = body.results as readonly { readonly reservation: string }[]; // three allowed
    const batch = [
      end('o-1', 'SUCCESS', { amount: 200 }),
      { orderId: 'o-2', status: 'FAIL', reservation: second?.reservation, reason: 'no funds' },
      end('o-3', 'SUCCESS'),
      end('o-4', 'SUCCESS'),
      { orderId: 'o-5', status: 'FAIL', reservation: second?.reservation },
    ];
    const settled = await settlements(...batch);
    const problem = (status: number, code: string): object => ({ problem: { status, code } });
    expect(settled).toMatchObject({
      status: 200,
      body: {
        results: [
          { orderId: 'o-1', state: 'confirmed', repeated: false, late: false, amount: 200 },
          { orderId: 'o-2', state: 'rolledBack', repeated: false },
          { orderId: 'o-3', state: 'confirmed', amount: 300 },
          { orderId: 'o-4', ...problem(404, 'NOT_FOUND') },
          { orderId: 'o-5', ...problem(400, 'INVALID_REQUEST') },
        ],
      },
    });
    const before = await stored();
    expect(await settlements(...batch)).toMatchObject({
      body: {
        results: [
          { orderId: 'o-1', state: 'confirmed', repeated: true, amount: 200 },
          { orderId: 'o-2', state: 'rolledBack', repeated: true },
          { orderId: 'o-3', state: 'confirmed', repeated: true },
          { orderId: 'o-4', ...problem(404, 'NOT_FOUND') },
          { orderId: 'o-5', ...problem(400, 'INVALID_REQUEST') },
        ],
      },
    });
    expect(await stored()).toEqual(before);
    const other = await settlements(end('o-1', 'FAIL'), end('o-2', 'SUCCESS'));
    expect(other.body).toMatchObject({
      results: [problem(409, 'ALREADY_CONFIRMED'), problem(409, 'ALREADY_ROLLED_BACK')],
    });
  });

  it('are all held or none where the call is atomic, and the refused one is told apart', async () => {
    const orders = [1, 2, 3, 4].map((number) => order(`o-${number}`));
    const { status, body } = await checks({ orders, atomic: true });
    expect(status).toBe(200);
    const because = expect.stringContaining('because order "o-4" of the same atomic') as string;
    const notHeld = { problem: { status: 409, code: 'NOT_ALL_ALLOWED', detail: because } };
    expect(body).toMatchObject({
      allAllowed: false,
      results: [
        { orderId: 'o-1', ...notHeld },
        { orderId: 'o-2', ...notHeld },
        { orderId: 'o-3', ...notHeld },
        { orderId: 'o-4', decision: 'refused' },
      ],
    });
    expect(await stored()).toEqual([]);
    const fewer = await checks({ orders: orders.slice(0, 3), atomic: true });
    expect(fewer.body).toMatchObject({
      allAllowed: true,
      results: [{ decision: 'allowed' }, { decision: 'allowed' }, { decision: 'allowed' }],
    });
  });

  it('are one update of one document, whose holds are read before they are settled', async () => {
    const orders = Array.from({ length: 100 }, (_, index) => order(`o-${index}`, { amount: 1 }));
    commands.splice(0);
    expect((await checks({ orders })).body).toMatchObject({ allAllowed: true });
    // The rules, and the document, which is new.
    expect(commands.splice(0)).toEqual(['find', 'findAndModify', 'findAndModify']);
    await settlements(...orders.map(({ orderId }) => end(String(orderId), 'SUCCESS')));
    expect(commands).toEqual(['find', 'findAndModify']);
  });
});

describe('many orders in local mode', () => {
  it('take the time from the header', async () => {
    const local = await handlersOn(database, RULES, { LOCAL_CLOCK: 'on' });
    const at = { 'X-Headroom-Now': '2026-03-01T10:00:00+08:00' };
    const { body } = await callOverHttp(local.checks, { orders: [order('o-1')] }, at);
    expect(body).toMatchObject({ results: [{ now: '2026-03-01T02:00:00.000Z' }] });
    const later = { 'X-Headroom-Now': '2026-03-01T11:00:00+08:00' };
    const settled = { settlements: [end('o-1', 'SUCCESS')] };
    expect((await callOverHttp(local.settlements, settled, later)).body).toMatchObject({
      results: [{ state: 'confirmed', late: true }],
    });
  });
});
