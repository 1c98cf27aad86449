import { describe, expect, it } from 'vitest';
import type { CompiledRules } from '../../lib/plan/compile.ts';
import { compile } from '../../lib/plan/compile.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { Terms } from '../../lib/rule/own-terms.ts';
import { checkOf } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { planFor } from '../../lib/document/document-plan.ts';
import { planCheck } from '../../lib/plan/check-plan.ts';

const DAY = libRule({
  ...{ id: 'day', per: ['user'], currency: 'CNY', mode: 'enforce' },
  ...{ window: { unit: 'day', timeZone: 'Asia/Shanghai' }, max: { count: 5 } },
});
const NOON = new Date('2026-03-02T04:00:00.000Z');
const LATER = new Date('2026-03-02T05:00:00.000Z');
const TERMS: Terms = {
  version: 'version-1',
  overrides: [
    {
      ...{ id: 'version-1', rule: 'day', max: { count: 1 }, from: NOON, until: LATER },
      ...{ at: NOON, by: { kind: 'local', id: 'local' }, reason: 'a known customer' },
    },
  ],
};

/** What a check at an instant enters and may: the end of its day, and the count that it may reach. */
type Asked = (rules: CompiledRules, at: Date, terms?: Terms) => string;

const asked: Asked = (rules, at, terms) => {
  const settings = { homeKinds: ['user'], askedKinds: [], needsRule: 'any' } as const;
  const request = checkOf({ orderId: 'o-1', subjects: { user: 'u-1' } });
  const check = planCheck(rules, request, settings, at, () => terms);
  const [counter] = planFor(check.plans, at)?.byKind.get('user')?.counters ?? [];
  if (counter?.bucket.kind !== 'fixed') return 'nothing';
  return `${counter.maxCount} until ${counter.bucket.reference.until.toISOString()}`;
};

/** What is found where a stretch is used one millisecond too long. */
const tooLong: Asked = (rules, at, terms) => asked(rules, new Date(at.getTime() - 1), terms);

const TODAY = '5 until 2026-03-02T16:00:00.000Z';
// prettier-ignore
const BOUNDARIES: readonly {
  readonly boundary: string;
  readonly change: Partial<Rule>;
  readonly terms?: Terms;
  readonly before: string;
  readonly after: string;
  readonly why: string;
}[] = [
  { boundary: '2026-03-02T16:00:00.000Z', change: {}, before: TODAY, after: '5 until 2026-03-03T16:00:00.000Z', why: 'a day ends' },
  { boundary: NOON.toISOString(), change: { from: NOON }, before: 'nothing', after: TODAY, why: 'a rule begins' },
  { boundary: NOON.toISOString(), change: { to: NOON }, before: TODAY, after: 'nothing', why: 'a rule ends' },
  { boundary: NOON.toISOString(), change: {}, terms: TERMS, before: TODAY, after: '1 until 2026-03-02T16:00:00.000Z', why: "a subject's own maximum begins" },
  { boundary: LATER.toISOString(), change: {}, terms: TERMS, before: '1 until 2026-03-02T16:00:00.000Z', after: TODAY, why: "a subject's own maximum ends" },
];

/** Whether checks at the boundary enter what they should, whichever stretch is known before. */
function isRight(ask: Asked, { boundary, change, terms, before, after }: (typeof BOUNDARIES)[0]) {
  const at = Date.parse(boundary);
  const orders = [
    [-1_800_000, -1, 0, 1, -1, 0],
    [1_800_000, 0, -1, 0, 1, -1],
  ];
  return orders.every((offsets) => {
    const rules = compile([{ ...DAY, ...change }]);
    const told = offsets.map((ms) => {
      const expected = ms < 0 ? before : after;
      // Far from the boundary nobody could be mistaken.
      return (Math.abs(ms) > 1 ? asked : ask)(rules, new Date(at + ms), terms) === expected;
    });
    return told.every(Boolean);
  });
}

describe('what is remembered of a stretch of time is used until the last millisecond of it', () => {
  it.each(BOUNDARIES)('$boundary, when $why', (row) => {
    expect(isRight(asked, row)).toBe(true);
    expect(isRight(tooLong, row)).toBe(false); // it would be found
  });
});

describe('what is remembered of rules', () => {
  const merchantDay: Rule = { ...DAY, id: 'pair', per: ['user', 'merchant'] };
  const byType: Rule = {
    ...{ ...DAY, id: 'by-type' },
    maxBy: { count: { by: 'type', values: { VIP: 9 } } },
  };
  const planOf = (rules: CompiledRules, change: object, terms?: Terms) => {
    const settings = { homeKinds: ['user'], askedKinds: [], needsRule: 'any' } as const;
    const subjects = { user: 'u-1', merchant: 'm-1' };
    const request = checkOf({ orderId: 'o-1', subjects, ...change });
    return planCheck(rules, request, settings, NOON, () => terms).plans[0];
  };

  it('is the same plan for all orders that meet the same rules', () => {
    const rules = compile([DAY]);
    expect(planOf(rules, { subjects: { user: 'u-2' } })).toBe(planOf(rules, { amountMinor: 7 }));
  });

  it.each([
    { change: { currency: 'USD' }, why: 'another rule does not count' },
    { change: { type: 'VIP' }, why: 'a maximum depends on the type' },
  ])('is another plan, because $why', ({ change }) => {
    const rules = compile([{ ...DAY, id: 'all', currency: 'USD' }, DAY, byType]);
    const first = planOf(rules, {});
    expect(planOf(rules, change)).not.toBe(first);
    expect(planOf(rules, {})).toBe(first);
  });

  it('has a counter for each pair where a rule counts pairs, and one for all where it does not', () => {
    const rules = compile([DAY, merchantDay]);
    const countersOf = (merchant: string) =>
      planOf(rules, { subjects: { user: 'u-1', merchant } })?.byKind.get('user')?.counters ?? [];
    const [day, pair] = countersOf('m-1');
    const [dayOfOther, other] = countersOf('m-2');
    expect(dayOfOther).toBe(day);
    expect(other?.key).not.toBe(pair?.key);
    expect(other?.bucket).not.toEqual(pair?.bucket);
    expect(countersOf('m-1')[1]).toEqual(pair);
  });

  it('ends when a rule begins two weeks later, because a gap of the clock swallowed its hours', () => {
    const when = {
      days: ['sunday'],
      hours: [{ from: 120, to: 180 }],
      timeZone: 'Europe/Berlin',
    } as const;
    const rules = compile([{ ...DAY, window: { kind: 'lifetime' }, when }]);
    const at = (text: string) => {
      const settings = { homeKinds: ['user'], askedKinds: [], needsRule: 'any' } as const;
      const request = checkOf({ orderId: 'o-1', subjects: { user: 'u-1' } });
      return planCheck(rules, request, settings, new Date(text), () => undefined).plans.at(-1);
    };
    expect(at('2026-03-24T12:00:00Z')?.until).toEqual(new Date('2026-04-05T00:00:00Z'));
    expect(at('2026-04-05T00:30:00Z')?.rules).toHaveLength(1);
  });

  it('has no rule to come whose one window is over before it begins, whenever it was asked first', () => {
    const since = { attribute: 'loginAt' };
    const window = { kind: 'since', since, forMs: 3_600_000 } as const;
    const rules = compile([DAY, { ...DAY, id: 'login', window, from: new Date('2026-03-05') }]);
    const outlookAt = (at: Date) => {
      const settings = { homeKinds: ['user'], askedKinds: [], needsRule: 'any' } as const;
      const attributes = { loginAt: NOON.toISOString() };
      const request = checkOf({ orderId: 'o-1', subjects: { user: 'u-1' }, attributes });
      const [plan] = planCheck(rules, request, settings, at, () => undefined).plans;
      return plan?.outlook.rules.map(({ rule }) => rule.id);
    };
    const later = new Date(LATER.getTime() + 3_600_000);
    expect([NOON, later].map(outlookAt)).toEqual([['day'], ['day']]);
  });

  it('is another plan for each version of a subject’s terms', () => {
    const rules = compile([DAY]);
    const first = planOf(rules, {}, TERMS);
    expect(planOf(rules, {}, { ...TERMS, version: 'version-2' })).not.toBe(first);
    expect(planOf(rules, {}, TERMS)).toBe(first);
    expect(planOf(rules, {})).not.toBe(first);
  });

  it('is bounded: what was met first is worked out again once 5,000 rules were met since', () => {
    const rules = compile([DAY]);
    const toVersion = (version: string) => planOf(rules, {}, { ...TERMS, version });
    const first = toVersion('first');
    for (let other = 0; other < 2_000; other++) toVersion(`m-${other}`);
    expect(toVersion('first')).toBe(first);
    for (let other = 0; other < 2_500; other++) toVersion(`n-${other}`);
    expect(toVersion('first')).not.toBe(first);
  });
});
