import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readApps, replaceApp } from '../../lib/callers/mongo-callers.ts';
import type { StoredApp } from '../../lib/http/app.ts';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import { useDatabase } from '../support/database.ts';
import type { Sent, Signer } from '../support/signed-call.ts';
import { answerTo, routedEvent } from '../support/routed-call.ts';
import {
  addApplication,
  eventOf,
  signed,
  signedEvent,
  signedOld,
  signedServiceOn,
  signedStatus,
  statusEventOf,
  timestampIn,
} from '../support/signed-call.ts';
import { handlersOf } from '../support/handlers.ts';
import { watchCommands } from '../support/service-on-database.ts';
import { replaceRules } from '../support/stored-rules.ts';
import { countersIn } from '../support/stored-buckets.ts';

const RULES = [
  { id: 'user-life', per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount: 500 } },
];
const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 300, currency: 'CNY' };
const SETTLE = { orderId: 'o-1', subjects: { user: 'u-1' } };

const database = useDatabase({ monitorCommands: true });
let commands: string[];
let shop: Signer;
let desk: Signer;

beforeAll(async () => {
  await replaceRules(database.db, RULES);
  await ensureIndexes(database.db);
  commands = watchCommands(database.client, database.db.databaseName);
});
beforeEach(async () => {
  for (const name of ['counters', 'apps', 'signatures'])
    await database.db.collection(name).deleteMany({});
  shop = await addApplication(database, 'shop');
  desk = await addApplication(database, 'desk');
});

const stored = () => countersIn(database.db);

/** Changes an application as `npm run apps` does. */
async function change(id: string, next: (app: StoredApp) => StoredApp): Promise<void> {
  const app = (await readApps(database.db)).find((each) => each.id === id);
  if (app === undefined) throw new Error(`no application ${id}`);
  expect(await replaceApp(database.db, next(app))).toBe(true);
}

type Call = 'check' | 'confirm' | 'rollback' | 'refund' | 'checks' | 'settlements' | 'record';

/** A way to send a call to a new execution environment with these settings. */
function sender(set: Readonly<Record<string, string>> = {}) {
  const { service, told } = signedServiceOn(database, set);
  const handlers = handlersOf(service);
  return {
    told,
    send: (call: Call, sent: Sent, base64 = false) =>
      answerTo(handlers[call], eventOf(sent, base64)),
    status: (sent: Sent, orderId: string) =>
      answerTo(handlers.status, statusEventOf(sent, orderId)),
    /** Signs a call, and sends it. */
    ask: (signer: Signer, call: Call, body: object) =>
      answerTo(handlers[call], eventOf(signed(signer, call, body))),
    direct: (call: Call, body: object) => handlers[call](body, { awsRequestId: 'request-1' }),
  };
}

describe('an application with bounds of its own', () => {
  const openOf = (n: number, more: object = {}) => ({
    ...CHECK,
    ...{ orderId: `open-${n}`, amount: 1, subjects: { user: 'u-many' } },
    ...more,
  });

  it('holds no order for longer, alone or among many, and stores nothing then', async () => {
    await change('shop', (app) => ({ ...app, longestHoldMs: 3_600_000 }));
    const { ask, direct } = sender();
    const long = { ...CHECK, hold: 'P7D' };
    expect(await ask(shop, 'check', long)).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_REQUEST',
        errors: [
          {
            path: 'hold',
            value: '"P7D"',
            expected:
              'at most PT1H, the longest hold of application shop. Ask an administrator for longer ones',
          },
        ],
      },
    });
    const orders = [
      { ...long, orderId: 'o-2' },
      { ...CHECK, amount: 1 },
      { ...long, orderId: 'o-3', hold: 'P1D' },
    ];
    const [week, day] = [{ value: '"P7D"' }, { value: '"P1D"' }];
    expect(await ask(shop, 'checks', { orders, atomic: true })).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: 'orders[0].hold', ...week },
          { path: 'orders[2].hold', ...day },
        ],
      },
    });
    const tooLong = (sent: object) => ({
      problem: { code: 'INVALID_REQUEST', errors: [{ path: 'hold', ...sent }] },
    });
    expect(await ask(shop, 'checks', { orders: [orders[0], orders[2]] })).toMatchObject({
      body: { allAllowed: false, results: [tooLong(week), tooLong(day)] },
    });
    expect(await stored()).toEqual([]);
    expect(await ask(shop, 'checks', { orders })).toMatchObject({
      status: 200,
      body: {
        results: [tooLong(week), { orderId: CHECK.orderId, decision: 'allowed' }, tooLong(day)],
      },
    });
    const short = { ...CHECK, orderId: 'o-4', amount: 1, hold: 'PT1H' };
    expect(await ask(shop, 'check', short)).toMatchObject({ status: 200 });
    expect(await ask(desk, 'check', { ...long, amount: 1 })).toMatchObject({ status: 200 });
    // IAM let it through, and it is the application `default`.
    expect(await direct('check', { ...long, amount: 1 })).toMatchObject({ decision: 'allowed' });
  });

  it('has no more than its part of the open holds of a document, alone and among many', async () => {
    await change('shop', (app) => ({ ...app, openPercent: 25 }));
    const { ask } = sender({ MAX_OPEN_HOLDS: '8' });
    const full = { code: 'TOO_MANY_OPEN_HOLDS' };
    expect(await ask(shop, 'checks', { orders: [openOf(1), openOf(2), openOf(3)] })).toMatchObject({
      body: { results: [{ decision: 'allowed' }, { decision: 'allowed' }, { problem: full }] },
    });
    expect(await ask(shop, 'check', openOf(4))).toMatchObject({
      status: 422,
      body: { ...full, detail: expect.stringContaining('of application "shop"') as string },
    });
    expect(await ask(shop, 'check', openOf(1))).toMatchObject({ body: { repeated: true } });
    expect(await ask(desk, 'check', openOf(5))).toMatchObject({ status: 200 });
  });
});

describe('a signed call', () => {
  it('is taken: checked, confirmed and repeated, and its order is the application’s', async () => {
    const { ask, told } = sender();
    expect(await ask(shop, 'check', CHECK)).toMatchObject({
      status: 200,
      body: { decision: 'allowed', repeated: false },
    });
    expect(await ask(shop, 'check', CHECK)).toMatchObject({
      body: { decision: 'allowed', repeated: true },
    });
    expect(await ask(shop, 'confirm', SETTLE)).toMatchObject({
      status: 200,
      body: { state: 'confirmed', repeated: false },
    });
    expect(told.map(({ app }) => app)).toEqual(['shop', 'shop', 'shop']);
  });

  it.each([
    { body: { ...CHECK, subjects: { user: '用户-ü-👩‍👧' } }, why: 'the body is not ASCII' },
    { body: `  ${JSON.stringify(CHECK)}\n`, why: 'its very bytes are signed, spaces included' },
  ])('is taken as text and as base64, because $why', async ({ body }) => {
    const { send } = sender();
    const sent = signed(shop, 'check', body);
    expect(await send('check', sent)).toMatchObject({ status: 200, body: { repeated: false } });
    expect(await send('check', sent, true)).toMatchObject({
      status: 200,
      body: { repeated: true },
    });
  });

  it.each([-295, 295])('is taken %d s from now', async (seconds) => {
    const sent = signed(shop, 'check', CHECK, { timestamp: timestampIn(seconds) });
    expect(await sender().send('check', sent)).toMatchObject({ status: 200 });
  });

  it('costs no round trip beside the one of the call', async () => {
    const { ask } = sender({ APPS_CACHE_SECONDS: '300' });
    commands.splice(0);
    await ask(shop, 'check', CHECK);
    // The applications, the rules, and a subject that is new.
    expect(commands.splice(0)).toEqual(['find', 'find', 'findAndModify', 'findAndModify']);
    await ask(shop, 'check', { ...CHECK, orderId: 'o-2', amount: 1 });
    await ask(shop, 'confirm', SETTLE);
    // The settle is by subjects: what is held is read first.
    expect(commands.splice(0)).toEqual(['findAndModify', 'find', 'findAndModify']);
  });
});

/** Headers with one of them changed. */
function withHeaders(sent: Sent, headers: Readonly<Record<string, string>>): Sent {
  return { ...sent, headers: { ...sent.headers, ...headers } };
}
function without(sent: Sent, name: string): Sent {
  return {
    ...sent,
    headers: Object.fromEntries(Object.entries(sent.headers).filter(([each]) => each !== name)),
  };
}
/** A signature with its text changed. */
const resigned = (change: (text: string) => string) => (right: Sent) =>
  withHeaders(right, { 'x-signature': change(right.headers['x-signature'] ?? '') });
const lastChanged = (text: string) => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
const checkAt = (timestamp: string) => signedOld(shop, 'check', CHECK, { timestamp });
const checkBy = (signer: Partial<Signer>) => signedOld({ ...shop, ...signer }, 'check', CHECK);

const NO_SECRET = /no secret gives/;
const NO_FORM = /X-Signature (has no form|is missing)/;

// prettier-ignore
const WAYS: readonly { way: string; call?: Call; make: (right: Sent) => Sent; reason: RegExp }[] = [
  { way: 'without any header',                  make: (right) => ({ ...right, headers: {} }),                 reason: /X-App-Id is missing/ },
  { way: 'without an application',              make: (right) => without(right, 'x-app-id'),                  reason: /X-App-Id is missing/ },
  { way: 'without a time',                      make: (right) => without(right, 'x-timestamp'),               reason: /X-Timestamp is missing/ },
  { way: 'without a signature',                 make: (right) => without(right, 'x-signature'),               reason: /X-Signature is missing/ },
  { way: 'as two applications',                 make: (right) => withHeaders(right, { 'X-App-Id': 'desk' }),  reason: /X-App-Id is missing or stands twice/ },
  { way: 'with a call of 5 minutes and 5 seconds ago', make: () => checkAt(timestampIn(-305)),                reason: /30[56] s behind/ },
  { way: 'with a call of the future',           make: () => checkAt(timestampIn(305)),                        reason: /30[45] s ahead/ },
  { way: 'with a time in milliseconds',         make: () => checkAt(String(Date.now())),                      reason: /X-Timestamp has no form/ },
  { way: 'with an old call under a new time',   make: (right) => withHeaders(right, { 'x-timestamp': timestampIn(1) }), reason: NO_SECRET },
  { way: 'with an altered body',                make: (right) => ({ ...right, body: right.body.replace('300', '301') }), reason: NO_SECRET },
  { way: 'with one more byte',                  make: (right) => ({ ...right, body: `${right.body} ` }),      reason: NO_SECRET },
  { way: 'with another method',                 make: (right) => ({ ...right, method: 'PUT' }),               reason: NO_SECRET },
  { way: 'with a query that nobody signed',     make: (right) => ({ ...right, target: `${right.target}?dryRun=false` }), reason: NO_SECRET },
  { way: 'with a confirm in place of a rollback', call: 'confirm', make: () => ({ ...signedOld(shop, 'rollback', SETTLE), target: '/v1/confirm' }), reason: NO_SECRET },
  { way: 'as an application that is not there', make: () => checkBy({ id: 'nobody' }),                        reason: /no application of this id/ },
  { way: 'as another application',              make: () => checkBy({ id: 'desk' }),                          reason: NO_SECRET },
  { way: 'under the secret of an unknown application', make: () => checkBy({ id: 'nobody', secret: 'nobody' }),   reason: /no application of this id/ },
  { way: 'as Shop',                             make: () => checkBy({ id: 'Shop' }),                          reason: /X-App-Id has no form/ },
  { way: 'with a secret in another case',       make: () => checkBy({ secret: shop.secret.toUpperCase() }),   reason: NO_SECRET },
  { way: 'with the stored form of the secret',  make: () => checkBy({ secret: 'v1.AAAA' }),                   reason: NO_SECRET },
  { way: 'with a signature cut by a digit',     make: resigned((text) => text.slice(0, -1)),                  reason: NO_FORM },
  { way: 'with a signature longer by a digit',  make: resigned((text) => `${text}0`),                         reason: NO_FORM },
  { way: 'with a signature of nothing',         make: resigned(() => ''),                                     reason: NO_FORM },
  { way: 'with a signature in capital letters', make: resigned((text) => text.toUpperCase()),                 reason: NO_FORM },
  { way: 'with a signature of version 0',       make: resigned((text) => text.replace('v1=', 'v0=')),         reason: NO_FORM },
  { way: 'with a signature without a version',  make: resigned((text) => text.replace('v1=', '')),            reason: NO_FORM },
  { way: 'with a signature twice',              make: resigned((text) => `${text},${text}`),                  reason: NO_FORM },
  { way: 'with a signature that ends otherwise', make: resigned(lastChanged),                                 reason: NO_SECRET },
];

describe('who gets in wrongly', () => {
  it.each(WAYS)(
    'in the old form, $way: 401, and nothing is asked or stored',
    async ({ call = 'check', make, reason }) => {
      const { ask, send, told } = sender({ APPS_CACHE_SECONDS: '300' });
      await ask(shop, 'check', { ...CHECK, orderId: 'o-0', amount: 1 });
      const before = await stored();
      commands.splice(0);
      const { status, body } = await send(call, make(signedOld(shop, 'check', CHECK)));
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'BAD_SIGNATURE' });
      expect(told.at(-1)?.reason).toMatch(reason);
      expect(commands).toEqual([]);
      expect(await stored()).toEqual(before);
      // The right one is taken: it was what was changed that mattered.
      expect(await ask(shop, 'check', CHECK)).toMatchObject({ status: 200 });
    },
  );

  it('an unknown, a disabled and a mistaken application get the same answer', async () => {
    await change('desk', (app) => ({ ...app, status: 'disabled' }));
    const { ask, told } = sender();
    const answers = [
      await ask({ ...shop, id: 'nobody' }, 'check', CHECK),
      await ask(desk, 'check', CHECK),
      await ask({ ...shop, secret: 'x' }, 'check', CHECK),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(told.map(({ reason }) => reason)).toEqual([
      'there is no application of this id',
      'the application is disabled',
      'no secret gives this signature: another secret, or other bytes, were signed',
    ]);
    expect(await stored()).toEqual([]);
  });

  it.each([
    { seconds: -3_600, says: /^X-Timestamp is 360\d s from the clock here, at most 300 are taken/ },
    { seconds: -301, says: /^X-Timestamp is 30[1-9] s from the clock here, at most 300/ },
  ])('a caller whose clock is wrong by $seconds s is told so', async ({ seconds, says }) => {
    const { body } = await sender().send('check', checkAt(timestampIn(seconds)));
    expect(body.detail).toMatch(says);
  });

  it('a database where secrets were exchanged lets nobody in under another name', async () => {
    const [first, second] = await readApps(database.db);
    if (first === undefined || second === undefined) throw new Error('two applications');
    await replaceApp(database.db, { ...first, secrets: second.secrets });
    const { ask, told } = sender();
    const thief = { id: first.id, secret: first.id === 'shop' ? desk.secret : shop.secret };
    expect(await ask(thief, 'check', CHECK)).toMatchObject({ status: 401 });
    expect(told.at(-1)?.reason).toMatch(/^APPS_KEY opens no secret of the application/);
  });

  it('a key that is not that of the secrets lets nobody in, and the log says so, not the answer', async () => {
    const { ask, told } = sender({ APPS_KEY: Buffer.alloc(32, 9).toString('base64') });
    const { status, body } = await ask(shop, 'check', CHECK);
    expect(status).toBe(401);
    expect(JSON.stringify(body)).not.toMatch(/APPS_KEY|sealed/);
    expect(told.at(-1)?.reason).toBe(
      'APPS_KEY opens no secret of the application: they were sealed under another key',
    );
  });
});

describe('an application', () => {
  it('that is disabled is out as soon as the applications are read again, and in again once enabled', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { ask } = sender({ APPS_CACHE_SECONDS: '1' });
    const now = () => ask(shop, 'check', CHECK);
    expect(await now()).toMatchObject({ status: 200 });
    await change('shop', (app) => ({ ...app, status: 'disabled' }));
    vi.setSystemTime(Date.now() + 1_000);
    expect(await now()).toMatchObject({ status: 401 });
    await change('shop', (app) => ({ ...app, status: 'active' }));
    vi.setSystemTime(Date.now() + 1_000);
    expect(await now()).toMatchObject({ status: 200, body: { repeated: true } });
    vi.useRealTimers();
  });

  it('that two people change at once is changed by one of them; the other is told', async () => {
    const [app] = await readApps(database.db);
    if (app === undefined) throw new Error('an application');
    const changes = [
      { ...app, status: 'disabled' },
      { ...app, operations: [] },
    ] as const;
    const stored = await Promise.all(changes.map((next) => replaceApp(database.db, next)));
    expect(stored.filter(Boolean)).toHaveLength(1);
  });

  it('sees what is everybody’s only with the right to it', async () => {
    const handlers = handlersOf(signedServiceOn(database).service);
    const target = '/v1/usage?user=u-1';
    const asked = async (signer: Signer) =>
      answerTo(handlers.usage, eventOf(signed(signer, target, '', { method: 'GET' })));
    expect(await asked(shop)).toMatchObject({
      status: 403,
      body: {
        code: 'RIGHT_MISSING',
        detail:
          'application "shop" lacks the right usage:read: ask an administrator to run npm run apps -- grant shop usage:read',
      },
    });
    expect(await asked(await addApplication(database, 'eye', [], ['usage:read']))).toMatchObject({
      status: 200,
      body: { subjects: { user: 'u-1' } },
    });
    const audited = signedServiceOn(database, { AUDIT: 'best-effort' }).service;
    const { history } = handlersOf(audited);
    const eye = await addApplication(database, 'sees', [], ['usage:read']);
    for (const path of ['transactions?user=u-1', 'usage/history?user=u-1', 'summary?kind=user']) {
      const ofHistory = async (signer: Signer) =>
        answerTo(history, eventOf(signed(signer, `/v1/${path}`, '', { method: 'GET' })));
      expect(await ofHistory(shop)).toMatchObject({ status: 403, body: { code: 'RIGHT_MISSING' } });
      expect(await ofHistory({ ...eye, secret: shop.secret })).toMatchObject({ status: 401 });
      expect((await ofHistory(eye)).status).toBe(200);
    }
    // A right is none where it stands among operations, nor an operation among rights.
    const crossed = await addApplication(database, 'crossed', ['usage:read'], ['check']);
    expect(await asked(crossed)).toMatchObject({ body: { code: 'RIGHT_MISSING' } });
    expect(await sender().ask(crossed, 'check', CHECK)).toMatchObject({
      body: { code: 'OPERATION_NOT_ALLOWED' },
    });
  });

  it('reads the life of another application’s order only with the right to everybody’s', async () => {
    const handlers = handlersOf(signedServiceOn(database, { AUDIT: 'best-effort' }).service);
    const order = { ...CHECK, orderId: 'of-shop' };
    await answerTo(handlers.check, eventOf(signed(shop, 'check', order)));
    const asked = async (signer: Signer, query: string) => {
      const sent = signed(signer, `/v1/transactions/of-shop${query}`, '', { method: 'GET' });
      return answerTo(handlers.status, statusEventOf(sent, 'of-shop'));
    };
    const looker = await addApplication(database, 'looker', ['status'], ['usage:read']);
    const cashier = await addApplication(database, 'cashier', ['status']);
    expect(await asked(looker, '')).toMatchObject({ status: 200, body: { state: 'unknown' } });
    expect(await asked(looker, '?app=shop')).toMatchObject({
      status: 200,
      body: { state: 'held' },
    });
    expect(await asked(shop, '?app=shop')).toMatchObject({ status: 200, body: { state: 'held' } });
    expect(await asked(cashier, '?app=shop')).toMatchObject({
      status: 403,
      body: { code: 'RIGHT_MISSING' },
    });
    expect(await asked(looker, '?app=SHOP')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'app' }] },
    });
  });

  it('may call what it is allowed and nothing else', async () => {
    const gate = await addApplication(database, 'gate', ['check', 'confirm']);
    const { ask } = sender();
    await ask(gate, 'check', CHECK);
    const before = await stored();
    const { status, body } = await ask(gate, 'rollback', SETTLE);
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 403,
      code: 'OPERATION_NOT_ALLOWED',
      detail:
        'application "gate" may call check, confirm, and this call needs rollback: ask an administrator',
    });
    expect(await stored()).toEqual(before);
    const settlements = { settlements: [{ ...SETTLE, status: 'SUCCESS' }] };
    expect(await ask(gate, 'settlements', settlements)).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/needs confirm and rollback/) as string },
    });
    expect(await ask(gate, 'confirm', SETTLE)).toMatchObject({ status: 200 });
  });

  it.each([
    { capture: false, why: 'it would hold the amount' },
    { capture: true, why: 'it would spend the amount' },
  ])('with usage:read alone makes dry runs, but no check: $why', async ({ capture }) => {
    const look = await addApplication(database, 'look', ['status'], ['usage:read']);
    const { ask } = sender();
    const order = { ...CHECK, capture };
    expect(await ask(look, 'check', { ...order, dryRun: true })).toMatchObject({
      status: 200,
      body: { decision: 'allowed', state: 'none' },
    });
    const before = await stored();
    const refused = {
      status: 403,
      body: {
        code: 'OPERATION_NOT_ALLOWED',
        detail:
          'application "look" may call status, and this call needs check: ask an administrator',
      },
    };
    for (const body of [order, { ...order, dryRun: false }])
      expect(await ask(look, 'check', body)).toMatchObject(refused);
    expect(await ask(look, 'check', { ...order, dryRun: 'true' })).toMatchObject({ status: 400 });
    expect(await ask(look, 'checks', { orders: [order] })).toMatchObject(refused);
    expect(await stored()).toEqual(before);
  });

  it('makes dry runs with check, and none without both', async () => {
    const till = await addApplication(database, 'till', ['check']);
    const nobody = await addApplication(database, 'nobody', ['confirm'], ['rules:read']);
    const { ask } = sender();
    const dry = { ...CHECK, dryRun: true };
    expect(await ask(till, 'check', dry)).toMatchObject({ status: 200 });
    expect(await ask(nobody, 'check', dry)).toMatchObject({
      body: { code: 'OPERATION_NOT_ALLOWED' },
    });
    expect(await stored()).toEqual([]);
  });

  it('starts and stops a back-test only with a right to change rules', async () => {
    const { backtests } = handlersOf(signedServiceOn(database, { AUDIT: 'best-effort' }).service);
    const look = await addApplication(database, 'look', [], ['rules:read', 'usage:read']);
    const asked = async (method: 'GET' | 'POST' | 'DELETE', id?: string) => {
      const route = `/v1/backtests${id === undefined ? '' : '/{id}'}`;
      const parameters = id === undefined ? {} : { parameters: { id } };
      const event = routedEvent({
        method,
        route,
        ...parameters,
        body: method === 'POST' ? {} : '',
      });
      const { status, body } = await answerTo(backtests, signedEvent(look, event));
      return [status, body.code];
    };
    expect(await asked('POST')).toEqual([403, 'RIGHT_MISSING']);
    expect(await asked('DELETE', 'b-1')).toEqual([403, 'RIGHT_MISSING']);
    expect(await asked('GET')).toEqual([200, undefined]);
    expect(await asked('GET', 'b-1')).toEqual([404, 'NO_SUCH_BACKTEST']);
  });

  it('records what happened with the operation record alone, under its own name', async () => {
    const orders = [{ ...CHECK, at: '2026-01-02T09:30:00Z' }];
    const { ask } = sender();
    const gate = await addApplication(database, 'gate', ['check', 'confirm', 'rollback']);
    const before = await stored();
    expect(await ask(gate, 'record', { orders })).toMatchObject({
      status: 403,
      body: {
        code: 'OPERATION_NOT_ALLOWED',
        detail:
          'application "gate" may call check, confirm, rollback, and this call needs record: ask an administrator',
      },
    });
    expect(await stored()).toEqual(before);
    const files = await addApplication(database, 'files', ['record']);
    const recorded = (signer: Signer) => ask(signer, 'record', { orders });
    expect(await recorded(files)).toMatchObject({ body: { results: [{ repeated: false }] } });
    // Another application's order of the same name is another order.
    expect(await recorded(shop)).toMatchObject({ body: { results: [{ repeated: false }] } });
    expect(await recorded(files)).toMatchObject({ body: { results: [{ repeated: true }] } });
    expect(await ask(files, 'check', CHECK)).toMatchObject({ status: 403 });
  });

  it('settles its own orders only, by subjects or by reservation', async () => {
    const { ask, direct } = sender();
    const { body } = await ask(shop, 'check', CHECK);
    const byReservation = { orderId: 'o-1', reservation: body.reservation };
    const before = await stored();
    for (const call of ['confirm', 'rollback'] as const) {
      expect(await ask(desk, call, SETTLE)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
      expect(await ask(desk, call, byReservation)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', errors: [{ path: 'reservation' }] },
      });
      expect(await direct(call, SETTLE)).toMatchObject({ status: 404 });
    }
    for (const settlement of [SETTLE, byReservation])
      expect(
        await ask(desk, 'settlements', { settlements: [{ ...settlement, status: 'FAIL' }] }),
      ).toMatchObject({
        body: {
          results: [{ problem: { code: expect.stringMatching(/NOT_FOUND|INVALID/) as string } }],
        },
      });
    expect(await stored()).toEqual(before);
    expect(await ask(shop, 'confirm', byReservation)).toMatchObject({
      status: 200,
      body: { state: 'confirmed' },
    });
  });
});

describe('the question how an order stands', () => {
  it('is no question about another order, nor a change of one', async () => {
    const { send, status } = sender({ AUDIT: 'best-effort' });
    const sent = signedStatus(shop, 'o-1');
    for (const other of ['o-2', 'o-1/', 'O-1', 'o%2D1'])
      expect(await status(sent, other)).toMatchObject({ status: 401 });
    const elsewhere = { ...sent, method: 'POST', target: '/v1/rollback' };
    expect(await send('rollback', elsewhere)).toMatchObject({ status: 401 });
  });
});

describe('a direct invocation', () => {
  it('is taken, for IAM let it through, and belongs to the application default', async () => {
    const { direct, told } = sender();
    expect(await direct('check', CHECK)).toMatchObject({ decision: 'allowed' });
    expect(await direct('confirm', SETTLE)).toMatchObject({ state: 'confirmed' });
    expect(told.map(({ app }) => app)).toEqual(['default', 'default']);
  });
});

describe('a call that arrives once more, byte for byte', () => {
  it.each(['accept', 'refuse'])('changes nothing with REPLAY=%s', async (replay) => {
    const { send } = sender({ REPLAY: replay });
    const check = signed(shop, 'check', CHECK);
    const confirm = signed(shop, 'confirm', SETTLE);
    await send('check', check);
    const held = await stored();
    const again = await send('check', check);
    expect(await stored()).toEqual(held);
    await send('confirm', confirm);
    const used = await stored();
    const answers = [again, await send('confirm', confirm), await send('check', check)];
    expect(await stored()).toEqual(used);
    for (const answer of answers)
      expect(answer).toMatchObject(
        replay === 'accept'
          ? { status: 200, body: { repeated: true } }
          : { status: 401, body: { code: 'BAD_SIGNATURE' } },
      );
  });

  it.each([
    { replay: 'accept', status: 200, why: 'a refusal leaves nothing to recognise it by' },
    { replay: 'refuse', status: 401, why: 'its signature is remembered' },
  ])('after a refusal is answered $status with REPLAY=$replay, because $why', async (row) => {
    const { ask, send } = sender({ REPLAY: row.replay });
    await ask(desk, 'check', { ...CHECK, amount: 500 });
    const check = signed(shop, 'check', CHECK);
    expect((await send('check', check)).body.decision).toBe('refused');
    await ask(desk, 'rollback', SETTLE); // and there is room
    const { status, body } = await send('check', check);
    expect(status).toBe(row.status);
    expect(body.decision).toBe(row.status === 200 ? 'allowed' : undefined);
  });

  it('is refused when REPLAY=refuse, and signed again is a repeat like any other', async () => {
    const { ask, send, told } = sender({ REPLAY: 'refuse', APPS_CACHE_SECONDS: '300' });
    const check = signed(shop, 'check', CHECK);
    await send('check', check);
    expect(await send('check', check)).toMatchObject({
      status: 401,
      body: { detail: expect.stringMatching(/^this signature was used before/) as string },
    });
    expect(told.at(-1)?.reason).toBe('the signature was taken before');
    commands.splice(0);
    expect(await ask(shop, 'check', CHECK)).toMatchObject({ body: { repeated: true } });
    // The signature, and an order that is known.
    expect(commands).toEqual(['insert', 'findAndModify', 'findAndModify']);
  });

  it('of twenty that arrive at once with REPLAY=refuse, one is taken', async () => {
    const { send } = sender({ REPLAY: 'refuse' });
    const check = signed(shop, 'check', CHECK);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('check', check)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it('is remembered past the time in which its signature is good, and forgotten then', async () => {
    const { send } = sender({ REPLAY: 'refuse' });
    const check = signed(shop, 'check', CHECK);
    await send('check', check);
    const [remembered] = await database.db.collection('signatures').find().toArray();
    const expireAt = remembered?.expireAt as unknown;
    expect(expireAt).toBeInstanceOf(Date);
    expect((expireAt as Date).getTime()).toBe(Math.floor(Number(check.timestamp) * 1000) + 600_000);
    expect(await database.db.collection('signatures').indexes()).toContainEqual(
      expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }),
    );
  });
});
