import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { BODY_BYTES_MAX, MANY_BODY_BYTES_MAX } from '../../lib/shared/bounds.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import type { Handlers } from '../support/handlers.ts';
import { callHistory } from '../support/history-call.ts';
import { allowedBy, changed } from './arbitrary.ts';
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
  .filter(
    ({ requestBody, parameters = [], tags }) =>
      requestBody !== undefined &&
      parameters.every(({ name }) => name === 'X-Actor') &&
      !tags.includes('Back-tests'), // which begin work
  )
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
    orders.some(
      ({ partial, amount }) => isObject(partial) && Number(partial.min) > Number(amount),
    ) ||
    orders.some(({ at }) => typeof at === 'string' && !isInstant(at)) ||
    orders.some(({ attributes, subjects }) =>
      Object.keys(attributes ?? {}).some((kind) => Object.hasOwn(subjects ?? {}, kind)),
    )
  );
}

/**
 * An instant of a date that there is: no 30 February, and not before 1970 where its zone is east of Greenwich. A payment
 * of the future has a problem of its own in the answer.
 */
function isInstant(at: string): boolean {
  const [year, month, day] = at.slice(0, 10).split('-').map(Number);
  const daysOfMonth = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  const ms = Date.parse(at);
  return (day ?? 0) <= daysOfMonth && ms >= 0;
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

/** The subjects of a query are the same in all of these. */
const OF_SUBJECTS = {
  usage: (query: URLSearchParams) => sendTo(handlers, 'usage', query),
  transactions: (query: URLSearchParams) =>
    callHistory(handlers.history, '/v1/transactions', query.toString()),
  usageHistory: (query: URLSearchParams) =>
    callHistory(handlers.history, '/v1/usage/history', query.toString()),
} as const;

describe('the query of usage', () => {
  it.each(Object.entries(OF_SUBJECTS))(
    '%s takes the subjects that the document allows, and refuses the others',
    async (id, ask) => {
      const schema = { $ref: '#/components/schemas/Subjects' };
      const subjects = allowedBy(schema);
      await fc.assert(
        fc.asyncProperty(fc.oneof(subjects, subjects.chain(changed)), async (given) => {
          if (!isObject(given) || !Object.values(given).every((one) => typeof one === 'string'))
            return;
          const { status } = await ask(new URLSearchParams(given as Record<string, string>));
          expect(status).toBe(fits(schema, given) ? 200 : 400); // held to the document
        }),
        { ...options, numRuns: id === 'usage' ? RUNS : Math.ceil(RUNS / 3) },
      );
    },
  );

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

it('status takes every order id that the document allows', async () => {
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

it('every other call has a test of its own here, or in test/functions', () => {
  const ofTerms = Object.values(OPERATIONS).filter(({ path }) => path.startsWith('/v1/subjects/'));
  const ofRules = Object.values(OPERATIONS).filter(({ path }) => path.startsWith('/v1/rules'));
  const ofHistory = Object.values(OPERATIONS).filter(({ tags }) => tags.includes('History'));
  const ofProposals = Object.values(OPERATIONS).filter(({ tags }) =>
    tags.includes('Second person'),
  );
  const ofBacktests = Object.values(OPERATIONS).filter(({ tags }) => tags.includes('Back-tests'));
  const elsewhere = [...ofTerms, ...ofRules, ...ofProposals, ...ofHistory, ...ofBacktests].map(
    ({ id }) => id,
  );
  expect(elsewhere).toHaveLength(27);
  expect(Object.keys(OPERATIONS).sort()).toEqual(
    [...CALLS, ...elsewhere, 'health', 'near', 'status', 'usage'].sort(),
  );
});
