import { UndecidedError } from '../../lib/shared/errors.ts';
import { describe, expect, it } from 'vitest';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import type { RuleReport } from '../../lib/limits/report.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { Window } from '../../lib/rule/windows/windows.ts';
import { checkAnswerJson } from '../../lib/http/order-answer.ts';

const NOW = new Date('2026-03-01T10:00:00.007Z');
const START = new Date('2026-02-28T16:00:00.000Z');
const END = new Date('2026-03-01T16:00:00.000Z');
const DAY: Window = {
  kind: 'calendar',
  unit: 'day',
  every: 1,
  timeZone: 'Asia/Shanghai',
  dayStartMinutes: 0,
  weekStart: 'monday',
  monthDay: 1,
};
const RULE: Rule = {
  id: 'user-day',
  title: { en: 'Daily limit' },
  per: ['user'],
  currency: 'CNY',
  counts: { is: {}, not: {} },
  appliesTo: { is: {}, not: {} },
  window: DAY,
  min: {},
  max: { amountMinor: 500, count: 2 },
  mode: 'enforce',
  counterparts: 'few',
  refunds: { amount: true, count: true },
};

/** The answer as JSON has it. */
function written(...asked: Parameters<typeof checkAnswerJson>) {
  return JSON.parse(JSON.stringify(checkAnswerJson(...asked))) as Record<string, unknown>; // an object
}

function report(given: Partial<RuleReport>): RuleReport {
  return {
    rule: RULE,
    subjects: { user: 'u-1' },
    window: { start: START, end: END },
    used: { amountMinor: 100, count: 1 },
    held: { amountMinor: 400, count: 1 },
    remaining: { amountMinor: 0, count: 0 },
    outcome: 'reached',
    ...given,
  };
}

function refused(rule: RuleReport): CheckAnswer {
  const headroom = { amount: 0, amountBy: [], earliestAt: null, earliestBy: [] };
  return { kind: 'refused', reason: 'rule', rules: [rule], headroom, now: NOW };
}

describe('the answer of check', () => {
  it('is written in full when allowed', () => {
    const answer: CheckAnswer = {
      kind: 'allowed',
      repeated: false,
      state: 'held',
      reservation: 'abc',
      holdExpiresAt: new Date('2026-03-01T10:15:00.007Z'),
      limitReachedBy: ['user-day'],
      exceeded: [],
      rules: [report({})],
      headroom: {
        amount: 0,
        amountBy: ['user-day'],
        earliestAt: END,
        earliestBy: ['user-day', 'month'],
      },
      now: NOW,
    };
    expect(written(answer)).toEqual({
      decision: 'allowed',
      refusedBy: [],
      shadowRefusedBy: [],
      repeated: false,
      state: 'held',
      reservation: 'abc',
      holdExpiresAt: '2026-03-01T10:15:00.007Z',
      limitReached: true,
      limitReachedBy: ['user-day'],
      rules: [
        {
          rule: 'user-day',
          title: { en: 'Daily limit' },
          subjects: { user: 'u-1' },
          mode: 'enforce',
          window: {
            kind: 'calendar',
            unit: 'day',
            timeZone: 'Asia/Shanghai',
            start: '2026-02-28T16:00:00.000Z',
            end: '2026-03-01T16:00:00.000Z',
          },
          max: { amount: 500, count: 2 },
          used: { amount: 100, count: 1 },
          held: { amount: 400, count: 1 },
          remaining: { amount: 0, count: 0 },
          outcome: 'reached',
        },
      ],
      headroom: {
        amount: 0,
        amountBy: ['user-day'],
        earliestAt: '2026-03-01T16:00:00.000Z',
        earliestBy: ['user-day', 'month'],
      },
      now: '2026-03-01T10:00:00.007Z',
    });
  });

  it.each(['none', 'violations', 'all'] as const)(
    'names in two lists the rules that refused and those that would have, with report %s',
    (scope) => {
      const outcomes: readonly (readonly [string, RuleReport['outcome']])[] = [
        ['single', 'below-minimum'],
        ['trial', 'below-minimum-shadow'],
        ['day', 'exceeded'],
        ['day-trial', 'exceeded-shadow'],
        ['week', 'reached'],
        ['month', 'within'],
      ];
      const rules = outcomes.map(([id, outcome]) => report({ rule: { ...RULE, id }, outcome }));
      const headroom = { amount: 0, amountBy: [], earliestAt: null, earliestBy: [] };
      const answer: CheckAnswer = { kind: 'refused', reason: 'rule', rules, headroom, now: NOW };
      expect(written(answer, scope)).toMatchObject({
        decision: 'refused',
        reason: 'rule',
        refusedBy: ['single', 'day'],
        shadowRefusedBy: ['trial', 'day-trial'],
      });
    },
  );

  it('reports as a violation what is below a minimum, too', () => {
    const answer = written(refused(report({ outcome: 'below-minimum' })), 'violations');
    expect(answer.rules).toMatchObject([{ rule: 'user-day', outcome: 'below-minimum' }]);
  });

  it('says when to come again when refused', () => {
    expect(written(refused(report({ outcome: 'exceeded', retryAt: END })))).toMatchObject({
      decision: 'refused',
      repeated: false,
      limitReached: false,
      rules: [{ outcome: 'exceeded', retryAt: '2026-03-01T16:00:00.000Z' }],
      headroom: { amount: 0, earliestAt: null },
    });
  });

  it('says never as null', () => {
    const answer = written(refused(report({ outcome: 'exceeded', retryAt: null })));
    expect(answer).toMatchObject({ rules: [{ retryAt: null }] });
  });

  it('is marked when the store did not decide', () => {
    expect(written({ kind: 'undecided', now: NOW, cause: new UndecidedError('why') })).toEqual({
      decision: 'allowed',
      undecided: true,
      refusedBy: [],
      shadowRefusedBy: [],
      repeated: false,
      state: 'none',
      limitReached: false,
      limitReachedBy: [],
      rules: [],
      now: '2026-03-01T10:00:00.007Z',
    });
  });

  it.each<{ window: Window; is: object; why: string }>([
    {
      window: { ...DAY, every: 2 },
      is: { kind: 'calendar', unit: 'day', every: 2, timeZone: 'Asia/Shanghai' },
      why: 'two days at a time',
    },
    {
      window: { kind: 'rolling', spanMs: 86_400_000, stepMs: 1_800_000 },
      is: { kind: 'rolling', span: 'PT24H', step: 'PT30M', maxEarlyRefusal: 'PT30M' },
      why: 'it may refuse one step too early',
    },
    {
      window: { kind: 'rolling', spanMs: 3_000, stepMs: 1 },
      is: { kind: 'rolling', span: 'PT3S', step: 'exact', maxEarlyRefusal: 'PT0S' },
      why: 'it never refuses too early',
    },
  ])('writes the window $is, because $why', ({ window, is }) => {
    const answer = written(refused(report({ rule: { ...RULE, window } })));
    const start = '2026-02-28T16:00:00.000Z';
    const end = '2026-03-01T16:00:00.000Z';
    expect(answer.rules).toMatchObject([{ window: { ...is, start, end } }]);
  });

  it('gives a lifetime no start and no end', () => {
    const rule: Rule = { ...RULE, window: { kind: 'lifetime' } };
    const answer = written(refused(report({ rule })));
    expect(answer.rules).toMatchObject([{ window: { kind: 'lifetime' } }]);
    expect(JSON.stringify(answer)).not.toContain('start');
  });

  it('gives a rule for single transactions no sums', () => {
    const rule: Rule = { ...RULE, title: {}, window: { kind: 'transaction' }, min: { count: 1 } };
    const { subjects } = report({});
    expect(written(refused({ rule, subjects, outcome: 'within' })).rules).toEqual([
      {
        rule: 'user-day',
        subjects: { user: 'u-1' },
        mode: 'enforce',
        window: { kind: 'transaction' },
        min: { count: 1 },
        max: { amount: 500, count: 2 },
        outcome: 'within',
      },
    ]);
  });

  it('gives what is not limited as null', () => {
    const headroom = { amount: null, amountBy: [], earliestAt: NOW, earliestBy: [] };
    const answer = written({
      kind: 'refused',
      reason: 'rule',
      rules: [],
      headroom,
      now: NOW,
    });
    expect(answer).toMatchObject({
      headroom: { amount: null, earliestAt: '2026-03-01T10:00:00.007Z' },
    });
  });
});
