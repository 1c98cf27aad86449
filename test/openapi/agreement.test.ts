import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { BODY_BYTES_MAX, MANY_BODY_BYTES_MAX } from '../../lib/shared/bounds.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import type { Handlers } from '../support/handlers.ts';
import { callHistory } from '../support/history-call.ts';
import { allowedBy, changed } from './arbitrary.ts';
import type { Schema } from './contract.ts';
import { DOCUMENT, fits, OPERATIONS, requestSchema, undocumented } from './contract.ts';
import { pooled, RULES, sendTo } from './rules-and-orders.ts';

/**
 * Requests made from the document are sent to the functions: what it allows is never a 400, what it
 * forbids always is, and every answer is one that it names.
 */

const RUNS = times('agreedRequests');
type CallName = keyof Handlers;
/** Calls whose request is a body and nothing else. */
const CALLS = Object.values(OPERATIONS)
  .filter(({ requestBody, parameters }) => requestBody !== undefined && parameters === undefined)
  .map(({ id }) => id as CallName); // `handlersOf` has them all

const PAYMENT = { subjects: { user: 'u-1' }, amount: 100, currency: 'CNY' };

const idsOf = (name: CallName): readonly string[] => [0, 1, 2, 3, 4].map((at) => `${name}-${at}`);

const database = useDatabase();
let handlers: Handlers;
/** The check's answer about order held-1. */
let reservation: string;

beforeAll(async () => {
  await makeIndexes(database.db);
  handlers = await handlersOn(database, RULES, { AUDIT: 'best-effort', LOCAL_CLOCK: 'on' });
  const { body } = await sendTo(handlers, 'check', { ...PAYMENT, orderId: 'held-1' });
  expect(body).toMatchObject({ decision: 'allowed' });
  ({ reservation } = body as { reservation: string });
  // Before anything else, while there is room.
  for (const name of ['confirm', 'rollback', 'refund', 'settlements'] as const)
    for (const orderId of idsOf(name)) {
      const made = await sendTo(handlers, 'check', {
        ...PAYMENT,
        orderId,
        capture: name === 'refund',
      });
      expect(made).toMatchObject({ body: { decision: 'allowed' } });
    }
});

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The orders of a request: itself, or those of its list. */
function ordersOf(body: unknown): readonly Fields[] {
  if (!isObject(body)) return [];
  const list = body.orders ?? body.settlements;
  return Array.isArray(list) ? list.filter(isObject) : [body];
}

/** Conditions that the document has in words, for JSON Schema has none for them. */
function forbiddenInWords(name: CallName, body: unknown): boolean {
  const orders = ordersOf(body);
  const ids = orders.map(({ orderId }) => orderId);
  const bytesMax =
    name === 'checks' || name === 'settlements' || name === 'record'
      ? MANY_BODY_BYTES_MAX
      : BODY_BYTES_MAX;
  return (
    Buffer.byteLength(JSON.stringify(body)) > bytesMax ||
    new Set(ids).size < ids.length ||
    orders.some(({ at }) => typeof at === 'string' && !isOfThePast(at)) ||
    orders.some(({ attributes, subjects }) =>
      Object.keys(attributes ?? {}).some((kind) => Object.hasOwn(subjects ?? {}, kind)),
    )
  );
}

/** An instant that there was: no 30 February, and not before 1970 where its zone is east of Greenwich. */
function isOfThePast(at: string): boolean {
  const [year, month, day] = at.slice(0, 10).split('-').map(Number);
  const daysOfMonth = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  const ms = Date.parse(at);
  return (day ?? 0) <= daysOfMonth && ms >= 0 && ms <= Date.now();
}

/** A reservation is the very text that the check of this order answered; of many, each has its own problem. */
function isMadeUp(name: CallName, body: unknown): boolean {
  return (
    name !== 'settlements' &&
    ordersOf(body).some(
      (one) =>
        one.reservation !== undefined &&
        !(one.reservation === reservation && one.orderId === 'held-1'),
    )
  );
}

/** Half of them are about few orders, so that they meet; some have a true reservation. */
function requestsOf(name: CallName): fc.Arbitrary<unknown> {
  const made = allowedBy(requestSchema(name));
  const met = fc
    .tuple(made, fc.nat())
    .map(([body, chance]) => pooled(body, chance, { ids: idsOf(name), reservation }));
  return fc.oneof(made, met);
}

const tally = new Map<string, number>();

async function agree(name: CallName, body: unknown): Promise<void> {
  const answer = await sendTo(handlers, name, body);
  expect(undocumented(name, answer)).toBeUndefined();
  const isAllowed = fits(requestSchema(name), body);
  const isRefused = !isAllowed || forbiddenInWords(name, body) || isMadeUp(name, body);
  const said = { body, answer: answer.body, is400: answer.status === 400 };
  expect(said).toEqual({ ...said, is400: isRefused });
  const key = `${name} ${isAllowed ? 'allowed' : 'forbidden'} ${answer.status}`;
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

const options = { numRuns: RUNS, seed: SEED };
const count = (key: string): number => tally.get(key) ?? 0;

describe.each(CALLS)('%s', (name) => {
  it('takes what the document allows', async () => {
    await fc.assert(
      fc.asyncProperty(requestsOf(name), (body) => agree(name, body)),
      options,
    );
    expect(count(`${name} allowed 200`)).toBeGreaterThan(RUNS / 24);
  });

  it('refuses with 400 what it forbids, and takes a change that it allows', async () => {
    const requests = requestsOf(name).chain(changed);
    await fc.assert(
      fc.asyncProperty(requests, (body) => agree(name, body)),
      options,
    );
    expect(count(`${name} forbidden 400`)).toBeGreaterThan(RUNS / 4);
    expect(count(`${name} allowed 200`)).toBeGreaterThan(RUNS / 24);
  });
});

describe('usage', () => {
  it('takes the subjects that the document allows, and refuses the others', async () => {
    const schema = { $ref: '#/components/schemas/Subjects' };
    const subjects = allowedBy(schema);
    await fc.assert(
      fc.asyncProperty(fc.oneof(subjects, subjects.chain(changed)), async (given) => {
        if (!isObject(given) || !Object.values(given).every((id) => typeof id === 'string')) return;
        const query = new URLSearchParams(given as Record<string, string>);
        const answer = await sendTo(handlers, 'usage', query);
        expect(undocumented('usage', answer)).toBeUndefined();
        expect(answer.status).toBe(fits(schema, given) ? 200 : 400);
      }),
      options,
    );
  });

  it('takes the attributes that the document allows, and refuses the others', async () => {
    const schema = { $ref: '#/components/schemas/Attributes' };
    const texts = allowedBy({
      ...DOCUMENT.components.schemas.Attributes,
      additionalProperties: { $ref: '#/components/schemas/Text' },
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(texts, texts.chain(changed)), async (given) => {
        if (!isObject(given) || !Object.values(given).every((one) => typeof one === 'string'))
          return;
        const query = new URLSearchParams({ user: 'u-1' });
        for (const [name, one] of Object.entries(given))
          query.set(`attributes[${name}]`, String(one));
        const answer = await sendTo(handlers, 'usage', query);
        expect(undocumented('usage', answer)).toBeUndefined();
        const isNamedOnce = !Object.hasOwn(given, 'user');
        expect(answer.status).toBe(fits(schema, given) && isNamedOnce ? 200 : 400);
      }),
      options,
    );
  });
});

describe('near', () => {
  const { parameters = [] } = OPERATIONS.near ?? {};
  const schemaOf = (name: string): Schema =>
    (parameters.find((one) => one.name === name)?.schema ?? {}) as Schema; // so OpenAPI says

  it.each([
    ...['0.5', '0.8', '0.95', '1', '0.7', '50', '-1', ''].map((text) => ({ name: 'share', text })),
    ...['1', '20', '100', '0', '101', '1.5', '-1', 'all'].map((text) => ({ name: 'limit', text })),
    ...['merchant', 'Merchant', 'type', ''].map((text) => ({ name: 'kind', text })),
    ...['user-day', '', 'x'.repeat(257)].map((text) => ({ name: 'rule', text })),
  ])('takes $name=$text where the document allows it', async ({ name, text }) => {
    const isNumber = name === 'share' || name === 'limit';
    const value = isNumber && text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
    const answer = await sendTo(handlers, 'near', new URLSearchParams({ [name]: text }));
    expect(undocumented('near', answer)).toBeUndefined();
    expect(answer.status !== 400).toBe(fits(schemaOf(name), value));
  });

  it('takes no parameter that the document does not name', async () => {
    expect(parameters.map(({ name }) => name)).toEqual(['rule', 'kind', 'share', 'limit', 'next']);
    const answer = await sendTo(handlers, 'near', new URLSearchParams({ user: 'u-1' }));
    expect(answer.status).toBe(400);
  });
});

describe('status', () => {
  it('takes every order id that the document allows', async () => {
    const schema = { $ref: '#/components/schemas/Text' };
    await fc.assert(
      fc.asyncProperty(allowedBy(schema), async (orderId) => {
        const answer = await sendTo(handlers, 'status', { orderId });
        expect(undocumented('status', answer)).toBeUndefined();
        expect([200, 409]).toContain(answer.status); // an id that orders of two homes have is 409
      }),
      options,
    );
  });

  it.each(['', '\0', 'a\uFFFD', 'x'.repeat(257)])('refuses %j, as it does', async (orderId) => {
    expect(fits({ $ref: '#/components/schemas/Text' }, orderId)).toBe(false);
    const answer = await sendTo(handlers, 'status', { orderId });
    expect(undocumented('status', answer)).toBeUndefined();
    expect(answer.status).toBe(400);
  });
});

describe('terms', () => {
  const SUBJECT = { kind: 'user', id: 'terms-1' };
  const [FROM, UNTIL] = ['2026-03-02T00:00:00+08:00', '2999-01-01T00:00:00.000Z'];
  const max = { amount: 1_000 };
  const reason = 'asked for';

  /** Sends a call to its route, and says whether it was understood. */
  async function taken(id: string, names: object, query: string, body?: unknown): Promise<boolean> {
    const { method = '', path = '' } = OPERATIONS[id] ?? {};
    const parameters = { ...SUBJECT, ...names };
    const event = {
      version: '2.0',
      routeKey: `${method} ${path}`,
      rawPath: path,
      rawQueryString: query,
      headers: { 'x-actor': 'jane@example.com' },
      requestContext: { http: { method, path } },
      pathParameters: parameters,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const reply = await handlers.subjects(event, { awsRequestId: 'request-1' }); // held to the document
    return reply.statusCode !== 400;
  }

  it.each([
    ...[
      { max, reason },
      { max: { amount: null, count: 0 }, reason },
      { max: {}, reason },
    ],
    ...[{ max }, { reason }, { max, reason: '' }, { max, reason: 7 }, { max: 7, reason }],
    ...[
      { max: { amount: -1 }, reason },
      { max: { amount: 1.5 }, reason },
    ],
    ...[
      { max: { amount: '1' }, reason },
      { max: { sum: 1 }, reason },
      { max, reason, id: 'u-1' },
    ],
    ...[
      { max, reason, from: FROM, until: UNTIL },
      { max, reason, from: 'today' },
    ],
    ...[
      { max, reason, from: '2026-02-30T00:00:00Z' },
      { max, reason, until: 7 },
    ],
    ...[
      { max, reason, effectiveAfter: 'PT24H' },
      { max, reason, effectiveAfter: 'a day' },
    ],
    ...[{ max, reason, from: FROM, effectiveAfter: 'PT24H' }, [], 'text', null],
  ])('override takes %j where the document allows it, and nowhere else', async (body) => {
    const isAllowed = fits(requestSchema('override'), body);
    expect(await taken('override', { rule: 'user-day' }, '', body)).toBe(isAllowed);
  });

  it.each([
    ...[{ reason }, { reason, until: UNTIL }, {}, { reason: '' }, { reason, until: 'never' }],
    ...[{ reason, max }, { reason: 'x'.repeat(257) }, { reason, until: null }, []],
  ])('freeze takes %j where the document allows it, and nowhere else', async (body) => {
    expect(await taken('freeze', {}, '', body)).toBe(fits(requestSchema('freeze'), body));
  });

  it.each([
    { id: 'endOverride', query: 'reason=over' },
    { id: 'unfreeze', query: 'reason=over' },
    { id: 'termsChanges', query: 'limit=1&before=2999-01-01T00:00:00Z' },
    { id: 'terms', query: '' },
    { id: 'findOverride', query: '' },
  ])('$id takes the parameters that the document names, and no other', async ({ id, query }) => {
    const named = OPERATIONS[id]?.parameters?.filter((each) => each.in === 'query') ?? [];
    const given = [...new URLSearchParams(query).keys()];
    expect(named.map(({ name }) => name)).toEqual(given);
    const required = named.filter((each) => each.required === true);
    const rule = id.endsWith('Override') ? { rule: 'user-day' } : {};
    expect(await taken(id, rule, query)).toBe(true);
    expect(await taken(id, rule, '')).toBe(required.length === 0);
    expect(await taken(id, rule, 'colour=red')).toBe(false);
  });

  it.each(['user', 'User', 'type', 'constructor', 'a'.repeat(33), ''])(
    'a kind %j is one where the document says so',
    async (kind) => {
      const isKind = fits({ $ref: '#/components/schemas/Kind' }, kind);
      expect(await taken('terms', { kind }, '')).toBe(isKind);
    },
  );
});

describe('history', () => {
  /** Sends a call to its route, and says whether it was understood. */
  async function taken(id: string, query: string): Promise<boolean> {
    const { path = '' } = OPERATIONS[id] ?? {};
    const answer = await callHistory(handlers.history, path as '/v1/summary', query); // one of its routes
    expect([200, 400, 404]).toContain(answer.status); // held to the document, whichever it is
    return answer.status !== 400;
  }

  /** Values of each parameter, some of which the document allows. */
  const VALUES: Readonly<Record<string, readonly string[]>> = {
    decision: ['allowed', 'refused', 'Refused', '', 'held'],
    limit: ['1', '100', '0', '101', '-1', '1.5', 'ten'],
    kind: ['user', 'merchant', 'User', 'type', 'constructor', ''],
    rule: ['user-day', 'never', '', 'x'.repeat(257)],
    last: ['P7D', 'P31D', 'P32D', 'P0D', 'P07D', 'P1M', 'P13M', 'P14M', 'P', '7', 'P1W', 'p7d'],
  };
  /** Conditions for which JSON Schema has no word, or only a looser one. */
  const IN_WORDS: Readonly<Record<string, readonly (readonly [string, boolean])[]>> = {
    since: [
      ['2026-03-02T00:00:00+08:00', true],
      ['2026-02-30T00:00:00Z', false],
      ['today', false],
    ],
    until: [
      ['2026-03-02T00:00:00.000Z', true],
      ['2026-03-02', false],
    ],
    before: [['next', false]],
    zone: [
      ['Asia/Shanghai', true],
      ['UTC', true],
      ['+08:00', false],
      ['Mars', false],
    ],
    date: [
      ['2026-03-02', true],
      ['2026-02-30', false],
      ['today', false],
    ],
  };

  it.each(['transactions', 'usageHistory', 'summary'])(
    '%s takes the parameters that the document names, and no other',
    async (id) => {
      const named = OPERATIONS[id]?.parameters?.filter((each) => each.in === 'query') ?? [];
      const needed = id === 'summary' ? '' : 'user=u-1&';
      expect(named.length).toBeGreaterThan(2);
      for (const { name, schema } of named) {
        if (name === 'subjects') continue;
        const parameter = String(name);
        const rest = parameter === 'kind' || needed !== '' ? needed : 'kind=user&';
        for (const value of VALUES[parameter] ?? []) {
          const given = /^-?[\d.]+$/.test(value) && parameter === 'limit' ? Number(value) : value;
          const query = `${rest}${new URLSearchParams([[parameter, value]]).toString()}`;
          const isTaken = await taken(id, query);
          expect({ query, isTaken }).toEqual({ query, isTaken: fits(schema as Schema, given) });
        }
        for (const [value, isTaken] of IN_WORDS[parameter] ?? []) {
          const query = `${rest}${new URLSearchParams([[parameter, value]]).toString()}`;
          expect({ query, isTaken: await taken(id, query) }).toEqual({ query, isTaken });
        }
        expect([...(VALUES[parameter] ?? []), ...(IN_WORDS[parameter] ?? [])]).not.toEqual([]);
      }
      expect(await taken(id, `${needed}kind=user&Colour=red`)).toBe(false);
      expect(await taken(id, '')).toBe(false);
    },
  );

  it.each(['transactions', 'usageHistory'])('%s takes the subjects of the document', async (id) => {
    const schema = { $ref: '#/components/schemas/Subjects' };
    const subjects = allowedBy(schema);
    await fc.assert(
      fc.asyncProperty(fc.oneof(subjects, subjects.chain(changed)), async (given) => {
        if (!isObject(given) || !Object.values(given).every((one) => typeof one === 'string'))
          return;
        const query = new URLSearchParams(given as Record<string, string>).toString();
        expect(await taken(id, query)).toBe(fits(schema, given));
      }),
      { ...options, numRuns: Math.ceil(RUNS / 3) },
    );
  });
});

it('every other call has a test of its own here, or in test/functions', () => {
  const ofTerms = Object.values(OPERATIONS).filter(({ path }) => path.startsWith('/v1/subjects/'));
  const ofRules = Object.values(OPERATIONS).filter(({ path }) => path.startsWith('/v1/rules'));
  const ofHistory = Object.values(OPERATIONS).filter(({ tags }) => tags.includes('History'));
  const ofProposals = Object.values(OPERATIONS).filter(({ tags }) =>
    tags.includes('Second person'),
  );
  const elsewhere = [...ofTerms, ...ofRules, ...ofProposals, ...ofHistory].map(({ id }) => id);
  expect(elsewhere).toHaveLength(22);
  expect(Object.keys(OPERATIONS).sort()).toEqual(
    [...CALLS, ...elsewhere, 'health', 'near', 'status', 'usage'].sort(),
  );
});
