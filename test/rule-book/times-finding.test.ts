import { describe, expect, it } from 'vitest';
import { timesSentences } from '../../lib/rule-book/times-finding.ts';
import { readRules } from '../../lib/rule-file/rule-list.ts';

const RULE = {
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'America/Sao_Paulo' },
  max: { amount: 100 },
};
const night = { ...RULE, id: 'night', when: { hours: '20:00-06:00' } };
const day = { ...RULE, id: 'day', when: { hours: '06:00-20:00' } };
const always = { ...RULE, id: 'always' };
const weekend = { ...RULE, id: 'weekend', when: { days: ['saturday', 'sunday'] } };
const workdays = {
  ...RULE,
  id: 'workdays',
  when: { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] },
};

/** The rules that are warned of. */
function warnedOf(given: readonly object[], isFirst = false): readonly (string | undefined)[] {
  const { rules, mistakes } = readRules(given);
  expect(mistakes).toEqual([]);
  const sentences = timesSentences(rules, { at: new Date('2018-11-01T12:00:00.000Z'), isFirst });
  return sentences.map((sentence) => sentence.split(':')[0]);
}

// The clocks of Sao Paulo skip the midnight of 4 November 2018.
describe('a warning of times at which no rule limits a payment', () => {
  // prettier-ignore
  it.each([
    { rules: [night], warned: ['night'], why: 'an order at noon has no rule' },
    { rules: [night, always], warned: [], why: 'another rule is always there' },
    { rules: [night, day], warned: [], why: 'the two follow each other' },
    { rules: [weekend, workdays], warned: [], why: 'the two are a week' },
    { rules: [weekend, night], warned: ['weekend', 'night'], why: 'a noon of a week has none' },
    { rules: [night, { ...day, when: { hours: '06:00-19:59' } }], warned: ['night', 'day'], why: 'a minute is left out' },
    { rules: [night, { ...day, per: ['user', 'merchant'] }], warned: ['night'], why: 'not each payment has a merchant' },
    { rules: [night, { ...day, currency: 'USD' }], warned: ['night', 'day'], why: 'each is of a currency' },
    { rules: [night, { ...always, window: { since: { attribute: 'joined' }, for: 'P1D' } }], warned: ['night'], why: 'not each payment says when it joined' },
    { rules: [night, { ...day, to: '2019-01-01T00:00:00Z' }], warned: ['night', 'day'], why: 'one of them ends' },
    { rules: [night, { ...day, from: '2019-01-01T00:00:00Z' }], warned: ['night', 'day'], why: 'one of them is still to come' },
    { rules: [{ ...night, when: { dates: '2018-11-11' } }, always], warned: [], why: 'the date has a rule besides' },
    { rules: [{ ...night, match: { type: ['A', 'B'] } }, { ...day, match: { type: ['B', 'A'] } }], warned: [], why: 'the order of values says nothing' },
    { rules: [{ ...night, match: { type: 'A' } }, { ...always, match: { type: ['B', 'A'] } }], warned: [], why: 'the other rule has more types' },
    { rules: [{ ...night, match: { type: ['A', 'B'] } }, { ...always, match: { type: 'A' } }], warned: ['night'], why: 'a B at noon has no rule' },
    { rules: [night, { ...always, counts: { not: { channel: 'pos' } } }], warned: ['night'], why: 'a payment of pos has no rule' },
    { rules: [{ ...night, counts: { not: { channel: ['web', 'pos'] } } }, { ...always, counts: { not: { channel: 'pos' } } }], warned: [], why: 'the other rule leaves out less' },
  ])('is of $warned, because $why', ({ rules, warned }) => {
    expect(warnedOf(rules)).toEqual(warned);
  });

  it.each([
    { rules: [night], warned: [], why: 'no rule is meant to go on from it' },
    { rules: [night, { ...day, currency: 'USD' }], warned: [], why: 'each is of a currency' },
    {
      rules: [night, { ...day, when: { hours: '06:00-19:59' } }],
      warned: ['night', 'day'],
      why: 'the two should follow each other',
    },
  ])('is of $warned in a first set, because $why', ({ rules, warned }) => {
    expect(warnedOf(rules, true)).toEqual(warned);
  });
});
