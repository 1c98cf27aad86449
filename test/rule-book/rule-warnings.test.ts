import { describe, expect, it } from 'vitest';
import { packNames, readPack } from '../../cli/rules/packs.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
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
    ...packNames().map((name) => ({ rules: readPack(name).rules, why: `the pack ${name}` })),
    {
      rules: [rule('a', { match: { type: 'PAYMENT' } }), rule('b', { per: ['merchant'] })],
      why: 'a type and a kind that one rule has',
    },
    {
      rules: [rule('a', { match: { verified: false } }), rule('b')],
      why: 'an attribute that one rule has',
    },
    { rules: [rule('a', { max: { amount: 5_000 } })], why: 'a low maximum alone' },
    {
      rules: [rule('a', { currency: 'INR' }), rule('b', { currency: 'IDR' })],
      why: 'two currencies of ISO that are alike',
    },
    {
      rules: [rule('a', { match: { type: 'P2P' } }), rule('b', { match: { type: 'P2M' } })],
      why: 'two short types that are alike',
    },
    {
      rules: [rule('a', { max: { amount: 5_000 } }), rule('b', { max: { amount: 200_000 } })],
      why: 'a low maximum beside one that is forty times as large',
    },
    {
      rules: [rule('a', { max: { amount: 5_000 } }), rule('b', { currency: 'EUR' })],
      why: 'a low maximum beside a large one in another currency',
    },
    {
      rules: [rule('a', { when: { hours: '20:00-06:00' } })],
      why: 'one rule with times',
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
      rules: [rule('a', { max: { amount: 5_000 } }), rule('b', { max: { amount: 500_000 } })],
      says: 'a: max.amount is 50.00 CNY (5000). Amounts are minor units. Did you mean 5,000.00 CNY (500000)?',
      why: 'others are a hundred times larger',
    },
    {
      rules: [rule('a', { match: { verfied: true } }), rule('b', { match: { verified: false } })],
      says: [
        'a: no other rule has the attribute "verfied". a does not limit a payment without it: is it mistyped, and do all payments have it? `require` refuses those that do not.',
        'b: no other rule has the attribute "verified". b does not limit a payment without it: is it mistyped, and do all payments have it? `require` refuses those that do not.',
      ],
      why: 'it is like the attribute of another rule',
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
  // prettier-ignore
  it.each([
    { was: 400_000, is: 5_000, warns: true, why: '5,000.00 is a little more' },
    { was: 5_000_000, is: 50_000, warns: true, why: 'it is a hundredth' },
    { was: 50_000, is: 5_000, warns: true, why: '5,000.00 is a raise to ten times as much' },
    { was: { by: 'tier', gold: 50_000, else: 5_000 }, is: 5_000, warns: true, why: 'of tiers the largest is meant' },
    { was: 4_000, is: 5_000, warns: false, why: 'it was as low before' },
  ])('of $is in place of $was warn ($warns), because $why', ({ was, is, warns }) => {
    const large = rule('b');
    const [before, after] = [was, is].map((amount) => [rule('a', { max: { amount } }), large]);
    expect(warned(after ?? [], before)).toHaveLength(warns ? 1 : 0);
  });

  it('are warned of names that no other has, and not once more of what was there', () => {
    const before = [rule('a', { currency: 'RMB' }), rule('b')];
    expect(warned(before, before)).toEqual([]);
    const wallet = rule('c', { per: ['wallet'] });
    expect(warned([...before, wallet], before)).toEqual([
      'c: no other rule has the subject kind "wallet". Is it mistyped?',
    ]);
  });
});
