import { beforeAll, describe, expect, it } from 'vitest';
import { makeIndexes, useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOn } from '../support/service-on-database.ts';
import type { OperationOf, Schema } from './contract.ts';
import { fits, OPERATIONS, requestSchema } from './contract.ts';
import { RULES } from './rules-and-orders.ts';

/**
 * Each value of each parameter, in the path, the query and headers, is sent to its call: one that the
 * document allows is taken, and any other is 400. So is what the document says in words alone. So are the
 * bodies of calls that have parameters, too; test/openapi/agreement.test.ts has the others.
 */

const TEXTS = ['x', '12345', 'x'.repeat(256), '👍'.repeat(256), 'User Day', 'user-day', '$ne'];
const ANY_TEXT = [...TEXTS, '', 'x'.repeat(257), 'a\uFFFD', 'a\0'];
// prettier-ignore
const INSTANTS = [
  '2026-03-02T00:00:00+08:00', '2026-03-02t00:00:00.123z', '9998-12-31T23:59:59Z',
  '2026-03-02T00:00:00.123456Z', '2026-03-02 00:00:00Z', '2026-03-02T00:00:00', '2026-03-02T00:00Z',
  '2026-02-30T00:00:00Z', '2026-03-02T23:59:60Z', '1969-12-31T23:59:59Z', '9999-01-01T00:00:00Z',
];
const PLACE = Buffer.from(JSON.stringify([1_772_380_800_000, 'row-1'])).toString('base64url');
const NO_PLACES = ['', 'a b', 'a+b', 'a/b', '=', 'é'];
// prettier-ignore
const TAGS = [
  '"1"', '1', '"1", "2"', '"1","2"', '*', '"none"', 'none', 'W/"1"', '"*"', ',', '"1",', '"a b"',
  '"8f14e45f-ceea-467f-a0e6-1d4c2b7a9c55"', '"123456789012345"', '"1234567890123456"',
];

/** What is tried of each parameter; of those that have the same name, the same. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  id: ANY_TEXT,
  rule: ANY_TEXT,
  orderId: ANY_TEXT,
  reason: ANY_TEXT,
  kind: ['user', 'merchant', 'User', 'type', 'constructor', 'a'.repeat(32), 'a'.repeat(33), ''],
  since: INSTANTS,
  until: INSTANTS,
  before: [...INSTANTS, ...NO_PLACES, PLACE],
  'ruleVersions before': ['1', '9007199254740991', '9007199254740992', '0', '-1', '1.5', 'x', ''],
  'listProposals before': ANY_TEXT,
  next: NO_PLACES,
  app: ['shop', '0-a', 'x'.repeat(64), 'x'.repeat(65), 'Shop', '-a', 'a b', ''],
  limit: ['1', '100', '0', '101', '-1', '1.5', 'ten', ''],
  share: ['0.5', '0.95', '1', '0.7', '50', '-1', ''],
  about: ['rules', 'terms', 'order', 'orders', ''],
  state: ['open', 'expired', 'Open', ''],
  decision: ['allowed', 'refused', 'Refused', ''],
  decided: ['refused', 'allowed', 'Refused', ''],
  replay: ['direct', 'knockOn', 'knockon', ''],
  dryRun: ['true', 'false', 'yes', '1', ''],
  nameSubjects: ['true', 'false', 'yes', '1', ''],
  stale: ['PT1S', 'PT0S', 'PT1H', 'PT1H1S', 'PT0.5S', 'PT1.5S', 'PT30M', 'P1D', 'P1Y', ''],
  type: ['PAYMENT', 'a.b-c_d', 'x'.repeat(64), 'x'.repeat(65), '', 'ü', 'a b'],
  date: ['1970-01-01', '9998-12-31', '2026-02-30', '1969-12-31', '9999-01-01', '20260302', ''],
  zone: ['UTC', 'Asia/Shanghai', 'Etc/GMT+8', 'America/Port-au-Prince', '+08:00', '8', '', 'A B'],
  last: ['P7D', 'P31D', 'P32D', 'P0D', 'P07D', 'P13M', 'P14M', 'P1W', 'P', '7', 'p7d', ''],
  'X-Actor': [
    'jane',
    'Jane Doe <jane@example.com>',
    'x'.repeat(256),
    'é',
    'a\tb',
    'jane,joe',
    'Doe%2C Jane',
    '%E7%8E%8B%E5%B0%8F%E6%98%8E',
    '%E7%8E%8B'.repeat(256),
    '%E7%8E%8B'.repeat(256).concat('x'.repeat(1)),
    '100%',
    '',
  ],
  overrideId: ['all', 'o', '1', ''],
  'If-Match': TAGS,
  'If-None-Match': ['*', '"1"', '"*"', 'none', ''],
};

/** Conditions that the document has in words, for JSON Schema has none for them. */
const IN_WORDS: readonly (readonly [id: string, name: string, text: string])[] = [
  ['transactions', 'since', '1970-01-01T00:00:00+08:00'],
  ['transactions', 'before', 'next'],
  ['termsChanges', 'before', 'next'],
  ['near', 'next', 'next'],
  ['usageHistory', 'zone', 'Mars'],
  ['summary', 'zone', 'GMT+8'],
  ['freeze', 'X-Actor', 'x'.repeat(257)],
  ['freeze', 'X-Actor', '%E7%8E'],
  ['freeze', 'X-Actor', 'jane%0A'],
];

type Parameter = { readonly name: string; readonly in: string; readonly schema: Schema };

const parametersOf = ({ parameters = [] }: OperationOf): readonly Parameter[] =>
  (parameters as readonly Parameter[]).filter(
    ({ name }) => !['subjects', 'attributes', 'Accept-Language'].includes(name), // none is one text
  );

const ROWS = Object.values(OPERATIONS).flatMap((operation) =>
  parametersOf(operation).map((parameter) => ({
    id: operation.id,
    name: parameter.name,
    parameter,
  })),
);

/** A text of a query as the type that the document gives it. */
function typed({ type, enum: choices }: Schema, text: string): unknown {
  const isNumber = type === 'integer' || type === 'number';
  if (isNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && choices === undefined && /^(true|false)$/.test(text))
    return text === 'true';
  return text;
}

const database = useDatabase();
let handlers: Handlers;
beforeAll(async () => {
  await makeIndexes(database.db);
  handlers = await handlersOn(database, RULES, { AUDIT: 'best-effort' });
});

/** Which function a call is of. */
function functionOf({ id, path, tags }: OperationOf): keyof Handlers {
  if (tags.includes('History')) return 'history';
  if (tags.includes('Second person')) return 'proposals';
  const named = path.split('/')[2] ?? '';
  return (Object.hasOwn(handlers, id) ? id : named) as keyof Handlers; // handlersOf has them all
}

/** The parts that a call needs beside the parameter. */
const NEEDED: Readonly<Record<string, string>> = {
  kind: 'user',
  id: 'one',
  rule: 'user-day',
  orderId: 'o-1',
  reason: 'why',
};

type Asked = {
  /** A parameter beside those that the call needs, or one of these with another text. */
  readonly more?: Parameter & { readonly text: string };
  /** A parameter that is left out. */
  readonly without?: string;
  /** In place of the example of the document. */
  readonly body?: unknown;
};

type Given = Parameter & { readonly required?: boolean };

/** A payment of the past stays one, whatever the clock says: the examples are of November 2026. */
const longAgo = (name: string, value: unknown): unknown =>
  name === 'at' && typeof value === 'string' ? '2026-01-02T03:04:05.000Z' : value;

/** Sends a call to its route, and says whether it was understood. */
async function isTaken(id: string, { more, without, ...asked }: Asked): Promise<boolean> {
  const operation = OPERATIONS[id];
  if (operation === undefined) throw new Error(`there is no call ${id}`);
  const { method, path, requestBody, parameters = [] } = operation;
  const own = parameters as readonly Given[];
  const needed = own.filter((one) => one.required === true && one.name !== 'subjects');
  const others = needed.filter(({ name }) => ![more?.name, without].includes(name));
  const sent = [
    ...others.map((one) => ({ ...one, text: NEEDED[one.name] ?? '' })),
    ...(more === undefined ? [] : [more]),
  ];
  const inPlace = (place: string): Record<string, string> =>
    Object.fromEntries(
      sent.filter((one) => one.in === place).map(({ name, text }) => [name, text]),
    );
  const query = new URLSearchParams(inPlace('query'));
  if (without !== 'subjects' && own.some(({ name }) => name === 'subjects'))
    query.set('user', 'u-1');
  const content = requestBody?.content['application/json'] as { example?: unknown } | undefined;
  const event = {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query.toString(),
    headers: inPlace('header'),
    pathParameters: inPlace('path'),
    requestContext: { http: { method, path } },
    ...(content === undefined
      ? {}
      : { body: JSON.stringify('body' in asked ? asked.body : content.example, longAgo) }),
  };
  const { statusCode } = await handlers[functionOf(operation)](event, {
    awsRequestId: 'request-1',
  });
  return statusCode !== 400;
}

describe('a call', () => {
  it.each(Object.keys(OPERATIONS))('%s takes what it needs, and no other parameter', async (id) => {
    expect(await isTaken(id, {})).toBe(true);
    const colour = { name: 'Colour', in: 'query', schema: {}, text: 'red' };
    expect(await isTaken(id, { more: colour })).toBe(false);
    const { parameters = [] } = OPERATIONS[id] ?? {};
    for (const { name, required, in: place } of parameters as readonly Given[])
      if (required === true && place === 'query')
        expect({ name, taken: await isTaken(id, { without: name }) }).toEqual({
          name,
          taken: false,
        });
  });
});

describe('what a parameter may be', () => {
  it.each(ROWS)('$id: $name', async ({ id, name, parameter }) => {
    const found = [];
    const values = VALUES[`${id} ${name}`] ?? VALUES[name] ?? [];
    for (const text of values) {
      const isAllowed = fits(parameter.schema, typed(parameter.schema, text));
      const taken = await isTaken(id, { more: { ...parameter, text } });
      if (taken !== isAllowed) found.push({ text, isAllowed });
    }
    expect(values.length).toBeGreaterThan(3);
    expect(found).toEqual([]);
  });

  it.each(IN_WORDS)('%s: %s=%s is said in words, and refused', async (id, name, text) => {
    const parameter = ROWS.find((row) => row.id === id && row.name === name)?.parameter;
    if (parameter === undefined) throw new Error(`${id} has no parameter ${name}`);
    expect(fits(parameter.schema, text)).toBe(true);
    expect(await isTaken(id, { more: { ...parameter, text } })).toBe(false);
  });
});

describe('what the terms of a subject may be', () => {
  const [from, until] = ['2026-03-02T00:00:00+08:00', '2999-01-01T00:00:00.000Z'];
  const max = { amount: 1_000 };
  const reason = 'asked for';

  // prettier-ignore
  it.each([
    { max, reason }, { max: { amount: null, count: 0 }, reason }, { max: {}, reason },
    { max }, { reason }, { max, reason: '' }, { max, reason: 7 }, { max: 7, reason },
    { max: { amount: -1 }, reason }, { max: { amount: 1.5 }, reason }, { max: { amount: '1' }, reason },
    { max: { sum: 1 }, reason }, { max, reason, id: 'u-1' },
    { max, reason, from, until }, { max, reason, from: 'today' }, { max, reason, until: 7 },
    { max, reason, from: '2026-02-30T00:00:00Z' },
    { max, reason, effectiveAfter: 'PT24H' }, { max, reason, effectiveAfter: 'a day' },
    { max, reason, from, effectiveAfter: 'PT24H' },
    [], 'text', null,
  ].map((body) => ({ body })))('override takes $body where the document allows it', async ({ body }) => {
    expect(await isTaken('override', { body })).toBe(fits(requestSchema('override'), body));
  });

  // prettier-ignore
  it.each([
    { reason }, { reason, until }, {}, { reason: '' }, { reason, until: 'never' },
    { reason, max }, { reason: 'x'.repeat(257) }, { reason, until: null }, [],
  ].map((body) => ({ body })))('freeze takes $body where the document allows it', async ({ body }) => {
    expect(await isTaken('freeze', { body })).toBe(fits(requestSchema('freeze'), body));
  });
});
