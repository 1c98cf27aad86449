import { describe, expect, it } from 'vitest';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import { NotAllAllowedError } from '../../lib/shared/errors.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import type { RuleReport } from '../../lib/limits/report.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { reservationToken } from '../../lib/limits/reservation.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { checkCall } from '../../lib/edge/calls.ts';
import { unsignedCaller } from '../../lib/callers/caller.ts';
import type { Call } from '../../lib/http/handler.ts';
import { createHandler } from '../../lib/http/handler.ts';
import { checksCall } from '../../lib/edge/many-calls.ts';
import { parseRules } from '../../lib/rule-file/rule-list.ts';
import { SILENT } from '../support/telemetry.ts';

/** Lambda's limit of 6 MB, read as the smaller of its two meanings. */
const RESPONSE_BYTES_MAX = 6_000_000;
const BODY_BYTES_MAX = 1_048_576;

/** JSON writes it with six characters, and once more in the envelope with seven. */
const LONGEST = '\u0001';
const END = new Date('9999-12-31T00:00:00.000Z');

/** Calls a handler over HTTP, and gives what Lambda would have to return. */
async function replyOf<Given, Request, Answer>(call: Call<Given, Request, Answer>, body: string) {
  const telemetry = SILENT;
  const settings = { localClock: false, storeTimeoutMs: 2_000 };
  const surroundings = { settings, telemetry, callerOf: unsignedCaller };
  const event = {
    version: '2.0',
    headers: {},
    body,
    isBase64Encoded: false,
    requestContext: { http: { method: 'POST' } },
  };
  const reply = await createHandler(call, surroundings)(event, { awsRequestId: 'r'.repeat(36) });
  const { statusCode, body: text } = reply;
  if (typeof text !== 'string') throw new Error('an answer over HTTP has a text');
  return {
    bytes: Buffer.byteLength(JSON.stringify(reply)),
    statusCode,
    answer: JSON.parse(text) as Readonly<Record<string, unknown>>, // an answer is an object
  };
}

/** Fifty rules, on trial or in force, with the longest ids, titles and windows that a rule file may have. */
function longestRules(
  per: readonly string[],
  languages = 20,
  letters = LONGEST.repeat(256),
  mode: 'shadow' | 'enforce' = 'shadow',
) {
  const title = Object.fromEntries(
    Array.from({ length: languages }, (_, at) => [
      `la-${'a'.repeat(8)}-${'b'.repeat(8)}-${'c'.repeat(8)}-x-${String(at).padStart(2, '0')}`,
      letters,
    ]),
  );
  const rules = Array.from({ length: 50 }, (_, at) => ({
    id: `r${at}-`.padEnd(64, 'x'),
    ...(languages === 0 ? {} : { title }),
    per,
    currency: 'CNY',
    window: { rolling: 'PT8783H59M59.999S', step: 'PT8783H59M58.999S' },
    max: { amount: 10 ** 15, count: 10 ** 15 },
    mode,
  }));
  return parseRules(rules, 'the longest rules');
}

const MOST = { amountMinor: Number.MAX_SAFE_INTEGER, count: Number.MAX_SAFE_INTEGER };

/**
 * The longest answer to a check: held, reported as confirmed, and outside each rule on trial. Rules in force
 * refuse it, and each is named again by the headroom.
 */
function longestAnswer({ subjects }: CheckRequest, rules: readonly Rule[]): CheckAnswer {
  const [home = '', ...others] = Object.keys(subjects);
  const reports = rules.map((rule): RuleReport => {
    const counted = { used: MOST, held: MOST, remaining: MOST };
    const ids = Object.fromEntries(rule.per.map((kind) => [kind, subjects[kind] ?? '']));
    const window = { start: END, end: END };
    const told = { rule, subjects: ids, window, ...counted } as const;
    return rule.mode === 'enforce'
      ? { ...told, outcome: 'exceeded', retryAt: END }
      : { ...told, outcome: 'exceeded-shadow' };
  });
  const ids = rules.filter(({ mode }) => mode === 'enforce').map(({ id }) => id);
  const headroom = {
    amount: Number.MAX_SAFE_INTEGER,
    amountBy: ids,
    earliestAt: END,
    earliestBy: ids,
  };
  if (ids.length > 0)
    return { kind: 'refused', reason: 'rule', rules: reports, headroom, now: END };
  return {
    kind: 'allowed',
    repeated: false,
    state: 'confirmed',
    limitReachedBy: [],
    exceeded: [],
    reservation: reservationToken({
      order: 'd'.repeat(16),
      nonce: 'n'.repeat(11),
      subjects,
      kinds: [home, ...others],
      held: {
        digest: 'd'.repeat(16),
        amount: MOST.amountMinor,
        count: MOST.count,
        until: END,
        buckets: [
          rules.map(() => `${'c'.repeat(16)}~ac ${END.getTime()} ${END.getTime()}`).join(','),
          ...others.map(() => ''),
        ],
      },
    }),
    holdExpiresAt: END,
    rules: reports,
    headroom,
    now: END,
  };
}

/** A call whose store decides as is longest, and how much it was asked to hold. */
function longestChecks(rules: readonly Rule[]) {
  const asked = { holds: 0 };
  const call = checksCall((orders) => {
    asked.holds += orders.length;
    const answers = orders.map((order) => longestAnswer(order, rules));
    return Promise.resolve(answers.map((answer) => ({ kind: 'answered', answer })));
  });
  return { call, asked };
}

const kindsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `k${at}`.padEnd(32, 'x'));

/** A hundred orders that fill a body, whose ids are as long in the answer as can be. */
function longestBody(report?: string): string {
  const ids = LONGEST.repeat(163);
  const orders = Array.from({ length: 100 }, (_, at) => ({
    orderId: `${at}`.padEnd(30, LONGEST),
    subjects: Object.fromEntries(kindsOf(10).map((kind) => [kind, ids])),
    amount: 1,
    currency: 'CNY',
  }));
  const body = JSON.stringify({ orders, report });
  expect(BODY_BYTES_MAX - body.length).toBeGreaterThan(0);
  expect(BODY_BYTES_MAX - body.length).toBeLessThan(12_000);
  return body;
}

/** A hundred orders with ordinary ids. */
function ordinaryBody(report: string): string {
  const orders = Array.from({ length: 100 }, (_, at) => ({
    orderId: `payout-2026-11-21-${at}`,
    subjects: { user: `u-${at}` },
    amount: 1,
    currency: 'CNY',
  }));
  return JSON.stringify({ orders, report });
}

const rules = longestRules(kindsOf(10));
const refusing = longestRules(kindsOf(10), 20, LONGEST.repeat(256), 'enforce');

describe('the longest answer to a hundred checks over fifty rules', () => {
  it.each([
    { of: rules, is: 'held', report: undefined, mostBytes: 5_400_000 },
    { of: rules, is: 'held', report: 'violations', mostBytes: 5_400_000 },
    { of: rules, is: 'held', report: 'none', mostBytes: 2_300_000 },
    { of: refusing, is: 'refused', report: undefined, mostBytes: 5_400_000 },
  ])(
    'fits into what Lambda returns, $is with report $report',
    async ({ of, report, mostBytes }) => {
      const { call, asked } = longestChecks(of);
      const { bytes, statusCode, answer } = await replyOf(call, longestBody(report));
      expect(statusCode).toBe(200);
      expect(asked.holds).toBe(100);
      expect(answer.results).toHaveLength(100);
      expect(bytes).toBeLessThan(mostBytes);
      expect(mostBytes).toBeLessThan(RESPONSE_BYTES_MAX);
    },
  );

  it.each(['violations', 'all'])(
    'leaves out how rules stand where reasons of overrides make it too long, with report %s',
    async (report) => {
      const reason = LONGEST.repeat(256);
      const by = { kind: 'local', id: 'local' } as const;
      const own = { ...{ id: 'o', rule: 'r', max: {}, own: {}, at: END, by, until: END }, reason };
      const few = report === 'all' ? longestRules(['user'], 0) : rules;
      const { call, asked } = longestChecks(few.map((rule) => ({ ...rule, override: own })));
      const body = report === 'all' ? ordinaryBody('all') : longestBody(report);
      const { bytes, statusCode, answer } = await replyOf(call, body);
      expect({ statusCode, asked }).toEqual({ statusCode: 200, asked: { holds: 100 } });
      expect(bytes).toBeLessThan(RESPONSE_BYTES_MAX);
      const [first] = answer.results as readonly object[]; // it is a list
      expect(first).toMatchObject({
        decision: 'allowed',
        shadowRefusedBy: few.map(({ id }) => id),
      });
      expect(first).not.toHaveProperty('rules');
    },
  );

  it('tells less of rules where all of each is too much', async () => {
    const { call, asked } = longestChecks(rules);
    const { bytes, statusCode, answer } = await replyOf(call, longestBody('all'));
    expect({ statusCode, asked }).toEqual({ statusCode: 200, asked: { holds: 100 } });
    expect(bytes).toBeLessThan(5_400_000);
    const [first] = answer.results as readonly { readonly rules?: readonly object[] }[]; // its list
    expect(first?.rules).toHaveLength(50);
    expect(first?.rules?.[0]).not.toHaveProperty('title');
  });

  it('with report all is given where titles are ordinary', async () => {
    const { call, asked } = longestChecks(longestRules(['user'], 2, '单日累计限额'));
    const { bytes, statusCode } = await replyOf(call, ordinaryBody('all'));
    expect({ statusCode, asked }).toEqual({ statusCode: 200, asked: { holds: 100 } });
    expect(bytes).toBeLessThan(RESPONSE_BYTES_MAX);
  });

  it('is that of one check over fifty rules, too: everything told of each, it fits', async () => {
    const ids = Object.fromEntries(kindsOf(10).map((kind) => [kind, LONGEST.repeat(256)]));
    const body = { orderId: LONGEST.repeat(256), subjects: ids, amount: 1, currency: 'CNY' };
    const call = checkCall((request) => Promise.resolve(longestAnswer(request, rules)));
    const { bytes, statusCode } = await replyOf(call, JSON.stringify(body));
    expect(statusCode).toBe(200);
    expect(bytes).toBeGreaterThan(2_500_000);
    expect(bytes).toBeLessThan(3_500_000);
  });

  it('fits where each order has a problem that names two orders', async () => {
    const id = (at: number): string => `${at}`.padEnd(256, LONGEST);
    const failed = (order: CheckRequest): ManyResult<CheckAnswer> => ({
      kind: 'failed',
      error: new NotAllAllowedError(order.orderId, id(99)),
    });
    const orders = Array.from({ length: 100 }, (_, at) => ({
      orderId: id(at),
      subjects: { user: 'u' },
      amount: 1,
      currency: 'CNY',
    }));
    const call = checksCall((asked) => Promise.resolve(asked.map(failed)));
    const { bytes } = await replyOf(call, JSON.stringify({ orders, atomic: true }));
    expect(bytes).toBeGreaterThan(500_000);
    expect(bytes).toBeLessThan(RESPONSE_BYTES_MAX);
  });
});
