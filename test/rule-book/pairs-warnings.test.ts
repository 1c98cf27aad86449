import { describe, expect, it } from 'vitest';
import { packNames, readPack } from '../../cli/rules/packs.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { ruleWarnings } from '../../lib/rule-book/rule-warnings.ts';
import { exampleRules } from '../support/stored-rules.ts';

const AT = new Date('2026-03-02T10:00:00Z');
const pair = (window: unknown, more: object = {}): StoredRule => ({
  ...{ id: 'pair', per: ['user', 'payee'], currency: 'CNY', window, max: { amount: 5_000_000 } },
  ...more,
});
const unit = (name: string, every = 1) => ({ unit: name, every, timeZone: 'Asia/Shanghai' });
const warned = (rules: readonly StoredRule[], before: readonly StoredRule[] = []) =>
  ruleWarnings(before, rules, ['user'], AT).filter(({ says }) => says.includes('TOO_MANY_BUCKETS'));

describe('a rule of several subjects', () => {
  it.each([
    { rules: exampleRules(), why: 'those of the example' },
    ...packNames().map((name) => ({ rules: readPack(name).rules, why: `the pack ${name}` })),
    { rules: [pair(unit('day'))], why: 'a payee by day' },
    { rules: [pair(unit('quarter'))], why: 'a payee by quarter' },
    { rules: [pair({ rolling: 'P90D' })], why: 'a payee in any 90 days' },
    { rules: [pair({ since: { attribute: 'met' }, for: 'P30D' })], why: 'the first month' },
    { rules: [pair('transaction')], why: 'it counts nothing' },
    { rules: [pair('lifetime', { per: ['user'] })], why: 'one subject alone' },
    { rules: [pair('lifetime', { mode: 'draft' })], why: 'a draft' },
    { rules: [pair('lifetime', { outcome: 'rolledBack', max: { count: 3 } })], why: 'wrong-pins' },
    { rules: [pair('lifetime', { counterparts: 'many' })], why: 'a document for each pair' },
    { rules: [pair(unit('day'), { per: ['card', 'payee'] })], why: 'no kind of home' },
  ])('is not warned of where its pairs have room: $why', ({ rules }) => {
    expect(warned(rules)).toEqual([]);
  });

  it.each([
    { window: 'lifetime', why: 'they add up for ever' },
    { window: unit('year'), why: 'a year' },
    { window: unit('month', 4), why: 'four months' },
    { window: { rolling: 'P366D' }, why: 'any year' },
    { window: { since: { attribute: 'met' }, for: 'P180D' }, why: 'half a year after an instant' },
  ])('is warned of where they may have none in a window: $why', ({ window }) => {
    expect(warned([pair(window)])).toEqual([
      {
        says: 'pair: a user has room for 950 windows of several subjects, and more are TOO_MANY_BUCKETS. In a window this long they add up: write `counterparts: many`, or take a quarter or less.',
      },
    ]);
  });

  it('is warned of where it begins with another kind than home, which may meet many in a day', () => {
    const per = ['merchant', 'user'];
    expect(warned([pair(unit('day'), { per })])).toEqual([
      {
        says: 'pair: a merchant has room for 950 windows of several subjects, and more are TOO_MANY_BUCKETS. Write `counterparts: many`. Or write `per: [user, merchant]`, so that each user has room for so many.',
      },
    ]);
  });

  it('is not warned of once more, but where a draft comes in force', () => {
    const ever = pair('lifetime');
    expect(warned([{ ...ever, max: { amount: 900 } }], [ever])).toEqual([]);
    expect(warned([ever], [pair('lifetime', { mode: 'draft' })])).toHaveLength(1);
  });
});
