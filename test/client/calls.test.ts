import { beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { isProblemError } from '../../packages/client/src/index.ts';
import type {
  CallName,
  CheckOfMany,
  HeadroomClient,
  ShortCheckAnswer,
} from '../../packages/client/src/index.ts';
import type { ConfirmAnswer } from '../../lib/limits/answer.ts';
import { checkAnswerJson } from '../../lib/http/order-answer.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { Actor } from '../../lib/shared/actor.ts';
import { CALENDAR_UNITS } from '../../lib/rule/calendar.ts';
import type { Freeze } from '../../lib/rule/own-terms.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { getOverHttp, handlersOn } from '../support/service-on-database.ts';
import { SCAN, scanCollection } from '../../lib/near/mongo-near-store.ts';
import { useDatabase } from '../support/database.ts';
import { ACTOR_KINDS, clientAt, codeOf, useHttpService } from './fixture.ts';
import { SeenAnswers } from './seen-answers.ts';
import { USER_LIFE } from '../support/stored-rules.ts';

const SINGLE = { ...USER_LIFE, id: 'single', window: 'transaction', max: { amount: 20_000 } };
const CALENDAR = CALENDAR_UNITS.map((unit) => ({
  ...USER_LIFE,
  id: `user-${unit}`,
  title: { en: unit },
  window: { unit, every: unit === 'minute' ? 5 : 1, timeZone: 'Asia/Shanghai' },
  max: { amount: 50_000, count: 50 },
}));
const RULES = [
  ...CALENDAR,
  { id: 'exact', per: ['user'], window: { rolling: 'PT1H', step: 'exact' }, max: { count: 9 } },
  { ...USER_LIFE, max: { amount: 10_000 } },
  { ...USER_LIFE, id: 'trial', mode: 'shadow', max: { amount: 100 } },
  { ...SINGLE, id: 'single-trial', mode: 'shadow', min: { amount: 2 } },
  { ...SINGLE, min: { amount: 1, count: 1 } },
  {
    ...USER_LIFE,
    id: 'tier',
    per: ['payer'],
    counts: { not: { type: 'PAYOUT' } },
    minus: { type: 'PAYOUT', not: { channel: 'pos' } },
    max: {
      amount: { by: 'tier', gold: 500, else: 200 },
      count: { by: 'tier', gold: 5, else: 2 },
    },
  },
  {
    id: 'some',
    per: ['wallet'],
    window: 'lifetime',
    max: { count: 3 },
    counts: { type: 'TRANSFER', not: { tier: 'gold' } },
    appliesTo: { tier: 'silver', not: { verified: true } },
  },
  {
    ...SINGLE,
    id: 'unproven',
    per: ['card'],
    max: { amount: 30 },
    onExceed: { challenge: 'sca' },
  },
  {
    ...USER_LIFE,
    id: 'watched',
    per: ['card'],
    max: { amount: 10, count: 1 },
    onExceed: 'notify',
  },
  { ...USER_LIFE, id: 'large', per: ['desk'], max: { amount: 10 }, onExceed: 'review' },
  {
    id: 'attempts',
    per: ['card'],
    window: 'lifetime',
    outcome: 'ended',
    reasonCodes: ['wrong-pin'],
    max: { count: 9 },
  },
  {
    id: 'left',
    per: ['user'],
    window: 'lifetime',
    outcome: ['rolledBack', 'expired'],
    max: { count: 99 },
  },
  { id: 'cards', per: ['buyer'], window: 'lifetime', max: { distinct: { card: 1 } } },
  ...[{ unit: 'month', timeZone: 'UTC' }, { for: 'PT24H' }].map((window) => ({
    ...USER_LIFE,
    id: 'for' in window ? 'consent-new' : 'consent-month',
    per: ['consent'],
    window: { ...window, since: { attribute: 'consentAt' } },
    max: { amount: 100 },
  })),
  ...['2020-11-11', '2099-11-11'].map((dates) => ({
    ...USER_LIFE,
    id: `sale-${dates}`,
    per: ['till'],
    when: { dates, timeZone: 'UTC' },
    max: { amount: 100 },
  })),
];

const database = useDatabase();
const set = { AUDIT: 'best-effort', NEAR: 'on', LOCAL_CLOCK: 'on' };
const service = useHttpService(database, () => handlersOn(database, RULES, set));
let now: string;
let client: HeadroomClient;

/** All but calls of terms, of rules, of proposals, of back-tests and of the past, which tests of their own make. */
type Made = Exclude<CallName, 'subjects' | 'rules' | 'proposals' | 'history' | 'backtests'>;

const seen = new SeenAnswers();

beforeAll(() => {
  client = clientAt(service, () => now);
});
beforeEach(() => {
  now = '2026-03-02T10:00:00.000Z';
});

function order(orderId: string, amount: number, more: Partial<CheckOfMany> = {}): CheckOfMany {
  return { orderId, subjects: { user: 'u-1' }, amount, currency: 'CNY', ...more };
}

describe('every call over HTTP is answered as its type says', () => {
  it('check: allowed, repeated, refused, confirmed, a dry run, in every kind of window', async () => {
    const first = await seen.noted('check', client.check(order('o-1', 6000)));
    expect(first).toMatchObject({ decision: 'allowed', state: 'held', repeated: false });
    expect(first.rules).toHaveLength(RULES.filter(({ per }) => per[0] === 'user').length);
    await seen.noted('check', client.check(order('o-1', 6000)));
    const refused = await seen.noted('check', client.check(order('o-2', 6000)));
    expect(refused).toMatchObject({ decision: 'refused', headroom: { earliestAt: null } });
    await seen.noted('check', client.check(order('o-3', 0)));
    const nobody = client.check(order('o-6', 1, { subjects: { merchant: 'm-1' } }));
    expect(await seen.noted('check', nobody)).toMatchObject({
      decision: 'refused',
      reason: 'no-rule',
    });
    const captured = await seen.noted('check', client.check(order('o-4', 4000, { capture: true })));
    expect(captured).toMatchObject({ state: 'confirmed', limitReached: true });
    const short = await client.check({ ...order('o-2', 6000), report: 'none' });
    expectTypeOf(short).toEqualTypeOf<ShortCheckAnswer>();
    expect(short).toMatchObject({ decision: 'refused', refusedBy: ['life'] });
    expect(short).not.toHaveProperty('rules');
    const dry = client.check({ ...order('o-5', 1, { currency: 'USD' }), dryRun: true });
    expect(await seen.noted('check', dry)).toMatchObject({
      state: 'none',
      headroom: { amount: null },
    });
  });

  it('check: above a maximum without its proof, and with it', async () => {
    const paid = order('o-1', 31, { subjects: { card: 'c-1' } });
    expect(await seen.noted('check', client.check(paid))).toMatchObject({
      decision: 'refused',
      reason: 'challenge',
      challenges: ['sca'],
    });
    for (const orderId of ['o-1', 'o-2'])
      await seen.noted('check', client.check({ ...paid, orderId, proofs: ['sca'] }));
    expect(await client.check({ ...paid, proofs: [] })).toMatchObject({
      decision: 'allowed',
      repeated: true,
      exceeded: [{ rule: 'watched', amount: 52, count: 1 }],
    });
    await seen.noted('usage', client.usage({ card: 'c-1' }));
    const refused = { ...paid, orderId: 'o-3' };
    await client.check({ ...refused, proofs: ['otp'] });
    await seen.noted('status', client.status('o-3'));
    await seen.noted('status', client.status('o-1'));
  });

  it('check, status and usage: of an order that a second person approves, or rejects', async () => {
    const subjects = { desk: 'd-1' };
    const large = { orderId: 'large-1', subjects, amount: 20, currency: 'CNY', actor: 'till' };
    const { id } = await waiting(large);
    await client.proposals.approve({ id, reason: 'seen', for: 'PT1H', actor: 'joe' });
    const answer = await seen.noted('check', client.check(large));
    expect(answer).toMatchObject({ approval: { proposal: id, by: { person: 'joe' } } });
    const status = await seen.noted('status', client.status(large.orderId));
    expect(status.history.at(-1)).toMatchObject({ proposal: id, approvedBy: { person: 'joe' } });
    const other = { ...large, orderId: 'large-2', amount: 30 };
    const { id: second } = await waiting(other);
    await client.proposals.reject({ id: second, reason: 'no', actor: 'joe' });
    expect(await seen.noted('check', client.check(other))).toMatchObject({ reason: 'rejected' });
    await seen.noted('usage', client.usage(subjects));
    for (const kind of ACTOR_KINDS) {
      const by = { kind, id: 'one', person: 'joe' };
      seen.note('check', { ...answer, approval: { proposal: id, by } });
      const history = status.history.map((row) => ({ ...row, approvedBy: by }));
      seen.note('status', { ...status, history });
    }
  });

  async function waiting(asked: CheckOfMany & { readonly actor: string }): Promise<{ id: string }> {
    const answer = await seen.noted('check', client.check(asked));
    if (answer.decision !== 'refused' || answer.review === undefined)
      throw new Error('it does not wait');
    return { id: answer.review.proposal };
  }

  it('check, status and usage: of windows that begin with an instant which the order says', async () => {
    const subjects = { consent: 'c-1' };
    const given = { attributes: { consentAt: '2026-03-02T09:00:00+01:00' } };
    const rules = [
      { rule: 'consent-month', window: { since: { attribute: 'consentAt' } } },
      { rule: 'consent-new', window: { for: 'PT24H', end: '2026-03-03T08:00:00.000Z' } },
    ];
    const paid = client.check({ ...order('o-1', 100), subjects, ...given });
    expect(await seen.noted('check', paid)).toMatchObject({ decision: 'allowed', rules });
    await client.check({ ...order('o-3', 1), subjects, ...given });
    await seen.noted('status', client.status('o-1'));
    await seen.noted('status', client.status('o-3'));
    expect(await seen.noted('usage', client.usage(subjects, given))).toMatchObject({ rules });
    expect(await seen.noted('usage', client.usage(subjects))).toMatchObject({
      rules: [],
      withoutInstant: rules.map(({ rule }) => ({ rule, attribute: 'consentAt' })),
    });
    const near = await seen.noted('near', client.near({ rule: 'consent-new' }));
    expect(near.near).toMatchObject([{ since: '2026-03-02T08:00:00.000Z' }]);
    const mistaken = { ...order('o-2', 1), subjects, attributes: { consentAt: 'yesterday' } };
    await expect(client.check(mistaken)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      problem: { errors: [{ path: 'attributes.consentAt' }] },
    });
    const { attributes } = mistaken;
    await expect(client.usage(subjects, { attributes })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('check, status and usage: of the different values of a name', async () => {
    const subjects = { buyer: 'b-1' };
    const given = { attributes: { card: 'c-1' } };
    const rules = expect.arrayContaining([
      expect.objectContaining({ rule: 'cards', distinct: 'card', used: { count: 0 } }),
    ]) as unknown;
    const paid = client.check({ ...order('o-1', 100), subjects, ...given });
    expect(await seen.noted('check', paid)).toMatchObject({ decision: 'allowed', rules });
    const other = { card: 'c-2' };
    const refused = client.check({ ...order('o-2', 100), subjects, attributes: other });
    expect(await seen.noted('check', refused)).toMatchObject({ refusedBy: ['cards'] });
    const { history } = await seen.noted('status', client.status('o-2'));
    expect(history[0]?.refusals?.[0]?.sentence).toBe(
      'cards allows at most 1 value of card ever: used 0, held 1, asked for another one',
    );
    await seen.noted(
      'checks',
      client.checks({ orders: [{ ...order('o-3', 1), subjects, ...given }] }),
    );
    expect(await seen.noted('usage', client.usage(subjects, given))).toMatchObject({ rules });
  });

  it('check: the part that fits', async () => {
    const asked = { ...order('o-1', 12_000), partial: { min: 1_000 } };
    const answer = await seen.noted('check', client.check(asked));
    expect(answer).toMatchObject({ amount: 10_000, asked: 12_000, amountBy: ['life'] });
    const again = await client.check(asked);
    expect(again).toMatchObject({ repeated: true, amount: 10_000, asked: 12_000 });
    expect(again).not.toHaveProperty('amountBy');
    const dry = await client.check({ ...asked, orderId: 'o-2', amount: 9_000, dryRun: true });
    expect(dry).toMatchObject({ decision: 'refused', refusedBy: ['life'] });
    expect(dry).not.toHaveProperty('amount');
    expect(await codeOf(client.check({ ...asked, partial: { min: 999 } }))).toBe('ORDER_REUSED');
    const { history } = await seen.noted('status', client.status('o-1'));
    expect(history).toContainEqual(
      expect.objectContaining({ amount: 10_000, asked: 12_000, amountBy: ['life'] }),
    );
    await client.check({ ...asked, orderId: 'o-3', amount: 9_000 });
    const refused = await seen.noted('status', client.status('o-3'));
    expect(refused.history).toMatchObject([{ outcome: 'refused', amount: 1_000, asked: 9_000 }]);
    expect(await client.confirm({ orderId: 'o-1' })).toMatchObject({ amount: 10_000 });
  });

  it('confirm: in time, repeated, late and over a maximum', async () => {
    await client.check(order('o-1', 6000));
    now = '2026-03-02T11:00:00.000Z';
    await client.check(order('o-2', 9000));
    const subjects = { user: 'u-1' };
    await seen.noted('confirm', client.confirm({ orderId: 'o-2', subjects }));
    const late = await seen.noted('confirm', client.confirm({ orderId: 'o-1', subjects }));
    expect(late).toMatchObject({ late: true, exceeded: [{ rule: 'life', amount: 5000 }] });
    await seen.noted('confirm', client.confirm({ orderId: 'o-1', subjects }));
  });

  it('rollback and refund, repeated as well', async () => {
    await client.check(order('o-1', 6000));
    const rollback = { orderId: 'o-1', subjects: { user: 'u-1' }, reason: 'the bank said no' };
    await seen.noted('rollback', client.rollback(rollback));
    await seen.noted('rollback', client.rollback(rollback));
    await client.check(order('o-2', 6000, { capture: true }));
    const refund = { orderId: 'o-2', refundId: 'r-1', amount: 2000 };
    await seen.noted('refund', client.refund(refund));
    await seen.noted('refund', client.refund(refund));
    const repeats = async () => [
      await seen.noted('check', client.check(order('o-2', 6000, { capture: true }))),
      await seen.noted('confirm', client.confirm({ orderId: 'o-2', subjects: { user: 'u-1' } })),
    ];
    const partly = { state: 'partlyRefunded', refunded: 2000, remaining: 4000 };
    expect(await repeats()).toMatchObject([partly, partly]);
    await seen.noted('status', client.status('o-2'));
    const rest = await seen.noted('refund', client.refund({ orderId: 'o-2', refundId: 'r-2' }));
    const refunded = { state: 'refunded', refunded: 6000, remaining: 0 };
    expect(rest).toMatchObject(refunded);
    expect(await repeats()).toMatchObject([refunded, refunded]);
  });

  it('status: of orders that stand in every way', async () => {
    const stands = async (orderId: string, state: string) => {
      expect(await seen.noted('status', client.status(orderId))).toMatchObject({ orderId, state });
    };
    const subjects = { user: 'u-1' };
    await client.check(order('o-1', 600));
    await client.check(order('o-2', 90_000));
    await client.check(order('o-3', 600));
    const why = { reason: 'the bank said no', reasonCode: 'declined' };
    await client.rollback({ orderId: 'o-3', subjects, ...why });
    await client.check(order('o-4', 600, { capture: true }));
    await client.refund({ orderId: 'o-4', refundId: 'r-1' });
    await client.check(order('o-5', 600));
    await client.confirm({ orderId: 'o-5', subjects });
    for (const [orderId, state] of Object.entries({
      'o-0': 'unknown',
      'o-1': 'held',
      'o-2': 'refused',
      'o-3': 'rolledBack',
      'o-4': 'refunded',
      'o-5': 'confirmed',
    }))
      await stands(orderId, state);
    now = '2026-03-02T11:00:00.000Z';
    await stands('o-1', 'expired');
    await client.confirm({ orderId: 'o-1', subjects });
    await stands('o-1', 'late');
  });

  it('usage: of subjects whose ids need care, too', async () => {
    const subjects = { user: "u 1&ü='+*", payer: 'p-1' };
    await client.check({ ...order('o-1', 50), subjects, attributes: { tier: 'gold' } });
    const { rules, subjects: asked } = await seen.noted('usage', client.usage(subjects));
    expect(asked).toEqual(subjects);
    expect(rules.find(({ rule }) => rule === 'tier')).toMatchObject({
      maxBy: { amount: { by: 'tier', values: { gold: 500 }, else: 200 } },
      outcome: 'depends',
    });
    const payment = { attributes: { tier: 'gold', level: 3 }, type: 'PAYMENT' };
    const told = await seen.noted('usage', client.usage({ payer: 'p-1' }, payment));
    expect(told.rules).toMatchObject([{ rule: 'tier', max: { amount: 500 }, share: 0.2 }]);
    expect(rules.find(({ rule }) => rule === 'life')).toMatchObject({ share: 0.005 });
    await client.check(order('o-2', 10_000));
    const behind = await seen.noted('usage', client.usage({ user: 'u-1' }, { stale: 'PT10S' }));
    expect(behind.asOf).toBe(behind.now);
  });

  it('near: of a rule, page by page, and of all', async () => {
    await client.check(order('o-1', 5_000));
    await client.check({ ...order('o-2', 9_500), subjects: { user: 'u-2' } });
    const first = await seen.noted('near', client.near({ rule: 'life', share: 0.5, limit: 1 }));
    expect(first.near).toMatchObject([{ share: 0.95, subjects: { user: 'u-2' } }]);
    const next = first.next ?? '';
    const second = await seen.noted('near', client.near({ rule: 'life', share: 0.5, next }));
    expect(second).toMatchObject({ near: [{ share: 0.5 }], next: null, kept: true });
    await client.check({ ...order('o-3', 8_000), subjects: { user: 'u-3' } });
    const at = new Date(now);
    const by: Actor = { kind: 'local', id: 'local' };
    const own = { id: 'own', rule: 'user-month', max: { count: 1 }, by, at, reason: 'asked for' };
    await patientCounters(database.db).changeTerms(
      'user:u-4',
      { expected: undefined, terms: { version: 'v-1', overrides: [own] } },
      at,
    );
    await client.check({ ...order('o-4', 1), subjects: { user: 'u-4' } });
    const all = await seen.noted('near', client.near({ share: 0.5, limit: 100 }));
    expect(all.near.map(({ rule }) => rule)).toContain('user-month');
    await scanCollection(database.db).insertOne({ _id: SCAN, scannedAt: at });
    const off = await handlersOn(database, RULES, { ...set, NEAR: 'off' });
    const { body } = await getOverHttp(off.near, {}, '');
    expect(body).toMatchObject({ kept: false, scannedAt: now });
    seen.note('near', body);
  });

  it('health: what the deployment is like, and what to do', async () => {
    const { findings } = await seen.noted('health', client.health());
    // Tests keep what is over: their indexes collect at another time.
    expect(findings.find(({ name }) => name === 'indexes')).toMatchObject({ level: 'fault' });
    expect(findings.map(({ level }) => level)).toContain('ok');
  });

  it('checks: with every report, problems among them', async () => {
    await client.check(order('o-1', 600));
    const orders = [order('o-1', 601), order('o-2', 20_001), order('o-3', 600, { capture: true })];
    for (const report of ['none', 'violations', 'all'] as const) {
      const answer = await seen.noted('checks', client.checks({ orders, report }));
      const [reused, refused, allowed] = answer.results;
      expect(answer.allAllowed).toBe(false);
      expect(reused?.problem?.code).toBe('ORDER_REUSED');
      expect(refused?.problem === undefined && refused?.decision).toBe('refused');
      expect(allowed?.problem === undefined && allowed?.decision).toBe('allowed');
    }
    await seen.noted('checks', client.checks({ orders: [order('o-9', 1)], atomic: true }));
  });

  it('settlements: confirms, rollbacks and problems', async () => {
    await client.checks({ orders: [order('o-1', 600), order('o-2', 600)] });
    const subjects = { user: 'u-1' };
    const settlements = [
      { orderId: 'o-1', subjects, status: 'SUCCESS', amount: 500 },
      { orderId: 'o-2', subjects, status: 'FAIL', reason: 'the bank said no' },
      { orderId: 'o-3', subjects, status: 'SUCCESS' },
    ] as const;
    const { results } = await seen.noted('settlements', client.settlements({ settlements }));
    expect(results).toMatchObject([
      { orderId: 'o-1', state: 'confirmed', amount: 500 },
      { orderId: 'o-2', state: 'rolledBack' },
      { orderId: 'o-3', problem: { code: 'NOT_FOUND' } },
    ]);
    await seen.noted('settlements', client.settlements({ settlements }));
  });

  it('record: what happened without a check', async () => {
    const old = { at: '2020-03-02T09:00:00+08:00', currency: 'CNY', subjects: { payer: 'p-1' } };
    const orders = [
      { ...old, orderId: 'r-1', amount: 300, count: 3 },
      { ...old, orderId: 'r-2', amount: 1, subjects: { user: 'u-1' } },
      { ...old, orderId: 'r-3', amount: 1, status: 'FAIL', reasonCode: 'declined' } as const,
    ];
    const { results } = await seen.noted('record', client.record({ orders }));
    expect(results).toMatchObject([
      {
        state: 'confirmed',
        counted: ['tier'],
        exceeded: [{ rule: 'tier', amount: 100, count: 1 }],
      },
      { repeated: false, exceeded: [] },
      { state: 'rolledBack', counted: [], exceeded: [] },
    ]);
    const [, recorded] = results;
    expect(recorded?.problem === undefined && recorded?.over).toContain('user-day');
    await seen.noted('record', client.record({ orders }));
    const other = orders.map((order) => ({ ...order, amount: 2 }));
    const taken = await seen.noted('record', client.record({ orders: other }));
    expect(taken.results).toMatchObject([
      { problem: { code: 'ORDER_REUSED' } },
      { problem: { code: 'ORDER_REUSED' } },
      { problem: { code: 'ORDER_REUSED' } },
    ]);
    const { history } = await seen.noted('status', client.status('r-1'));
    expect(history.map(({ operation }) => operation)).toContain('record');
  });

  it('problems, with what their codes bring', async () => {
    await client.check(order('o-1', 600, { capture: true }));
    const refund = client.refund({ orderId: 'o-1', refundId: 'r-1', amount: 601 });
    const error: unknown = await refund.catch((each: unknown) => each);
    if (!isProblemError(error, 'REFUND_TOO_LARGE')) return expect.unreachable();
    expect(error.problem.remaining).toBe(600);
    expect(isProblemError(error, 'NOT_FOUND', 'FORGOTTEN')).toBe(false);
  });
});

describe('what the calls above did not meet is written as its type says', () => {
  const at = new Date('2026-03-02T10:00:00.000Z');
  const report = { rules: [], limitReachedBy: [], exceeded: [], now: at };
  const headroom = { amount: null, amountBy: [], earliestAt: null, earliestBy: [] };

  it('check', () => {
    const uncounted = ['merchant:m-1'];
    const allowed = { kind: 'allowed', state: 'confirmed', repeated: true, uncounted } as const;
    const cause = new UndecidedError('no answer');
    for (const answer of [
      checkAnswerJson({ ...report, ...allowed, headroom }),
      checkAnswerJson({ ...report, ...allowed, headroom, refunded: null }), // no audit to be read
      checkAnswerJson({ kind: 'undecided', now: at, cause }),
    ]) {
      seen.note('check', answer);
      seen.note('checks', { allAllowed: true, results: [{ orderId: 'o-1', ...answer }] });
    }
  });

  it('confirm', () => {
    const uncounted = ['merchant:m-1'];
    const confirmed = { state: 'confirmed', repeated: false, late: true, amount: 1 } as const;
    const exceeded = [{ rule: 'life', amount: 1, count: 1 }];
    const answers: readonly ConfirmAnswer[] = [
      { ...confirmed, uncounted, exceeded: null }, // the rules could not be read
      { ...confirmed, uncounted, exceeded },
      { ...confirmed, uncounted, exceeded, refunded: null }, // no audit to be read
    ];
    for (const answer of answers) {
      seen.note('confirm', answer);
      seen.note('settlements', { results: [{ orderId: 'o-1', ...answer }] });
    }
  });
});

describe('a subject with terms of its own', () => {
  it('is told of them by check and usage', async () => {
    const counters = patientCounters(database.db);
    const at = new Date(now);
    const day = { id: 'd', rule: 'user-day', max: { amountMinor: 70 } };
    const year = {
      id: 'y',
      rule: 'user-year',
      max: { count: null },
      until: new Date('2027-01-01'),
    };
    const by: Actor = { kind: 'local', id: 'local' };
    const written = { from: at, by, at, reason: 'asked for' };
    const overrides = [day, year].map((one) => ({ ...written, ...one }));
    const soon = { ...written, until: new Date(at.getTime() + 60_000) };
    const terms = { version: 'v-1', overrides };
    const change = (user: string, freeze?: Freeze) =>
      counters.changeTerms(
        `user:${user}`,
        { expected: undefined, terms: { ...terms, ...(freeze === undefined ? {} : { freeze }) } },
        at,
      );
    await Promise.all([change('own'), change('frozen', written), change('soon', soon)]);
    const tier = { ...written, id: 't', rule: 'tier', max: { amountMinor: 70, count: 7 } };
    await counters.changeTerms(
      'payer:own',
      {
        expected: undefined,
        terms: { version: 'v-1', overrides: [{ ...tier, until: soon.until }] },
      },
      at,
    );
    expect(await seen.noted('usage', client.usage({ payer: 'own' }))).toMatchObject({
      rules: [{ rule: 'tier', later: [{ maxBy: { amount: { by: 'tier' } } }] }],
    });
    expect(await seen.noted('usage', client.usage({ wallet: 'w-1' }))).toMatchObject({
      unseen: ['wallet'],
      rules: [{ rule: 'some', counts: { not: {} }, appliesTo: { not: {} } }],
    });
    expect(await seen.noted('usage', client.usage({ till: 't-1' }))).toMatchObject({
      rules: [{ beginsAt: null }, { beginsAt: '2099-11-11T00:00:00.000Z' }],
    });
    for (const user of ['own', 'frozen', 'soon']) {
      const payment = { orderId: `by-${user}`, subjects: { user }, amount: 5, currency: 'CNY' };
      await seen.noted('check', client.check(payment));
      await seen.noted('usage', client.usage({ user }));
      await seen.noted('status', client.status(payment.orderId));
    }
    const subjects = { user: 'own' };
    for (const asked of [{ amount: 60_000, count: 10 }, { amount: 0 }])
      await client.check({ orderId: 'by-own-2', subjects, currency: 'CNY', ...asked });
    await seen.noted('status', client.status('by-own-2'));
  });
});

describe('nothing is typed that is never answered', () => {
  it.each(['check', 'confirm', 'rollback', 'refund', 'status', 'near', 'record'] as const)(
    'by %s',
    (call) => {
      expect(seen.unseen(call)).toEqual([]);
    },
  );

  it.each(['checks', 'settlements', 'usage'] as const)(
    'by %s, but for what single calls showed',
    (call) => {
      const single: readonly Made[] = call === 'settlements' ? ['confirm', 'rollback'] : ['check'];
      const shown = single.flatMap((name) =>
        [...seen.of(name)].map((member) => (call === 'usage' ? member : `.results[]${member}`)),
      );
      expect(seen.unseen(call, shown)).toEqual([]);
    },
  );
});
