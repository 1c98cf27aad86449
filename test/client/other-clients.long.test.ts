import { randomUUID } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { endOf, startProgram, urlOf } from '../infra/start-program.ts';
import type { Program } from '../infra/start-program.ts';
import { APPS_KEY_TEXT } from '../support/signed-call.ts';
import type { ConfirmRequest } from '../../packages/client/src/index.ts';
import { HeadroomClient } from '../../packages/client/src/index.ts';
import type { FaultyWay } from './faulty-way.ts';
import { openFaultyWay } from './faulty-way.ts';
import type { Fault } from './http-service.ts';
import { FOUND, MISSING, Workshop } from './other-clients.ts';
import type { Ended, OtherClient } from './other-clients.ts';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

/** Of a call. A program's first one takes two seconds where other programs keep the machine busy. */
const DEADLINE_SECONDS = 6;

const MINUTES = 600_000;
const databaseName = `clients-${randomUUID().slice(0, 8)}`;
const UNAVAILABLE = { status: 503, headers: { 'retry-after': '1' }, body: '{"message":"busy"}' };
const FORBIDDEN = { status: 403, body: '{"message":"Forbidden"}' };
const page = (body: object): Fault => ({ status: 200, body: JSON.stringify(body) });
const HELD = { decision: 'allowed', state: 'held', reservation: 'WzMs', repeated: false };
const DEEP = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
const UNDECIDED = {
  decision: 'allowed',
  undecided: true,
  ...{ state: 'none', repeated: false, limitReached: false, refusedBy: [], shadowRefusedBy: [] },
};

let program: Program;
let secret: string;
let way: FaultyWay;
let workshop: Workshop;

beforeAll(async () => {
  workshop = new Workshop();
  for (const client of FOUND)
    if (client.build !== undefined) expectSuccess(await workshop.run(client, client.build));
  program = startProgram({
    MONGODB_URI: inject('mongodbUri'),
    MONGODB_DATABASE: databaseName,
    AUTH: 'hmac',
    APPS_KEY: APPS_KEY_TEXT,
    REPLAY: 'refuse',
  });
  way = await openFaultyWay(await urlOf(program));
  [secret = ''] = /hrs_[\w-]+/.exec(program.output()) ?? [];
}, MINUTES);

afterAll(async () => {
  // Where its own test did not run, npm start still does.
  if (program.process.exitCode === null) program.process.kill('SIGTERM');
  await program.code;
  await way.stop();
  workshop.remove();
  const client = new MongoClient(inject('mongodbUri'), OWN_WRITES);
  await client.db(databaseName).dropDatabase();
  await client.close();
});

beforeEach(() => {
  way.arrived.length = 0;
  way.faults.clear();
});

function expectSuccess({ code, out, err }: Ended): void {
  expect({ code, said: code === 0 ? '' : out + err }).toEqual({ code: 0, said: '' });
}

type Report = {
  readonly outcome: string;
  /** How often the bank was paid. */
  readonly paid: number;
  readonly state?: string;
  readonly code?: string | null;
  readonly refusedBy?: readonly string[];
  readonly request?: ConfirmRequest | null;
};

type Payment = {
  readonly orderId?: string;
  readonly amount?: number;
  readonly bank?: 'pays' | 'declines' | 'times-out';
  readonly faults?: Readonly<Record<string, readonly Fault[]>>;
  readonly deadlineSeconds?: number;
};

/** Makes one payment, as the example's program does. */
function runPayment(client: OtherClient, payment: Payment, key = secret): Promise<Ended> {
  const { orderId = randomUUID(), amount = 100, bank = 'pays', faults = {} } = payment;
  for (const [path, each] of Object.entries(faults)) way.faults.set(path, [...each]);
  return workshop.run(client, [...client.pay, orderId, String(amount), bank], {
    HEADROOM_URL: `${way.url}/`,
    HEADROOM_APP_ID: 'sample',
    HEADROOM_SECRET: key,
    HEADROOM_DEADLINE_SECONDS: String(payment.deadlineSeconds ?? 30),
  });
}

async function reportOf(client: OtherClient, payment: Payment): Promise<Report> {
  const ended = await runPayment(client, payment);
  expectSuccess(ended);
  return JSON.parse(ended.out) as Report; // as the examples print it
}

/** Calls as the application of the programs. */
const calling = () => new HeadroomClient({ url: way.url, app: { id: 'sample', secret } });

/** The calls that arrived, in order, by the last part of its path. */
const calls = (): readonly string[] =>
  way.arrived.map(({ url }) => (url.startsWith('/v1/transactions/') ? 'status' : url.slice(4)));

it(`runs the clients of ${FOUND.map(({ name }) => name).join(', ')}; without a toolchain here: ${MISSING.join(', ') || 'none'}`, () => {
  expect(FOUND.length).toBeGreaterThan(0);
  expect(secret).toMatch(/^hrs_/);
});

describe.each(FOUND)('the client in $name', (client) => {
  it('signs and writes paths as vectors.json expects', async () => {
    expectSuccess(await workshop.run(client, client.testVectors));
  });

  it('has a test that fails where a signature or a path is another', async () => {
    const file = join(workshop.folder, 'vectors.json');
    copyFileSync(file, `${file}.right`);
    const right = readFileSync(file, 'utf8');
    try {
      for (const [from, to] of [
        ['"hr=:', '"hr=:0'],
        ['/v1/transactions/a%252Fb', '/v1/transactions/a%2Fb'],
      ] as const) {
        writeFileSync(file, right.replace(from, to));
        expect((await workshop.run(client, client.testVectors)).code).not.toBe(0);
      }
    } finally {
      copyFileSync(`${file}.right`, file);
    }
  });

  it.each(['pays', 'declines', 'times-out'] as const)(
    'ends as it must: the bank %s',
    async (bank) => {
      const report = await reportOf(client, { bank });
      expect(report).toMatchObject(
        {
          pays: { outcome: 'confirmed', paid: 1, state: 'confirmed' },
          declines: { outcome: 'declined', paid: 0, state: 'rolledBack' },
          'times-out': { outcome: 'unknown', paid: 0, state: 'held' },
        }[bank],
      );
      const middle = { pays: ['confirm'], declines: ['rollback'], 'times-out': [] }[bank];
      expect(calls()).toEqual(['check', ...middle, 'status']);
    },
  );

  it('pays nothing that is refused', async () => {
    const report = await reportOf(client, { amount: 2_000_001 });
    expect(report).toMatchObject({ outcome: 'refused', paid: 0, refusedBy: ['single'] });
    expect(calls()).toEqual(['check']);
  });

  it.each(['订单 "é" 🙂', 'a/b?c=d&e#f', "it's (1)!*~", '100%+%2F'])(
    'pays order %j once, whichever client asks again',
    async (name) => {
      const orderId = `${name} ${client.name}`;
      expect(await reportOf(client, { orderId })).toMatchObject({ outcome: 'confirmed', paid: 1 });
      const again = await reportOf(client, { orderId });
      expect(again).toMatchObject({ outcome: 'confirmed-before', paid: 0, state: 'confirmed' });
    },
  );

  it('sends the same bytes again, signed again, until it is answered', async () => {
    const lost = [
      'answer-lost',
      'request-lost',
      UNAVAILABLE,
      { status: 429 },
      'half-lost',
    ] as const;
    const faults = { '/v1/check': lost, '/v1/confirm': lost };
    const report = await reportOf(client, { faults });
    expect(report).toMatchObject({ outcome: 'confirmed', paid: 1, state: 'confirmed' });
    for (const path of Object.keys(faults)) {
      const sent = way.arrived.filter(({ url }) => url === path);
      expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
      expect(new Set(sent.map(({ headers }) => headers.signature)).size).toBe(6);
      const [, , third, fourth] = sent.map(({ atMs }) => atMs);
      expect((fourth ?? 0) - (third ?? 0)).toBeGreaterThanOrEqual(1_000); // Retry-After
    }
  });

  it('rolls back again until that is answered', async () => {
    const faults = { '/v1/rollback': ['answer-lost', UNAVAILABLE] } as const;
    const report = await reportOf(client, { bank: 'declines', faults });
    expect(report).toMatchObject({ outcome: 'declined', state: 'rolledBack' });
  });

  it('tells the decline where the rollback is not taken: the hold will expire', async () => {
    const faults = { '/v1/rollback': [FORBIDDEN] };
    const report = await reportOf(client, { bank: 'declines', faults });
    expect(report).toMatchObject({ outcome: 'declined', state: 'held' });
  });

  it('gives the request of a confirm that has no answer until the deadline', async () => {
    const faults = { '/v1/confirm': Array.from({ length: 50 }, () => 'request-lost' as const) };
    const report = await reportOf(client, { faults, deadlineSeconds: DEADLINE_SECONDS });
    expect(report).toMatchObject({ outcome: 'unconfirmed', code: 'NO_ANSWER', state: 'held' });
    way.faults.clear();
    const { request } = report;
    if (request === undefined || request === null) throw new Error('it has no request');
    expect(await calling().confirm(request)).toMatchObject({ state: 'confirmed', late: false });
  });

  it.each(['silent', 'slow'] as const)(
    'waits for a %s answer no longer than its deadline',
    async (fault) => {
      const faults = { '/v1/confirm': [fault, fault] };
      const report = await reportOf(client, { faults, deadlineSeconds: DEADLINE_SECONDS });
      expect(report).toMatchObject({ outcome: 'unconfirmed', code: 'NO_ANSWER' });
      const [confirmed, status] = way.arrived.slice(1);
      expect((status?.atMs ?? 0) - (confirmed?.atMs ?? 0)).toBeLessThan(
        (DEADLINE_SECONDS + 3) * 1_000,
      );
    },
  );

  it('waits for Retry-After as an instant', async () => {
    const later = {
      status: 503,
      get headers() {
        return { 'retry-after': new Date(Date.now() + 3_000).toUTCString() };
      },
    };
    const report = await reportOf(client, { faults: { '/v1/confirm': [later] } });
    expect(report).toMatchObject({ outcome: 'confirmed', state: 'confirmed' });
    const [first, second] = way.arrived.filter(({ url }) => url === '/v1/confirm');
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1_900);
  });

  // prettier-ignore
  it.each<{ name: string; answer: Fault }>([
    { name: 'that it was rolled back', answer: page({ state: 'rolledBack', repeated: false }) },
    { name: 'with a page for signing in', answer: page({ state: 'sign in' }) },
    { name: 'with JSON that is nested too deep', answer: { status: 200, body: DEEP } },
    { name: 'without end', answer: 'endless' },
    { name: 'to come back in the year 9999', answer: { status: 503, headers: { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' } } },
    { name: 'to come back in 10^5000 s', answer: { status: 503, headers: { 'retry-after': '9'.repeat(5_000) } } },
  ])('keeps what was paid and is answered $name', async ({ answer }) => {
    const report = await reportOf(client, { faults: { '/v1/confirm': [answer] } });
    expect(report).toMatchObject({ outcome: 'unconfirmed', code: 'UNEXPECTED_ANSWER', paid: 1 });
    expect(calls()).toEqual(['check', 'confirm', 'status']);
  });

  it.each([
    { ...HELD, decision: 'challenge' },
    { ...HELD, state: undefined },
    { ...HELD, state: 'disputed' },
    { ...HELD, state: 'none' },
    { ...HELD, reservation: null },
  ])('pays nothing that is answered with $decision, $state, $reservation', async (answer) => {
    const { code, out, err } = await runPayment(client, {
      faults: { '/v1/check': [page(answer)] },
    });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('UNEXPECTED_ANSWER');
    expect(calls()).toEqual(['check']);
  });

  it.each([
    { amount: 40, outcome: 'partlyRefunded' },
    { amount: 100, outcome: 'refunded' },
  ])('pays nothing that was paid and is $outcome', async ({ amount, outcome }) => {
    const orderId = randomUUID();
    expect(await reportOf(client, { orderId })).toMatchObject({ outcome: 'confirmed', paid: 1 });
    await calling().refund({ orderId, refundId: 'r-1', amount });
    const again = await reportOf(client, { orderId });
    expect(again).toMatchObject({ outcome, paid: 0, state: outcome });
  });

  it('follows no redirect', async () => {
    const elsewhere = { status: 307, headers: { location: `${way.url}/v1/rollback` } };
    const report = await reportOf(client, { faults: { '/v1/confirm': [elsewhere] } });
    expect(report).toMatchObject({ outcome: 'unconfirmed', code: 'UNEXPECTED_ANSWER' });
    expect(calls()).toEqual(['check', 'confirm', 'status']);
  });

  it('holds what was not decided before it confirms', async () => {
    const report = await reportOf(client, { faults: { '/v1/check': [page(UNDECIDED)] } });
    expect(report).toMatchObject({ outcome: 'confirmed', paid: 1, state: 'confirmed' });
    expect(calls()).toEqual(['check', 'check', 'confirm', 'status']);
  });

  it('is refused with another secret, once, and pays nothing', async () => {
    const { code, out, err } = await runPayment(client, {}, `${secret}x`);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('BAD_SIGNATURE');
    expect(calls()).toEqual(['check']);
  });
});

it('npm start ends, and leaves no process', async () => {
  const end = await endOf(program, (pid) => process.kill(pid, 'SIGTERM'));
  expect(end).toEqual({ code: 0, left: [] });
});
