import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import type { Crowded } from '../../lib/limits/context.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import { SILENT } from '../support/telemetry.ts';
import {
  callDirectly,
  callOverHttp,
  handlersOn,
  serviceOn,
  watchCommands,
} from '../support/service-on-database.ts';
import { exampleRules, USER_DAY } from '../support/stored-rules.ts';
import { countersIn } from '../support/stored-buckets.ts';

const RULES = [USER_DAY];
const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 300, currency: 'CNY' };
const SETTLE = { orderId: 'o-1', subjects: { user: 'u-1' } };

const database = useDatabase({ monitorCommands: true });

const stored = () => countersIn(database.db);

let handlers: Handlers;
let commands: string[];
beforeAll(() => {
  commands = watchCommands(database.client, database.db.databaseName);
});
beforeEach(async () => {
  await database.db.collection('counters').deleteMany({});
  handlers = await handlersOn(database, RULES);
});

describe('a query of a call that is asked by its body or its path', () => {
  const BODIES = [
    'check',
    'confirm',
    'rollback',
    'refund',
    'checks',
    'settlements',
    'record',
  ] as const;
  const queried = (query: string, method: 'POST' | 'GET', body: unknown): object => ({
    version: '2.0',
    rawQueryString: query,
    headers: {},
    requestContext: { http: { method } },
    ...(method === 'GET' ? { pathParameters: body } : { body: JSON.stringify(body) }),
  });

  const parsed = (body: unknown): unknown => (typeof body === 'string' ? JSON.parse(body) : body);

  it.each(BODIES)('is a mistake of %s, which would not look at it', async (name) => {
    const event = queried('dryRun=true', 'POST', name === 'check' ? CHECK : SETTLE);
    const { statusCode, body } = await handlers[name](event, { awsRequestId: 'request-1' });
    expect({ statusCode, body: parsed(body) }).toMatchObject({
      statusCode: 400,
      body: {
        code: 'INVALID_REQUEST',
        errors: expect.arrayContaining([
          { path: 'dryRun', value: '"true"', expected: 'no field of a query' },
        ]) as unknown,
      },
    });
    expect(await stored()).toEqual([]);
  });

  it('is a mistake of status', async () => {
    const event = queried('subjects=u-1', 'GET', { orderId: 'o-1' });
    const { statusCode } = await handlers.status(event, { awsRequestId: 'request-1' });
    expect(statusCode).toBe(400);
  });
});

describe('the database', () => {
  it('is asked once for each check of one subject, and settle by reservation', async () => {
    await callDirectly(handlers.check, { ...CHECK, orderId: 'warm', dryRun: true }); // reads the rules
    const asked = (): string[] => commands.splice(0);
    asked();
    const { body } = await callOverHttp(handlers.check, CHECK);
    expect(asked()).toEqual(['findAndModify', 'findAndModify']); // a new subject
    await callOverHttp(handlers.check, CHECK);
    expect(asked()).toEqual(['findAndModify', 'findAndModify']); // a known order
    await callOverHttp(handlers.check, { ...CHECK, orderId: 'refused' });
    expect(asked()).toEqual(['findAndModify', 'findAndModify']); // no room: one that holds nothing
    await callOverHttp(handlers.check, { ...CHECK, orderId: 'refused again' });
    expect(asked()).toEqual(['find']); // the subject has just not held what was asked
    await callOverHttp(handlers.confirm, { orderId: 'o-1', reservation: body.reservation });
    expect(asked()).toEqual(['findAndModify']);
    await callOverHttp(handlers.check, { ...CHECK, orderId: 'o-2', amount: 1 });
    asked();
    await callOverHttp(handlers.rollback, { ...SETTLE, orderId: 'o-2' });
    // By subjects: what is held is read first.
    expect(asked()).toEqual(['find', 'findAndModify']);
  });

  it('is asked for the rules once, before the first check', async () => {
    commands.splice(0);
    await callOverHttp(handlers.check, CHECK);
    await callOverHttp(handlers.check, { ...CHECK, orderId: 'o-2', amount: 1 });
    // The rules, a subject that is new, and one that is not.
    expect(commands).toEqual(['find', 'findAndModify', 'findAndModify', 'findAndModify']);
  });

  it('is asked once for a hundred orders of one document, whose holds are read before they are settled', async () => {
    const orders = Array.from({ length: 100 }, (_, at) => ({
      ...CHECK,
      orderId: `o-${at}`,
      amount: 1,
    }));
    commands.splice(0);
    expect((await callOverHttp(handlers.checks, { orders })).body).toMatchObject({
      allAllowed: true,
    });
    // The rules, and the document, which is new.
    expect(commands.splice(0)).toEqual(['find', 'findAndModify', 'findAndModify']);
    const settlements = orders.map(({ orderId }) => ({ ...SETTLE, orderId, status: 'SUCCESS' }));
    await callOverHttp(handlers.settlements, { settlements });
    expect(commands).toEqual(['find', 'findAndModify']);
  });
});

describe('edge-1: names that look like something else', () => {
  it.each([
    { one: '$NOW', other: '$$NOW', why: 'they are text, not variables' },
    { one: '$$ROOT', other: '$ROOT', why: 'they are text, not variables' },
    { one: 'a.b', other: 'a', why: 'a dot is no path' },
    { one: '__proto__', other: 'constructor', why: 'they are text, not inheritance' },
    { one: 'x'.repeat(256), other: 'x'.repeat(255), why: 'one character is a difference' },
    { one: '👩‍👧', other: '👩', why: 'a family is not a woman' },
    { one: 'admin', other: 'аdmin', why: 'one of them begins with a Cyrillic letter' },
    { one: 'é', other: 'e\u0301', why: 'nothing is normalized' },
    { one: 'a:b', other: 'a\\:b', why: 'the escape is escaped' },
    { one: 'U-1', other: 'u-1', why: 'ids have a case' },
    { one: 'u-1 ', other: 'u-1', why: 'a space is a character' },
  ])('$one and $other are kept apart, because $why', async ({ one, other }) => {
    const check = { ...CHECK, amount: 500 };
    for (const id of [one, other]) {
      const full = await callOverHttp(handlers.check, {
        ...check,
        orderId: id,
        subjects: { user: id },
      });
      expect(full.body).toMatchObject({
        decision: 'allowed',
        repeated: false,
        limitReached: true,
        limitReachedBy: [USER_DAY.id],
        rules: [{ subjects: { user: id } }],
      });
    }
    const documents = await stored();
    expect(documents).toHaveLength(2);
    const settled = await callOverHttp(handlers.confirm, { orderId: one, subjects: { user: one } });
    expect(settled.body).toMatchObject({ state: 'confirmed', amount: 500 });
    const unknown = await callOverHttp(handlers.confirm, {
      orderId: one,
      subjects: { user: other },
    });
    expect(unknown.status).toBe(404);
  });

  it('are kept apart where kind and id joined by a colon would be equal', async () => {
    const check = { ...CHECK, amount: 500 };
    const pairs = [{ user: 'card:1' }, { card: 'user:1' }, { user: 'card\\:1' }];
    const allowing = await handlersOn(database, RULES, { ON_NO_RULE: 'allow' });
    for (const [index, subjects] of pairs.entries())
      await callOverHttp(allowing.check, { ...check, orderId: `o-${index}`, subjects });
    expect(await stored()).toHaveLength(3);
  });
});

it('counts a check that meets a merchant with nearly as many open holds as it may have', async () => {
  const crowded: Crowded[] = [];
  const telemetry = { ...SILENT, crowded: (one: Crowded) => crowded.push(one) };
  const rules = [USER_DAY, { ...USER_DAY, id: 'shop-day', per: ['merchant'] }];
  const set = { MAX_OPEN_SHARES: '1' };
  const { check } = handlersOf(await serviceOn(database, rules, set, telemetry));
  const subjects = { user: 'u-1', merchant: 'm-1' };
  for (const orderId of ['o-1', 'o-2']) await callOverHttp(check, { ...CHECK, orderId, subjects });
  // The first takes the last place, and the second finds none.
  const full = { of: 'shares', kind: 'merchant', open: 1, most: 1 };
  expect(crowded).toEqual([full, full]);
});

it.each([
  {
    attributes: {},
    decision: 'refused',
    why: 'a transfer without the attribute may be of anybody',
  },
  { attributes: { verified: false }, decision: 'refused', why: 'the wallet is not verified' },
  { attributes: { verified: 'false' }, decision: 'refused', why: 'a text is no truth value' },
  { attributes: { verified: 'true' }, decision: 'refused', why: 'a text is no truth value' },
  { attributes: { verified: true }, decision: 'allowed', why: 'the wallet is verified' },
])('the example limits a transfer with $attributes: $decision, because $why', async (row) => {
  const { check } = await handlersOn(database, exampleRules());
  const order = { ...CHECK, type: 'TRANSFER', amount: 120_000, attributes: row.attributes };
  expect((await callOverHttp(check, order)).body).toMatchObject({ decision: row.decision });
});
