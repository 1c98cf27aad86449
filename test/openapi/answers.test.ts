import { beforeAll, describe, expect, it } from 'vitest';
import { serviceOver } from '../../functions/service.ts';
import { readSettings } from '../../lib/edge/settings.ts';
import { createClient } from '../../lib/mongo/client.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import { addApplication, eventOf, signed, signedServiceOn } from '../support/signed-call.ts';
import { documented, undocumented } from './contract.ts';
import { RULES, sendTo } from './rules-and-orders.ts';
import { SILENT } from '../support/telemetry.ts';

/**
 * One answer of each kind. `handlersOf` holds each against the document; so it does in every other test
 * of the functions, which have the rest.
 */

const USER = { user: 'u-1' };
const CHECK = { orderId: 'o-1', subjects: USER, amount: 500, currency: 'CNY' };
const TIMES = {
  first: '2026-03-02T10:00:00+08:00',
  soon: '2026-03-02T10:20:00+08:00', // holds of 15 minutes are over
  later: '2026-03-02T10:40:00+08:00',
};

const database = useDatabase();
let handlers: Handlers;
const tokens = new Map<string, string>();

beforeAll(async () => {
  await makeIndexes(database.db);
  const set = { AUDIT: 'best-effort', LOCAL_CLOCK: 'on', MAX_OPEN_HOLDS: '4' };
  handlers = await handlersOn(database, RULES, set);
});

type Row = {
  readonly name: keyof Handlers;
  readonly body: object;
  readonly at?: keyof typeof TIMES;
  readonly status?: number;
  readonly answer: object;
};

const other = { ...CHECK, orderId: 'o-2' };
const big = { ...CHECK, orderId: 'o-3', amount: 1_001 };
const order = (orderId: string, more: object = {}): object => ({
  orderId,
  subjects: USER,
  ...more,
});

const FIFTH = { subjects: { user: 'u-5' } };
const settled = [
  { ...order('o-5', FIFTH), status: 'SUCCESS' },
  { ...order('o-6', FIFTH), status: 'FAIL' },
  { ...order('o-8', FIFTH), status: 'FAIL' },
];
const many = ['o-5', 'o-6'].map((orderId) => ({ ...CHECK, ...FIFTH, orderId }));
const oneTooBig = { orders: [...many, { ...big, ...FIFTH, orderId: 'o-7' }] };

// One story, told in this order.
// prettier-ignore
const STORY: readonly Row[] = [
  { name: 'check',       body: { ...CHECK, dryRun: true }, answer: { decision: 'allowed', state: 'none' } },
  { name: 'check',       body: CHECK, answer: { decision: 'allowed', state: 'held', repeated: false } },
  { name: 'check',       body: CHECK, answer: { decision: 'allowed', state: 'held', repeated: true } },
  { name: 'check',       body: { ...CHECK, amount: 1 }, status: 409, answer: { code: 'ORDER_REUSED' } },
  { name: 'check',       body: big, answer: { decision: 'refused', headroom: { amount: 1_000 } } },
  { name: 'check',       body: { ...big, amount: 0 }, answer: { decision: 'refused', reason: 'rule' } },
  { name: 'check',       body: { ...big, colour: 1 }, status: 400, answer: { code: 'INVALID_REQUEST' } },
  { name: 'status',      body: { orderId: 'o-3' }, answer: { state: 'refused' } },
  { name: 'status',      body: { orderId: 'o-1' }, answer: { state: 'held' } },
  { name: 'status',      body: { orderId: 'o-9' }, answer: { state: 'unknown', history: [] } },
  { name: 'refund',      body: order('o-1', { refundId: 'r' }), status: 409, answer: { code: 'NOT_CONFIRMED' } },
  { name: 'confirm',     body: order('o-1'), at: 'soon', answer: { state: 'confirmed', late: true } },
  { name: 'confirm',     body: order('o-1'), at: 'soon', answer: { repeated: true } },
  { name: 'rollback',    body: order('o-1'), at: 'soon', status: 409, answer: { code: 'ALREADY_CONFIRMED' } },
  { name: 'check',       body: CHECK, at: 'soon', answer: { state: 'confirmed', repeated: true } },
  { name: 'status',      body: { orderId: 'o-1' }, at: 'soon', answer: { state: 'late' } },
  { name: 'refund',      body: order('o-1', { refundId: 'r', amount: 9 }), at: 'soon', answer: { state: 'partlyRefunded' } },
  { name: 'refund',      body: order('o-1', { refundId: 'r', amount: 8 }), at: 'soon', status: 409, answer: { code: 'REFUND_REUSED' } },
  { name: 'refund',      body: order('o-1', { refundId: 's', amount: 999 }), at: 'soon', status: 422, answer: { code: 'REFUND_TOO_LARGE', remaining: 491 } },
  { name: 'refund',      body: order('o-1', { refundId: 's' }), at: 'soon', answer: { state: 'refunded', remaining: 0 } },
  { name: 'check',       body: CHECK, at: 'soon', answer: { state: 'refunded', refunded: 500, remaining: 0 } },
  { name: 'confirm',     body: order('o-1'), at: 'soon', answer: { state: 'refunded', refunded: 500, remaining: 0 } },
  { name: 'status',      body: { orderId: 'o-1' }, at: 'soon', answer: { state: 'refunded' } },
  { name: 'refund',      body: order('o-9', { refundId: 's' }), at: 'soon', status: 404, answer: { code: 'NOT_FOUND' } },
  { name: 'check',       body: other, at: 'soon', answer: { decision: 'allowed' } },
  { name: 'rollback',    body: order('o-2', { reason: 'no funds' }), at: 'soon', answer: { state: 'rolledBack', repeated: false } },
  { name: 'confirm',     body: order('o-2'), at: 'soon', status: 409, answer: { code: 'ALREADY_ROLLED_BACK' } },
  { name: 'check',       body: other, at: 'soon', status: 409, answer: { code: 'ALREADY_ROLLED_BACK' } },
  { name: 'check',       body: { ...CHECK, orderId: 'o-4' }, at: 'soon', answer: { state: 'held' } },
  { name: 'check',       body: { ...CHECK, orderId: 'o-4' }, at: 'later', answer: { state: 'held', repeated: false } },
  { name: 'rollback',    body: { orderId: 'o-4', reservation: 'the first of o-4' }, at: 'later', status: 409, answer: { code: 'RESERVATION_REPLACED' } },
  { name: 'confirm',     body: order('o-4', { amount: 9_000 }), at: 'later', answer: { exceeded: [{ rule: 'user-day' }] } },
  { name: 'check',       body: { ...CHECK, orderId: 'o-4', subjects: { user: 'u-2' } }, at: 'later', answer: { state: 'held' } },
  { name: 'confirm',     body: { orderId: 'o-4' }, at: 'later', status: 409, answer: { code: 'ORDER_AMBIGUOUS' } },
  { name: 'rollback',    body: order('o-8'), at: 'later', status: 404, answer: { code: 'NOT_FOUND' } },
  { name: 'check',       body: { ...CHECK, orderId: 'o-0', currency: 'EUR' }, answer: { reason: 'no-rule' } },
  { name: 'checks',      body: { ...oneTooBig, atomic: true }, answer: { allAllowed: false, results: [{ problem: { code: 'NOT_ALL_ALLOWED' } }, {}, {}] } },
  { name: 'checks',      body: oneTooBig, answer: { results: [{ decision: 'allowed' }, {}, { decision: 'refused' }] } },
  { name: 'checks',      body: { orders: many, report: 'all' }, answer: { allAllowed: true, results: [{ repeated: true }, { repeated: true }] } },
  { name: 'checks',      body: { orders: many, report: 'none' }, answer: { allAllowed: true } },
  { name: 'check',       body: { ...CHECK, orderId: 'o-0', amount: 1_000_000, report: 'violations' }, answer: { decision: 'refused' } },
  { name: 'check',       body: { ...CHECK, ...FIFTH, orderId: 'o-0', dryRun: true, report: 'none' }, answer: { decision: 'allowed' } },
  { name: 'settlements', body: { settlements: settled }, answer: { results: [{ state: 'confirmed' }, { state: 'rolledBack' }, { problem: { code: 'NOT_FOUND' } }] } },
];

describe('an answer of each kind is in the document', () => {
  it.each(STORY)(
    '$name $body: $answer',
    async ({ name, body, at = 'first', status = 200, answer }) => {
      const given = 'reservation' in body ? { ...body, reservation: tokens.get('o-4') } : body;
      const told = await sendTo(handlers, name, given, { 'x-headroom-now': TIMES[at] });
      expect(told).toMatchObject({ status, body: answer });
      const { reservation } = told.body as { reservation?: string };
      const { orderId } = body as { orderId: string };
      if (reservation !== undefined && !tokens.has(orderId)) tokens.set(orderId, reservation);
    },
  );
});

it('how limits stand is in the document, of windows of every kind', async () => {
  const query = new URLSearchParams({ user: 'u-1', merchant: 'm-1' });
  const { body } = await sendTo(handlers, 'usage', query);
  const kinds = (body as { rules: { window: { kind: string } }[] }).rules.map(
    ({ window }) => window.kind,
  );
  expect(kinds.sort()).toEqual([
    'calendar',
    'calendar',
    'lifetime',
    'rolling',
    'rolling',
    'rolling',
  ]);
});

/** Handlers whose database does not answer. */
function away(set: Readonly<Record<string, string>>): Handlers {
  const nowhere = 'mongodb://127.0.0.1:1/?directConnection=true';
  const settings = readSettings({ MONGODB_URI: nowhere, STORE_TIMEOUT_MS: '200', ...set });
  const client = createClient(settings.mongodbUri, settings.storeTimeoutMs);
  return handlersOf(serviceOver(client, settings, SILENT));
}

it('where the database does not answer an undecided check is in the document, whether it passes or not', async () => {
  const refusing = await sendTo(away({}), 'check', CHECK);
  expect(refusing).toMatchObject({ status: 503, body: { code: 'UNDECIDED' } });
  const allowing = away({ ON_UNDECIDED: 'allow' });
  expect(await sendTo(allowing, 'check', CHECK)).toMatchObject({ body: { undecided: true } });
  const results = [{ orderId: 'o-5', undecided: true }, {}];
  expect(await sendTo(allowing, 'checks', { orders: many })).toMatchObject({ body: { results } });
});

describe('a call that is not to be made', () => {
  it('is answered as the document says', async () => {
    const { service } = signedServiceOn(database);
    const signedHandlers = handlersOf(service);
    const unsigned = await sendTo(signedHandlers, 'check', CHECK);
    expect(unsigned).toMatchObject({ status: 401, body: { code: 'BAD_SIGNATURE' } });
    const desk = await addApplication(database, 'desk', ['status']);
    const sent = eventOf(signed(desk, 'check', CHECK));
    const reply = await signedHandlers.check(sent, { awsRequestId: 'request-1' });
    expect(reply).toMatchObject({ statusCode: 403 });
  });

  it('for which no audit is kept, too', async () => {
    const without = await handlersOn(database, RULES, { AUDIT: 'off' });
    for (const name of ['status', 'refund'] as const)
      expect(await sendTo(without, name, { orderId: 'o-1', refundId: 'r' })).toMatchObject(
        name === 'status' ? { status: 400 } : { status: 404, body: { code: 'AUDIT_OFF' } },
      );
    expect(await sendTo(without, 'status', { orderId: 'o-1' })).toMatchObject({ status: 404 });
  });
});

describe('what is not in the document is found', () => {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'request-1' };
  const body = { state: 'rolledBack', repeated: false };
  // prettier-ignore
  it.each([
    { answer: { status: 200, headers, body }, found: undefined, why: 'it is all there' },
    { answer: { status: 202, headers, body }, found: 'no answer 202', why: 'a status' },
    { answer: { status: 200, headers: { ...headers, 'x-more': '1' }, body }, found: 'no header x-more', why: 'a header' },
    { answer: { status: 200, headers: { 'content-type': 'text/plain' }, body }, found: 'never text/plain', why: 'a content type' },
    { answer: { status: 200, headers, body: { ...body, more: 1 } }, found: 'additional properties', why: 'a field that it does not name' },
    { answer: { status: 200, headers, body: { state: 'rolledBack' } }, found: "required property 'repeated'", why: 'a field that is missing' },
    { answer: { status: 200, headers, body: { ...body, repeated: null } }, found: 'must be boolean', why: 'a value' },
  ])('$why: $found', ({ answer, found }) => {
    const told = undocumented('rollback', answer);
    if (found === undefined) expect(told).toBeUndefined();
    else expect(told).toContain(found);
  });

  it('by every test that has its handlers from handlersOf', async () => {
    const reply = { statusCode: 202, headers: {}, body: '{}' };
    const handler = documented('rollback', () => Promise.resolve(reply));
    await expect(handler({}, { awsRequestId: 'request-1' })).rejects.toThrow('no answer 202');
  });
});
