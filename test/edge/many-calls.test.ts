import { describe, expect, it, vi } from 'vitest';
import type { CheckAnswer, SettlementAnswer } from '../../lib/limits/answer.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { NotFoundError, OrderReusedError, UndecidedError } from '../../lib/shared/errors.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import type { Call, LambdaHandler } from '../../lib/http/handler.ts';
import { checkCall } from '../../lib/edge/calls.ts';
import { unsignedCaller } from '../../lib/callers/caller.ts';
import { createHandler } from '../../lib/http/handler.ts';
import { checksCall, settlementsCall } from '../../lib/edge/many-calls.ts';
import { parseRules } from '../../lib/rule-file/rule-list.ts';
import type { CallRecord } from '../../lib/http/telemetry.ts';
import { telemetryOf } from '../support/telemetry.ts';

const NOW = new Date('2026-03-01T02:00:00.000Z');
const CHECKS = {
  orders: ['o-1', 'o-2', 'o-3'].map((orderId) => ({
    orderId,
    subjects: { user: 'u-1' },
    amount: 5,
    currency: 'CNY',
  })),
};
const ENDS = {
  settlements: ['o-1', 'o-2'].map((orderId) => ({
    orderId,
    subjects: { user: 'u-1' },
    status: 'SUCCESS',
  })),
};
const HELD: CheckAnswer = {
  kind: 'allowed',
  repeated: false,
  state: 'held',
  limitReachedBy: [],
  exceeded: [],
  rules: [],
  now: NOW,
  headroom: { amount: null, amountBy: [], earliestAt: NOW, earliestBy: [] },
};
const REFUSED: CheckAnswer = {
  kind: 'refused',
  reason: 'rule',
  rules: [],
  now: NOW,
  headroom: { amount: 0, amountBy: [], earliestAt: NOW, earliestBy: [] },
};
const RULES = parseRules(
  [{ id: 'count', per: ['user'], window: 'lifetime', max: { count: 9 } }],
  'the test',
);
const WITHIN = RULES.map(
  (rule) => ({ rule, subjects: { user: 'u-1' }, outcome: 'within' }) as const,
);
const CONFIRMED = { state: 'confirmed', repeated: false, amount: 5 } as const;
const UNDECIDED = new UndecidedError('no answer');

const answered = <T>(answer: T): ManyResult<T> => ({ kind: 'answered', answer });
const failed = (error: unknown): ManyResult<never> => ({ kind: 'failed', error });

/** A handler that notes what it told. */
function observed<Given, Request, Answer>(call: Call<Given, Request, Answer>) {
  const told: CallRecord[] = [];
  const telemetry = telemetryOf((record: CallRecord) => told.push(record));
  const settings = { localClock: false, storeTimeoutMs: 2_000 };
  const handler: LambdaHandler = createHandler(call, {
    settings,
    telemetry,
    callerOf: unsignedCaller,
  });
  return { handler, told };
}

function checks(...results: readonly ManyResult<CheckAnswer>[]) {
  return observed(checksCall(() => Promise.resolve(results)));
}

const CONTEXT = { awsRequestId: 'r-1' };

describe('what is told of many orders', () => {
  it('counts them by outcome and by code, and shows the fault', async () => {
    const { handler, told } = checks(
      answered(HELD),
      failed(new OrderReusedError('o-2')),
      failed(UNDECIDED),
    );
    await handler(CHECKS, CONTEXT);
    expect(told).toMatchObject([
      {
        call: 'checks',
        outcome: 'answered',
        orders: { allowed: 1, rejected: 1, undecided: 1 },
        codes: { ORDER_REUSED: 1, UNDECIDED: 1 },
        fault: UNDECIDED,
      },
    ]);
  });

  it('shows a fault of ours before a store that did not answer', async () => {
    const fault = new Error('boom');
    const { handler, told } = checks(answered(REFUSED), failed(UNDECIDED), failed(fault));
    await handler(CHECKS, CONTEXT);
    expect(told).toMatchObject([{ orders: { refused: 1, undecided: 1, failed: 1 }, fault }]);
  });

  it('counts those that no rule applied to, in a check of one order, too', async () => {
    const { handler, told } = checks(answered(HELD), answered(HELD), failed(UNDECIDED));
    await handler(CHECKS, CONTEXT);
    expect(told).toMatchObject([{ withoutRules: 2 }]);
    expect(told[0]?.warning).toContain('and to 1 more');
  });

  it.each([
    {
      answer: { ...REFUSED, reason: 'no-rule' } as const,
      warning:
        'no rule applies to an order of type PAYMENT; currency RMB; subjects user, card: refused (ON_NO_RULE=refuse). Is a name mistyped, or a rule missing?',
      why: 'somebody should look',
    },
    {
      answer: { ...REFUSED, reason: 'no-rule', rules: WITHIN } as const,
      warning:
        'no rule limits the amount of an order of type PAYMENT; currency RMB; subjects user, card: refused (ON_NO_RULE=refuse-unlimited). Is a name mistyped, or a rule missing?',
      why: 'a rule that counts payments is not enough',
    },
    {
      answer: HELD,
      warning:
        'no rule applies to an order of type PAYMENT; currency RMB; subjects user, card: allowed without any limit (ON_NO_RULE=allow). Is a name mistyped, or a rule missing?',
      why: 'it passes without any limit',
    },
    { answer: { ...HELD, repeated: true }, warning: undefined, why: 'it was told before' },
  ])('warns of an order that no rule applies to, in a check of one: $why', (row) => {
    const { answer, warning } = row;
    const request: CheckRequest = {
      appId: 'shop',
      orderId: 'o-1',
      subjects: { user: 'u-secret', card: 'c-secret' },
      type: 'PAYMENT',
      amountMinor: 4711,
      currency: 'RMB',
      count: 1,
      attributes: {},
      holdMs: 1,
      capture: false,
      dryRun: false,
    };
    const told = checkCall(() => Promise.resolve(answer)).tell?.(answer, 'r-1', {
      order: request,
      report: 'all',
    });
    expect(told?.outcome).toBe(answer.kind);
    expect(told?.withoutRules).toBe(warning === undefined ? undefined : 1);
    expect(told?.warning).toBe(warning);
  });

  it('counts late confirms', async () => {
    const late: SettlementAnswer = { ...CONFIRMED, late: true };
    const { handler, told } = observed(
      settlementsCall(() => Promise.resolve([answered(late), failed(new NotFoundError('o-2'))])),
    );
    await handler(ENDS, CONTEXT);
    expect(told).toMatchObject([{ orders: { confirmed: 1, rejected: 1 }, lateOrders: 1 }]);
  });
});

describe('a store that decided', () => {
  it('nothing leaves the whole call undecided', async () => {
    const { handler, told } = checks(failed(UNDECIDED), failed(UNDECIDED), failed(UNDECIDED));
    expect(await handler(CHECKS, CONTEXT)).toMatchObject({ status: 503, code: 'UNDECIDED' });
    expect(told).toMatchObject([{ outcome: 'undecided', code: 'UNDECIDED' }]);
  });

  it('some orders leaves the others undecided', async () => {
    const { handler } = checks(failed(UNDECIDED), answered(REFUSED), failed(UNDECIDED));
    const problem = { status: 503, code: 'UNDECIDED' };
    expect(await handler(CHECKS, CONTEXT)).toMatchObject({
      allAllowed: false,
      results: [{ orderId: 'o-1', problem }, { decision: 'refused' }, { problem }],
    });
  });
});

describe('a function whose time is nearly over', () => {
  it('answers by itself that nothing is decided, before Lambda ends it', async () => {
    const { handler } = observed(checksCall(() => new Promise(() => undefined)));
    const context = { ...CONTEXT, getRemainingTimeInMillis: () => 600 };
    vi.useFakeTimers();
    const answer = handler(CHECKS, context);
    await vi.advanceTimersByTimeAsync(599);
    vi.useRealTimers();
    expect(await answer).toMatchObject({ status: 503, code: 'UNDECIDED' });
  });

  it('lets no order pass whose hold is longer than its application may have', async () => {
    const passing = (cause: UndecidedError): CheckAnswer => ({
      kind: 'undecided',
      now: NOW,
      cause,
    });
    const call = checksCall(() => new Promise(() => undefined), passing);
    const bounds = { longestHoldMs: 3_600_000 };
    const handler = createHandler(call, {
      settings: { localClock: false, storeTimeoutMs: 2_000 },
      telemetry: telemetryOf(() => undefined),
      callerOf: async (...asked) => ({ ...(await unsignedCaller(...asked)), bounds }),
    });
    const context = { ...CONTEXT, getRemainingTimeInMillis: () => 501 };
    const [first, ...others] = CHECKS.orders;
    const orders = [{ ...first, hold: 'P7D' }, ...others];
    expect(await handler({ orders }, context)).toMatchObject({
      allAllowed: false,
      results: [
        {
          orderId: 'o-1',
          problem: { code: 'INVALID_REQUEST', errors: [{ path: 'hold', value: '"P7D"' }] },
        },
        { orderId: 'o-2', undecided: true },
        { orderId: 'o-3', undecided: true },
      ],
    });
  });

  it('answers what was decided in time', async () => {
    const { handler } = checks(answered(HELD), answered(HELD), answered(HELD));
    const context = { ...CONTEXT, getRemainingTimeInMillis: () => 20_000 };
    expect(await handler(CHECKS, context)).toMatchObject({ allAllowed: true });
  });
});
