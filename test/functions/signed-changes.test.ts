import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import { OPERATIONS, RIGHTS } from '../../contract/calls.ts';
import { useDatabase } from '../support/database.ts';
import { handlersOf } from '../support/handlers.ts';
import { answerTo, routedEvent } from '../support/routed-call.ts';
import type { Sent, Signer } from '../support/signed-call.ts';
import {
  addApplication,
  eventOf,
  signed,
  signedEvent,
  signedOld,
  signedServiceOn,
  timestampIn,
} from '../support/signed-call.ts';
import { replaceRules } from '../support/stored-rules.ts';

const RULES = [
  { id: 'user-life', per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount: 500 } },
];
const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 300, currency: 'CNY' };

const database = useDatabase();
let shop: Signer;
let chief: Signer;

beforeAll(async () => {
  await ensureIndexes(database.db);
});
beforeEach(async () => {
  for (const each of await database.db.collections()) await each.deleteMany({});
  await replaceRules(database.db, RULES);
  shop = await addApplication(database, 'shop');
  chief = await addApplication(database, 'chief', OPERATIONS, RIGHTS);
});

/** Headers with some of them changed. */
function withHeaders(sent: Sent, headers: Readonly<Record<string, string>>): Sent {
  return { ...sent, headers: { ...sent.headers, ...headers } };
}
function without(sent: Sent, name: string): Sent {
  const { [name]: _gone, ...headers } = sent.headers;
  return { ...sent, headers };
}
const NO_SECRET = /no secret gives/;

/** Sends changes of a rule, as `chief`, who may. */
function changing(set: Readonly<Record<string, string>> = {}) {
  const { service, told } = signedServiceOn(database, { RULES_CACHE_SECONDS: '0', ...set });
  const handlers = handlersOf(service);
  const target = '/v1/rules/user-life';
  const [stored] = RULES;
  const rule = { ...stored, max: { amount: 600 } };
  const put = (headers: Readonly<Record<string, string>>) =>
    signed(chief, target, { rule, reason: 'more' }, { method: 'PUT', headers });
  const event = (sent: Sent) => ({
    ...eventOf(sent),
    routeKey: `${sent.method} /v1/rules/{id}`,
    pathParameters: { id: sent.target.split(/[/?]/)[3] },
  });
  const send = (sent: Sent) => answerTo(handlers.rules, event(sent));
  return { told, put, send, event };
}

const PERSON = { 'x-actor': 'jane', 'if-match': '"1"' };
const input = (change: (text: string) => string) => (right: Sent) =>
  withHeaders(right, { 'signature-input': change(right.headers['signature-input'] ?? '') });

// prettier-ignore
const FORGED: readonly { way: string; make: (right: Sent) => Sent; reason: RegExp }[] = [
  { way: 'another person',                make: (right) => withHeaders(right, { 'x-actor': 'joe' }),         reason: NO_SECRET },
  { way: 'no person any more',            make: (right) => without(right, 'x-actor'),                        reason: /x-actor is signed and not there/ },
  { way: 'a second person',               make: (right) => withHeaders(right, { 'X-Actor': 'joe' }),         reason: /x-actor is signed and not there/ },
  { way: 'another version',               make: (right) => withHeaders(right, { 'if-match': '*' }),          reason: NO_SECRET },
  { way: 'no condition any more',         make: (right) => without(right, 'if-match'),                       reason: /if-match is signed and not there/ },
  { way: 'another condition',             make: (right) => withHeaders(right, { 'If-None-Match': '*' }),     reason: /if-none-match is not signed/ },
  { way: 'another clock',                 make: (right) => withHeaders(right, { 'X-Headroom-Now': '2026-01-01T00:00:00Z' }), reason: /x-headroom-now is not signed/ },
  { way: 'a person taken from the list',  make: input((text) => text.replace(' "x-actor"', '')),             reason: /x-actor is not signed/ },
  { way: 'a condition taken from the list and the call', make: (right) => without(input((text) => text.replace(' "if-match"', ''))(right), 'if-match'), reason: NO_SECRET },
  { way: 'another body',                  make: (right) => ({ ...right, body: right.body.replace('600', '900') }), reason: /Content-Digest is not that of the body/ },
  { way: 'no body',                       make: (right) => ({ ...right, body: '' }),                         reason: /Content-Digest is not that of the body/ },
  { way: 'another body with its digest',  make: (right) => withHeaders({ ...right, body: '{}' }, { 'content-digest': 'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:' }), reason: NO_SECRET },
  { way: 'another digest',                make: (right) => withHeaders(right, { 'content-digest': 'md5=:AAAA:' }), reason: /Content-Digest is not that/ },
  { way: 'no digest',                     make: (right) => without(right, 'content-digest'),                 reason: /content-digest is signed and not there/ },
  { way: 'another path',                  make: (right) => ({ ...right, target: '/v1/rules/user-day' }),     reason: NO_SECRET },
  { way: 'another method',                make: (right) => ({ ...right, method: 'DELETE' }),                 reason: NO_SECRET },
  { way: 'a query',                       make: (right) => ({ ...right, target: `${right.target}?dryRun=true` }), reason: /@query is not signed/ },
  { way: 'another time',                  make: input((text) => text.replace(/created=\d+/, `created=${Math.floor(Number(timestampIn(5)))}`)), reason: NO_SECRET },
  { way: 'another nonce',                 make: input((text) => text.replace(/nonce="."?/, 'nonce="x')),      reason: NO_SECRET },
  { way: 'another application',           make: input((text) => text.replace('"chief"', '"shop"')),          reason: NO_SECRET },
  { way: 'an unknown application',        make: input((text) => text.replace('"chief"', '"nobody"')),        reason: /no application of this id/ },
  { way: 'an algorithm that nobody signed', make: input((text) => `${text};alg="hmac-sha256"`),              reason: NO_SECRET },
  { way: 'other last bits of the signature', make: (right) => withHeaders(right, { signature: (right.headers.signature ?? '').replace(/.=:$/, (end) => (end.startsWith('B') ? 'C=:' : 'B=:')) }), reason: NO_SECRET },
  { way: 'an old signature in its place', make: (right) => ({ ...right, headers: { ...PERSON, ...signedOld(shop, right.target, right.body, { method: 'PUT' }).headers, 'x-app-id': 'chief' } }), reason: NO_SECRET },
  { way: 'an old signature of another beside it', make: (right) => withHeaders(withHeaders(right, { 'x-actor': 'joe' }), signedOld(shop, right.target, right.body, { method: 'PUT' }).headers), reason: NO_SECRET },
];

describe('a change that is signed by RFC 9421', () => {
  it.each(FORGED)('with $way: 401, and nothing is stored', async ({ make, reason }) => {
    const { put, send, told } = changing();
    const rules = () => database.db.collection('rules').find().toArray();
    const before = await rules();
    const right = put(PERSON);
    const { status, body } = await send(make(right));
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'BAD_SIGNATURE' });
    expect(told.at(-1)?.reason).toMatch(reason);
    expect(await rules()).toEqual(before);
    expect(await database.db.collection('signatures').countDocuments()).toBe(0);
    // The right one is taken: it was what was changed that mattered.
    expect(await send(right)).toMatchObject({ status: 200, body: { changed: true } });
  });

  it('keeps the person whom it names, percent-encoded', async () => {
    const { put, send } = changing();
    const sent = put({ 'if-match': '"1"', 'x-actor': '%E7%8E%8B%E5%B0%8F%E6%98%8E' });
    expect(await send(sent)).toMatchObject({ status: 200 });
    const by = { kind: 'application', id: 'chief', person: '王小明' };
    expect(await database.db.collection('rule_versions').countDocuments({ by })).toBe(1);
  });

  it('is taken in the old form, too, until 0.2', async () => {
    const { put, send } = changing();
    const { target, body } = put(PERSON);
    const old = signedOld(chief, target, body, { method: 'PUT' });
    expect(await send(withHeaders(old, PERSON))).toMatchObject({ status: 200 });
  });

  it.each([
    { form: 'of RFC 9421', by: signed },
    { form: 'of the old form', by: signedOld },
  ])('is refused when it comes once more, $form, unless REPLAY=accept', async ({ by }) => {
    const { put, send, event } = changing();
    const { target, body } = put({});
    const change = withHeaders(by(chief, target, body, { method: 'PUT', headers: PERSON }), PERSON);
    expect(await send(change)).toMatchObject({ status: 200 });
    expect(await send(change)).toMatchObject({
      status: 401,
      body: { detail: expect.stringMatching(/^this signature was used before/) as string },
    });
    const { service } = signedServiceOn(database, { REPLAY: 'accept', RULES_CACHE_SECONDS: '0' });
    // It is taken, and there is nothing to change.
    expect(await answerTo(handlersOf(service).rules, event(change))).toMatchObject({
      ...{ status: 200, body: { changed: false } },
    });
  });
});

describe('a call that arrives once more, byte for byte', () => {
  it.each([
    ['rules', 'PUT', '/v1/rules'],
    ['rules', 'PUT', '/v1/rules/{id}'],
    ['rules', 'DELETE', '/v1/rules/{id}'],
    ['subjects', 'PUT', '/v1/subjects/{kind}/{id}/overrides/{rule}'],
    ['subjects', 'DELETE', '/v1/subjects/{kind}/{id}/overrides/{rule}'],
    ['subjects', 'PUT', '/v1/subjects/{kind}/{id}/freeze'],
    ['subjects', 'DELETE', '/v1/subjects/{kind}/{id}/freeze'],
    ['proposals', 'POST', '/v1/proposals/{id}/approve'],
    ['proposals', 'POST', '/v1/proposals/{id}/reject'],
    ['proposals', 'DELETE', '/v1/proposals/{id}'],
    ['backtests', 'POST', '/v1/backtests'],
    ['backtests', 'DELETE', '/v1/backtests/{id}'],
  ] as const)('is refused by default: %s, %s %s', async (of, method, route) => {
    const handlers = handlersOf(signedServiceOn(database, { AUDIT: 'best-effort' }).service);
    const parameters = { kind: 'user', id: 'u-1', rule: 'user-life' };
    const change = signedEvent(chief, routedEvent({ method, route, parameters, body: {} }));
    const [first, again] = [
      await answerTo(handlers[of], change),
      await answerTo(handlers[of], change),
    ];
    expect(first.status).not.toBe(401);
    expect(again).toMatchObject({
      status: 401,
      body: { detail: expect.stringMatching(/^this signature was used before/) as string },
    });
  });

  it('is taken by default where it only asks, or an order is known by its id', async () => {
    const { check, rules } = handlersOf(signedServiceOn(database).service);
    const order = eventOf(signed(shop, 'check', CHECK));
    for (const repeated of [false, true])
      expect(await answerTo(check, order)).toMatchObject({ status: 200, body: { repeated } });
    const asked = signedEvent(chief, routedEvent({ method: 'GET', route: '/v1/rules' }));
    for (let time = 1; time <= 2; time++)
      expect(await answerTo(rules, asked)).toMatchObject({ status: 200 });
    expect(await database.db.collection('signatures').countDocuments()).toBe(0);
  });
});
