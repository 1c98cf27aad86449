import { describe, expect, it } from 'vitest';
import type { StoredRule } from '../../lib/rule/rule-set.ts';
import { ruleWarnings } from '../../lib/rule-book/rule-warnings.ts';
import { exampleRules } from '../support/stored-rules.ts';

const AT = new Date('2026-03-02T10:00:00Z');
const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' };
const rule = (id: string, more: object = {}): StoredRule => ({
  ...{ id, per: ['user'], currency: 'CNY', window: DAY, max: { amount: 5_000_000 } },
  ...more,
});
const warned = (rules: readonly StoredRule[], before: readonly StoredRule[] = []) =>
  ruleWarnings(before, rules, ['user'], AT).map(({ says }) => says);

describe('a first set of rules', () => {
  it.each([
    { rules: exampleRules(), why: 'that of the example' },
    {
      rules: [rule('a', { match: { type: 'PAYMENT' } }), rule('b', { per: ['merchant'] })],
      why: 'a type and a kind that one rule has',
    },
    {
      rules: [rule('a', { currency: 'XAU' }), rule('b', { currency: 'EUR' })],
      why: 'currencies of ISO',
    },
    {
      rules: [rule('a', { currency: 'USDT', digits: 6, max: { amount: 50_000_000_000 } })],
      why: 'a code whose digits it says',
    },
  ])('that is right is warned of nothing: $why', ({ rules }) => {
    expect(warned(rules)).toEqual([]);
  });

  it.each([
    {
      rules: [rule('a', { max: { amount: 5_000 } })],
      says: 'a: max.amount is 50.00 CNY (5000). Amounts are minor units. Did you mean 5,000.00 CNY (500000)?',
      why: 'it looks like major units',
    },
    {
      rules: [rule('a', { currency: 'RMB' })],
      says: 'a: ISO 4217 has no currency RMB. Did you mean CNY? If it is a code of your own, say its `digits`.',
      why: 'it is the name of the money, and no code',
    },
    {
      rules: [rule('a', { per: ['usr'] })],
      says: 'a: no other rule has the subject kind "usr". Did you mean "user"?',
      why: 'it is like the kind that is home',
    },
    {
      rules: [rule('a', { match: { type: 'PAYMENT' } }), rule('b', { match: { type: 'PAYMNET' } })],
      says: [
        'a: no other rule has the type "PAYMENT". Did you mean "PAYMNET"?',
        'b: no other rule has the type "PAYMNET". Did you mean "PAYMENT"?',
      ],
      why: 'it is like the type of another rule',
    },
  ])('is warned of where $why', ({ rules, says }) => {
    expect(warned(rules)).toEqual([says].flat());
  });
});

describe('rules in place of others', () => {
  it('are warned of names that no other has, and not once more of what was there', () => {
    const before = [rule('a', { currency: 'RMB' }), rule('b')];
    expect(warned(before, before)).toEqual([]);
    const wallet = rule('c', { per: ['wallet'] });
    expect(warned([...before, wallet], before)).toEqual([
      'c: no other rule has the subject kind "wallet". Is it mistyped?',
    ]);
  });
});
