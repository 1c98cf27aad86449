import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { StoredRule } from '../../client/src/index.ts';
import type { RuleDraft } from '../src/screens/rules/draft.ts';
import { draftOf, ruleIn } from '../src/screens/rules/draft.ts';
import { placeOf } from '../src/screens/rules/mistake-place.ts';
import { valuesIn, valueText } from '../src/ui/value.ts';

const FILE = join(import.meta.dirname, '..', '..', '..', 'examples', 'rules.yaml');
const { rules: EXAMPLES } = parse(readFileSync(FILE, 'utf8')) as {
  readonly rules: readonly StoredRule[]; // as its own tests say
};

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' } as const;
const PLAIN = { id: 'r', per: ['user'], currency: 'CNY', window: DAY, max: { amount: 1 } } as const;

/** Rules that can be written in another way than the shortest. */
const RULES: readonly StoredRule[] = [
  ...EXAMPLES,
  { ...PLAIN, title: 'one text' },
  { ...PLAIN, title: { en: 'a', zh: 'b', 'zh-Hant': 'c' } },
  { ...PLAIN, mode: 'enforce', refunds: { amount: true } },
  { ...PLAIN, refunds: { count: false } },
  { ...PLAIN, match: { type: ['A', 'B'], verified: false, level: 3, code: '3', quoted: '"x", y' } },
  { ...PLAIN, counts: { type: 'A', not: { channel: ['app', 'web'] } } },
  { ...PLAIN, counts: { not: { type: 'A' } }, appliesTo: { tier: 'gold', not: { type: 'B' } } },
  { ...PLAIN, max: { amount: { by: 'tier', gold: 500, silver: 0, else: 200 }, count: 3 } },
  { ...PLAIN, max: { count: { by: 'type', A: 5, else: 0 } } },
  { ...PLAIN, currency: undefined, max: { distinct: { card: 3 } } },
  { ...PLAIN, match: { verified: false }, require: ['verified', 'card'] },
  { ...PLAIN, window: 'transaction', min: { amount: 1, count: 2 } },
  { ...PLAIN, window: { unit: 'week', timeZone: 'UTC', weekStart: 'sunday', dayStart: '23:00' } },
  { ...PLAIN, window: { unit: 'month', timeZone: 'UTC', monthDay: 31, every: 2 } },
  { ...PLAIN, window: { rolling: 'PT24H', step: 'exact' }, max: { count: 3 } },
  {
    ...PLAIN,
    window: { unit: 'day', timeZone: 'UTC', closed: { days: 'sunday', dates: ['2026-12-25'] } },
  },
  { ...PLAIN, window: { since: { attribute: 'registeredAt' }, for: 'PT24H' } },
  { ...PLAIN, window: { unit: 'day', timeZone: 'UTC', since: { attribute: 'addedAt' } } },
  { ...PLAIN, from: '2026-01-01T00:00:00+08:00', to: '2027-01-01T00:00:00+08:00' },
  { ...PLAIN, onExceed: 'notify' },
  { ...PLAIN, onExceed: 'refuse' },
  { ...PLAIN, onExceed: { challenge: 'sca' } },
  { ...PLAIN, counts: { type: 'IN' }, minus: { type: ['OUT', 'FEE'], not: { channel: 'pos' } } },
  { ...PLAIN, outcome: 'confirmed' },
  { ...PLAIN, max: { count: 3 }, outcome: 'rolledBack', reasonCodes: ['wrong-pin', 'no-funds'] },
  { ...PLAIN, max: { count: 3 }, outcome: 'ended' },
  { ...PLAIN, when: { hours: '20:00-06:00', days: ['saturday', 'sunday'] } },
  { ...PLAIN, window: 'lifetime', when: { dates: ['2026-11-11'], timeZone: 'Asia/Shanghai' } },
  { id: 'r', per: ['user', 'merchant'], window: 'lifetime', max: { count: 0 } },
  { ...PLAIN, currency: 'JPY', max: { amount: 500 } },
  { ...PLAIN, currency: 'KWD', max: { amount: 1_234_567 } },
  { ...PLAIN, currency: 'USDT', digits: 6, max: { amount: 1_234_567 } },
  { ...PLAIN, currency: 'HUF', max: { amount: 125_000 } },
  { ...PLAIN, currency: 'POINTS', max: { amount: 1_000_000_000_000_000 } },
];

describe('the form of a rule that nobody changed', () => {
  it.each(RULES.map((rule) => ({ rule, says: JSON.stringify(rule) })))(
    'says the very rule: $says',
    ({ rule }) => {
      expect({ id: rule.id, ...ruleIn(draftOf(rule), rule) }).toEqual(rule);
    },
  );
});

const typed = (change: Partial<RuleDraft>): unknown =>
  ruleIn({ ...draftOf(undefined), per: 'user', timeZone: 'UTC', ...change }, undefined);
const row = (name: string, values: string, isNot = false) => ({ name, isNot, values });
const NONE = { plain: Number.NaN, by: '', values: [], otherwise: Number.NaN };

it('a list that is emptied is none', () => {
  const stored: StoredRule = { ...PLAIN, when: { hours: '20:00-06:00', days: ['saturday'] } };
  expect(ruleIn({ ...draftOf(stored), whenDays: ' ' }, stored)).toMatchObject({
    when: { hours: '20:00-06:00' },
  });
  expect(ruleIn({ ...draftOf(stored), whenDays: '' }, stored).when).not.toHaveProperty('days');
});

describe('what is typed', () => {
  it.each([
    {
      change: { counts: [row('type', 'A, B'), row('type', 'C')] },
      has: { counts: { type: ['A', 'B', 'C'] } },
    },
    { change: { counts: [row('', '')] }, has: {}, why: 'an empty row is none' },
    {
      change: { counts: [row('tier', '')] },
      has: { counts: { tier: [] } },
      why: 'the server refuses it there',
    },
    {
      change: { appliesTo: [row('n', '1, true, "1"', true)] },
      has: { appliesTo: { not: { n: [1, true, '1'] } } },
    },
    { change: { amount: { ...NONE, plain: 1_200.5 } }, has: { max: { amount: 120_050 } } },
    {
      change: { currency: 'JPY', amount: { ...NONE, plain: 1_200 } },
      has: { currency: 'JPY', max: { amount: 1_200 } },
    },
    {
      change: { currency: 'HUF', digits: 6, amount: { ...NONE, plain: 1_250 } },
      has: { currency: 'HUF', max: { amount: 125_000 } },
      why: 'ISO 4217 says 2',
    },
    {
      change: { currency: 'USDT', digits: 6, amount: { ...NONE, plain: 80.5 } },
      has: { currency: 'USDT', digits: 6, max: { amount: 80_500_000 } },
    },
    {
      change: {
        amount: {
          ...NONE,
          plain: 7,
          by: 'tier',
          values: [{ value: 'gold', most: 5 }],
          otherwise: 1,
        },
      },
      has: { max: { amount: { by: 'tier', gold: 500, else: 100 } } },
    },
    { change: { mode: 'enforce' as const }, has: { mode: undefined } },
  ])('$change is $has', ({ change, has }) => {
    const base = typed({});
    expect(typed(change)).toEqual({ ...(base as object), ...has });
  });

  it.each(['gold', '3', 'true', '-7', '', 'a, b', '"', ' x ', '值，值'])(
    '%j is a text again',
    (text) => {
      expect(valuesIn(`${valueText(text)}, 3`)).toEqual([text, 3]);
    },
  );
});

describe('a mistake', () => {
  const draft: RuleDraft = {
    ...draftOf(undefined),
    counts: [row('type', 'A'), row('tier', 'x', true)],
    count: { ...NONE, by: 'tier', values: [{ value: 'gold', most: 1 }] },
  };
  it.each([
    { path: 'rule.per[1]', field: 'per' },
    { path: 'rule.digits', field: 'digits' },
    { path: 'rule.window.timeZone', field: 'timeZone' },
    { path: 'rule.window.rolling', field: 'span' },
    { path: 'rule.match.type', field: 'counts[0].values' },
    { path: 'rule.counts.not.tier', field: 'counts[1].values' },
    { path: 'rule.counts.tier', field: undefined },
    { path: 'rule.counts', field: 'counts' },
    { path: 'rule.max', field: 'amount.plain' },
    { path: 'rule.max.amount', field: 'amount.plain' },
    { path: 'rule.max.count', field: 'count.by' },
    { path: 'rule.max.distinct.card', field: 'count.by' },
    { path: 'rule.max.distinct', field: 'distinct' },
    { path: 'rule.max.count.gold', field: 'count.values[0].most' },
    { path: 'rule.max.count.else', field: 'count.otherwise' },
    { path: 'rule.strange', field: undefined },
  ])('at $path is shown at $field', ({ path, field }) => {
    expect(placeOf({ path, expected: 'otherwise' }, draft)).toBe(field);
  });
});
