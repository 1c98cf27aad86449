import { describe, expect, it } from 'vitest';
import { currencySentences } from '../../lib/rule-book/rules-finding.ts';
import { parseRules } from '../../lib/rule-file/rule-list.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const DAY = { unit: 'day', timeZone: 'UTC' };
const eur = (more: object = {}): object => ({
  ...{ id: 'eur', per: ['user'], currency: 'EUR', window: DAY, max: { amount: 50_000 }, ...more },
});
const count = (more: object = {}): object => ({
  ...{ id: 'count', per: ['user'], window: DAY, max: { count: 9 }, ...more },
});
const of = (...type: readonly string[]): object => ({ match: { type } });
const WHY =
  'count applies to every currency, so ON_NO_RULE=refuse allows it; give count a currency, or set ON_NO_RULE=refuse-unlimited';

describe('a warning of payments whose amount nothing limits', () => {
  // prettier-ignore
  it.each<{ rules: readonly object[]; warns: readonly string[]; why: string }>([
    { rules: [eur(of('PAYMENT')), count(of('PAYMENT'))], warns: [`PAYMENT in a currency other than EUR has no limit on its amount: ${WHY}`], why: 'one rule counts in any currency' },
    { rules: [eur(), count()],                           warns: [`a payment in a currency other than EUR has no limit on its amount: ${WHY}`], why: 'no rule names a type' },
    { rules: [eur(), count(of('A', 'B'))],               warns: [`A or B in a currency other than EUR has no limit on its amount: ${WHY}`], why: 'only these are counted in any currency' },
    { rules: [eur(of('A')), count({ counts: { not: { type: 'B' } } })], warns: [`A in a currency other than EUR has no limit on its amount: ${WHY}`], why: 'amounts of other types are not limited in any' },
    { rules: [eur({ appliesTo: { not: { type: 'A' } } }), count()], warns: [`a payment of any other type in a currency other than EUR has no limit on its amount: ${WHY}`], why: 'amounts of A are not limited in any' },
    { rules: [eur(), eur({ id: 'usd', currency: 'USD' }), count()], warns: [`a payment in a currency other than EUR and USD has no limit on its amount: ${WHY}`], why: 'two currencies have limits' },
    { rules: [eur(), count(), count({ id: 'more' })],    warns: ['a payment in a currency other than EUR has no limit on its amount: count and more apply to every currency, so ON_NO_RULE=refuse allows it; give count and more a currency, or set ON_NO_RULE=refuse-unlimited'], why: 'two rules count in any currency' },
    { rules: [eur({ window: 'transaction' }), count({ mode: 'shadow' })], warns: [`a payment in a currency other than EUR has no limit on its amount: ${WHY}`], why: 'one on trial is enough for the guard' },
    { rules: [eur({ max: { amount: { by: 'tier', gold: 5, else: 1 } } }), count()], warns: [`a payment in a currency other than EUR has no limit on its amount: ${WHY}`], why: 'a maximum by attribute is one' },
    { rules: [eur(), count({ currency: 'EUR' })],        warns: [], why: 'every rule has a currency' },
    { rules: [count()],                                  warns: [], why: 'no amount is limited at all' },
    { rules: [eur(of('PAYMENT')), count(of('SMS'))],     warns: [], why: 'amounts of messages are not limited in any currency' },
    { rules: [eur(), count({ mode: 'draft' })],          warns: [], why: 'a draft lets nothing pass' },
    { rules: [eur({ mode: 'retired' }), count()],        warns: [], why: 'no amount is limited any more' },
    { rules: [eur(), count({ to: '2026-03-02T10:00:00Z' })], warns: [], why: 'it is over' },
    { rules: [],                                         warns: [], why: 'there is no rule' },
  ])('$why', ({ rules, warns }) => {
    expect(currencySentences(parseRules(rules, 'the test'), NOW)).toEqual(warns);
  });
});
