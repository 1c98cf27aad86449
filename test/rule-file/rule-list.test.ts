import { describe, expect, it, afterEach, vi } from 'vitest';
import { InvalidConfigurationError } from '../../lib/shared/errors.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { Window } from '../../lib/rule/windows/windows.ts';
import {
  parseRules,
  readRules,
  rulesInForce,
  wrongHomes,
  wrongTogether,
} from '../../lib/rule-file/rule-list.ts';
import { isTimeZone } from '../../lib/rule/zoned.ts';

const LEAST = { id: 'a', per: ['user'], window: 'lifetime', max: { count: 1 } };
const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' };
const HOUR = { rolling: 'PT1H' };
const JOINED = { attribute: 'joined' };
const BY_DAY = { window: { unit: 'day', timeZone: 'Asia/Shanghai' } };
const LEVEL = {
  currency: 'CNY',
  window: 'lifetime',
  max: { amount: 5 },
  counts: { type: 'TOPUP' },
  minus: { type: 'PAYOUT' },
};
const CARDS = { max: { distinct: { card: 3 } } };
const FAILURES = { outcome: 'rolledBack', max: { count: 3 } };
const SINGLE = { window: 'transaction', currency: 'CNY' };

function read(rule: object): Rule {
  const [first] = parseRules([{ ...LEAST, ...rule }], 'a test');
  if (first === undefined) throw new Error('no rule was read');
  return first;
}

function mistakesIn(rule: object): InvalidConfigurationError['mistakes'] {
  try {
    read(rule);
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return error.mistakes;
    throw error;
  }
  return [];
}

/** What a rule says of transactions where it says nothing. */
const EVERYTHING = { is: {}, not: {} };

/** Titles in so many languages, each with 35 letters, and as long as may be. */
function titles(count: number): object {
  const names = Array.from(
    { length: count },
    (_, at) => `${'a'.repeat(8)}${'-bb'.repeat(8)}-${at + 10}`,
  );
  return Object.fromEntries(names.map((name) => [name, '限'.repeat(256)]));
}

/** So many attributes, each with a value. */
function names(count: number): object {
  const entries = Array.from({ length: count }, (_, at): [string, string] => [`a${at}`, 'x']);
  return Object.fromEntries(entries);
}

/** A maximum for each of so many tiers, and for all others. */
function byTier(count: number): object {
  const tiers = Array.from({ length: count }, (_, at): [string, number] => [`tier-${at}`, at]);
  return { by: 'tier', else: 1, ...Object.fromEntries(tiers) };
}

describe('a rule', () => {
  it('says little: the rest is ordinary', () => {
    expect(read({})).toEqual({
      id: 'a',
      title: {},
      per: ['user'],
      counts: EVERYTHING,
      appliesTo: EVERYTHING,
      window: { kind: 'lifetime' },
      min: {},
      max: { count: 1 },
      mode: 'enforce',
      counterparts: 'few',
      refunds: { amount: true, count: true },
    });
  });

  it('says everything: it is read field by field', () => {
    const rule = {
      title: { en: 'Daily', 'zh-Hant': '每日' },
      per: ['user', 'merchant'],
      counterparts: 'many',
      currency: 'CNY',
      match: { type: ['PAYMENT', 'TRANSFER'], channel: 'app', level: 3, verified: [true, 'yes'] },
      window: { ...DAY, every: 2, dayStart: '23:30' },
      max: { amount: 500, count: 0 },
      mode: 'shadow',
      refunds: { count: false },
      from: '2026-01-01T00:00:00+08:00',
      to: '2027-01-01T00:00:00+08:00',
    };
    expect(read(rule)).toEqual({
      id: 'a',
      title: { en: 'Daily', 'zh-Hant': '每日' },
      per: ['user', 'merchant'],
      currency: 'CNY',
      counts: {
        is: {
          type: ['PAYMENT', 'TRANSFER'],
          channel: ['app'],
          level: [3],
          verified: [true, 'yes'],
        },
        not: {},
      },
      appliesTo: EVERYTHING,
      window: {
        kind: 'calendar',
        unit: 'day',
        every: 2,
        anchorAt: new Date('2025-12-31T16:00:00.000Z'),
        timeZone: 'Asia/Shanghai',
        dayStartMinutes: 1_410,
        weekStart: 'monday',
        monthDay: 1,
      },
      min: {},
      max: { amountMinor: 500, count: 0 },
      mode: 'shadow',
      counterparts: 'many',
      refunds: { amount: true, count: false },
      from: new Date('2025-12-31T16:00:00.000Z'),
      to: new Date('2026-12-31T16:00:00.000Z'),
    });
  });

  it('says apart what it counts, what it asks about, and which maximum that has', () => {
    const rule = {
      currency: 'CNY',
      counts: { type: 'PAYMENT', not: { channel: ['branch', 'phone'], staff: true } },
      appliesTo: { not: { tier: 'vip' } },
      max: { amount: { by: 'tier', gold: 500, '7': 300, else: 200 }, count: 9 },
    };
    expect(read(rule)).toMatchObject({
      counts: { is: { type: ['PAYMENT'] }, not: { channel: ['branch', 'phone'], staff: [true] } },
      appliesTo: { is: {}, not: { tier: ['vip'] } },
      max: { amountMinor: 200, count: 9 },
      maxBy: { amountMinor: { by: 'tier', values: { gold: 500, '7': 300 } } },
    });
  });

  it('counts no spans from its beginning where a window is one day', () => {
    expect(read({ window: DAY, from: '2026-01-01T00:00:00Z' }).window).not.toHaveProperty(
      'anchorAt',
    );
  });

  it('may have a title without a language', () => {
    expect(read({ title: 'Daily limit' }).title).toEqual({ und: 'Daily limit' });
  });

  it.each([
    { rule: { ...SINGLE, min: { amount: 1 }, max: { amount: 5 } }, why: 'both ends' },
    { rule: { ...SINGLE, min: { amount: 5 }, max: { amount: 5 } }, why: 'exactly one amount' },
    { rule: { ...SINGLE, min: { amount: 1 }, max: undefined }, why: 'a minimum alone' },
    { rule: { per: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] }, why: 'ten kinds' },
    { rule: { match: { x: Array(100).fill('y') } }, why: 'a hundred values' },
    { rule: { counts: { ...names(50), not: names(50) } }, why: 'fifty names, and fifty under not' },
    { rule: { max: { count: byTier(100) } }, why: 'a maximum for each of a hundred values' },
    { rule: { title: titles(20) }, why: 'twenty languages with the longest names and texts' },
    { rule: { id: `a${'-'.repeat(63)}` }, why: '64 characters' },
    { rule: { max: { count: 1_000_000_000_000_000 } }, why: 'the largest maximum' },
    { rule: { window: { ...HOUR, step: 'exact' }, max: { count: 100 } }, why: 'a hundred events' },
  ])('may be $rule: $why', ({ rule }) => {
    expect(mistakesIn(rule)).toEqual([]);
  });
});

describe('windows', () => {
  const calendar = (window: object): object => ({
    kind: 'calendar',
    every: 1,
    timeZone: 'Asia/Shanghai',
    dayStartMinutes: 0,
    weekStart: 'monday',
    monthDay: 1,
    ...window,
  });

  // prettier-ignore
  it.each<{ window: unknown; is: object; why: string }>([
    { window: 'transaction', is: { kind: 'transaction' }, why: 'one at a time' },
    { window: 'lifetime', is: { kind: 'lifetime' }, why: 'for ever' },
    { window: DAY, is: calendar({ unit: 'day' }), why: 'from midnight' },
    { window: { ...DAY, unit: 'minute' }, is: calendar({ unit: 'minute' }), why: 'of the clock' },
    { window: { ...DAY, unit: 'week', weekStart: 'sunday' }, is: calendar({ unit: 'week', weekStart: 'sunday' }), why: 'from Sunday' },
    { window: { ...DAY, unit: 'month', monthDay: 31, dayStart: '01:05' }, is: calendar({ unit: 'month', monthDay: 31, dayStartMinutes: 65 }), why: 'from the last day' },
    { window: { ...DAY, every: 366 }, is: calendar({ unit: 'day', every: 366 }), why: 'the most' },
    { window: { rolling: 'PT24H', step: 'PT30M' }, is: { kind: 'rolling', spanMs: 86_400_000, stepMs: 1_800_000 }, why: '48 steps' },
    { window: { rolling: 'PT24H' }, is: { kind: 'rolling', spanMs: 86_400_000, stepMs: 1_800_000 }, why: '48 steps unless said otherwise' },
    { window: { rolling: 'PT1S' }, is: { kind: 'rolling', spanMs: 1_000, stepMs: 21 }, why: 'a step is whole milliseconds, rounded up' },
    { window: { rolling: 'PT1H', step: 'PT1M' }, is: { kind: 'rolling', spanMs: 3_600_000, stepMs: 60_000 }, why: '60 steps are the most' },
    { window: { rolling: 'P366D', step: 'P366D' }, is: { kind: 'rolling', spanMs: 31_622_400_000, stepMs: 31_622_400_000 }, why: 'one step is the least, 366 days the longest' },
    { window: { ...DAY, closed: { days: 'sunday', dates: ['2026-12-25'] } }, is: calendar({ unit: 'day', closed: { days: ['sunday'], dates: ['2026-12-25'] } }), why: 'business days' },
    { window: { since: JOINED, for: 'PT24H' }, is: { kind: 'since', since: JOINED, forMs: 86_400_000 }, why: 'a day' },
    { window: { ...DAY, unit: 'month', since: JOINED, dayStart: '01:05' }, is: calendar({ unit: 'month', since: JOINED, dayStartMinutes: 65 }), why: 'from a date of its own' },
    { window: { rolling: 'PT3S', step: 'exact' }, is: { kind: 'rolling', spanMs: 3_000, stepMs: 1 }, why: 'to the millisecond' },
  ])('$window: $why', ({ window, is }) => {
    expect(read({ window }).window).toEqual(is as Window); // written as a plain object above
  });
});

describe('one mistake in a rule', () => {
  // prettier-ignore
  it.each<{ rule: object; path: string; why: string }>([
    { rule: { id: undefined }, path: 'rules[0].id', why: 'a rule has a name' },
    { rule: { id: 'User' }, path: 'rules[0].id', why: 'capitals' },
    { rule: { id: '-a' }, path: 'rules[0].id', why: 'it begins with a hyphen' },
    { rule: { id: '1a' }, path: 'rules[0].id', why: 'it begins with a digit' },
    { rule: { id: 'a_b' }, path: 'rules[0].id', why: 'an underscore' },
    { rule: { id: 'a'.repeat(65) }, path: 'rules[0].id', why: '64 characters are the most' },
    { rule: { surprise: 1 }, path: 'rules[a].surprise', why: 'nobody knows the field' },
    { rule: { _id: 'a' }, path: 'rules[a]._id', why: 'the database would take it' },
    { rule: { $set: 1 }, path: 'rules[a]["$set"]', why: 'the database would take it' },
    { rule: { title: 5 }, path: 'rules[a].title', why: 'a number is no text' },
    { rule: { title: { 'not a language': 'x' } }, path: 'rules[a].title', why: 'spaces' },
    { rule: { title: titles(21) }, path: 'rules[a].title', why: 'answers hold 20 languages' },
    { rule: { title: { ['a'.repeat(8).concat('-x'.repeat(14))]: 'x' } }, path: 'rules[a].title', why: '36 letters name no language' },
    { rule: { title: { en: 'x'.repeat(257) } }, path: 'rules[a].title', why: 'it is too long' },
    { rule: { title: { en: '' } }, path: 'rules[a].title', why: 'nothing is said' },
    { rule: { per: undefined }, path: 'rules[a].per', why: 'whom does it count for?' },
    { rule: { per: [] }, path: 'rules[a].per', why: 'nobody' },
    { rule: { per: 'user' }, path: 'rules[a].per', why: 'a text is no list' },
    { rule: { per: ['user', 'user'] }, path: 'rules[a].per', why: 'twice' },
    { rule: { per: ['User'] }, path: 'rules[a].per[0]', why: 'no such kind' },
    { rule: { per: ['user', 'type'] }, path: 'rules[a].per[1]', why: 'type is no subject' },
    { rule: { per: 'abcdefghijk'.split('') }, path: 'rules[a].per', why: 'ten are the most' },
    { rule: { counterparts: 'some' }, path: 'rules[a].counterparts', why: 'few or many' },
    { rule: { counterparts: 'many' }, path: 'rules[a].counterparts', why: 'one kind has none' },
    { rule: { per: ['user', 'card'], counterparts: 'many', window: 'transaction' }, path: 'rules[a].counterparts', why: 'it counts nothing' },
    { rule: { currency: 'cny' }, path: 'rules[a].currency', why: 'no capitals' },
    { rule: { currency: null }, path: 'rules[a].currency', why: 'null is not absent' },
    { rule: { match: [] }, path: 'rules[a].match', why: 'a list has no names' },
    { rule: { match: { currency: 'CNY' } }, path: 'rules[a].match.currency', why: 'a field' },
    { rule: { require: [] }, path: 'rules[a].require', why: 'nothing is required' },
    { rule: { require: ['a', 'b.c'] }, path: 'rules[a].require[1]', why: 'a dot is a path' },
    { rule: { match: { 'a.b': 'x' } }, path: 'rules[a].match["a.b"]', why: 'a dot is a path' },
    { rule: { match: { constructor: 'x' } }, path: 'rules[a].match.constructor', why: 'a trap' },
    { rule: { match: { type: [] } }, path: 'rules[a].match.type', why: 'nothing would match' },
    { rule: { match: { type: 5 } }, path: 'rules[a].match.type', why: 'types are texts' },
    { rule: { match: { x: Array(101).fill(1) } }, path: 'rules[a].match.x', why: '100 at most' },
    { rule: { match: { x: 1.5 } }, path: 'rules[a].match.x', why: 'no attribute is so' },
    { rule: { match: { x: null } }, path: 'rules[a].match.x', why: 'no attribute is null' },
    { rule: { match: { x: { $gt: 1 } } }, path: 'rules[a].match.x', why: 'an operator' },
    { rule: { match: {}, counts: {} }, path: 'rules[a].match', why: 'said twice' },
    { rule: { match: {}, appliesTo: {} }, path: 'rules[a].match', why: 'it is short for both' },
    { rule: { counts: { 'a.b': 'x' } }, path: 'rules[a].counts', why: 'a dot is a path' },
    { rule: { counts: { not: 'x' } }, path: 'rules[a].counts.not', why: 'not what?' },
    { rule: { counts: { not: { type: 5 } } }, path: 'rules[a].counts.not.type', why: 'a number' },
    { rule: { counts: names(51) }, path: 'rules[a].counts', why: '50 at most' },
    { rule: { counts: { not: names(51) } }, path: 'rules[a].counts.not', why: '50 at most' },
    { rule: { max: { count: byTier(101) } }, path: 'rules[a].max.count', why: '100 at most' },
    { rule: { appliesTo: { type: [] } }, path: 'rules[a].appliesTo.type', why: 'none applies' },
    { rule: { ...SINGLE, counts: { type: 'A' } }, path: 'rules[a].counts', why: 'nothing is counted' },
    { rule: { window: { ...HOUR, step: 'exact' }, appliesTo: { type: 'A' } }, path: 'rules[a].appliesTo', why: 'each event is a bucket, so each must meet the maximum' },
    { rule: { max: { count: { by: 'tier' } } }, path: 'rules[a].max.count.else', why: 'others' },
    { rule: { max: { count: { by: 'a.b', else: 1 } } }, path: 'rules[a].max.count.by', why: 'no attribute has a dot' },
    { rule: { max: { count: { by: 'tier', gold: -1, else: 1 } } }, path: 'rules[a].max.count.gold', why: 'below nothing' },
    { rule: { max: { amount: { by: 'tier', else: 1 } } }, path: 'rules[a].currency', why: 'amounts of which currency?' },
    { rule: { window: { ...HOUR, step: 'exact' }, max: { count: { by: 'tier', else: 1 } } }, path: 'rules[a].max.count', why: 'how many events may there be?' },
    { rule: { ...BY_DAY, when: {} }, path: 'rules[a].when', why: 'when?' },
    { rule: { ...BY_DAY, when: '20:00-06:00' }, path: 'rules[a].when', why: 'a text is no object' },
    { rule: { ...BY_DAY, when: { hours: [] } }, path: 'rules[a].when.hours', why: 'no hours' },
    { rule: { ...BY_DAY, when: { hours: '20-06' } }, path: 'rules[a].when.hours', why: 'hours have minutes' },
    { rule: { ...BY_DAY, when: { hours: '20:00-24:00' } }, path: 'rules[a].when.hours', why: 'a day ends at 00:00' },
    { rule: { ...BY_DAY, when: { hours: ['20:00-06:00', '05:59-07:00'] } }, path: 'rules[a].when.hours', why: 'they overlap, over midnight' },
    { rule: { ...BY_DAY, when: { hours: ['09:00-12:00', '11:00-13:00'] } }, path: 'rules[a].when.hours', why: 'they overlap' },
    { rule: { ...BY_DAY, when: { hours: Array.from({ length: 13 }, (_, hour) => `${String(hour + 10)}:00-${String(hour + 10)}:30`) } }, path: 'rules[a].when.hours', why: '12 are the most' },
    { rule: { ...BY_DAY, when: { days: ['saturday', 'saturday'] } }, path: 'rules[a].when.days', why: 'twice' },
    { rule: { ...BY_DAY, when: { days: 'Saturday' } }, path: 'rules[a].when.days', why: 'a capital' },
    { rule: { ...BY_DAY, when: { dates: ['2026-02-29'] } }, path: 'rules[a].when.dates[0]', why: 'no such date' },
    { rule: { ...BY_DAY, when: { dates: ['1969-12-31'] } }, path: 'rules[a].when.dates[0]', why: 'before all time' },
    { rule: { ...BY_DAY, when: { days: ['monday', 'Tuesday'] } }, path: 'rules[a].when.days[1]', why: 'the second has a capital' },
    { rule: { ...BY_DAY, when: { hours: ['08:00-12:00', '13-17'] } }, path: 'rules[a].when.hours[1]', why: 'the second has no minutes' },
    { rule: { window: { unit: 'day' }, when: { days: 'monday' } }, path: 'rules[a].window.timeZone', why: 'the zone belongs to the window' },
    { rule: { window: 'day', when: { days: 'monday' } }, path: 'rules[a].window', why: 'a day of which zone?' },
    { rule: { ...BY_DAY, when: { days: 'monday', timeZone: 'UTC' } }, path: 'rules[a].when.timeZone', why: 'the window has one' },
    { rule: { ...SINGLE, when: { days: 'monday' } }, path: 'rules[a].when.timeZone', why: 'whose monday?' },
    { rule: { ...SINGLE, when: { days: 'monday', timeZone: '+08:00' } }, path: 'rules[a].when.timeZone', why: 'an offset is no zone' },
    { rule: { ...LEVEL, window: 'transaction', counts: undefined }, path: 'rules[a].minus', why: 'a single transaction has no sum' },
    { rule: { ...LEVEL, window: HOUR }, path: 'rules[a].minus', why: 'what left the window would still lower it' },
    { rule: { ...LEVEL, max: { count: 3 } }, path: 'rules[a].minus', why: 'it lowers amounts' },
    { rule: { ...LEVEL, minus: {} }, path: 'rules[a].minus', why: 'all others?' },
    { rule: { ...LEVEL, minus: { not: {} } }, path: 'rules[a].minus', why: 'nothing left out' },
    { rule: { ...LEVEL, counts: {} }, path: 'rules[a].minus', why: 'all count' },
    { rule: { ...LEVEL, minus: { type: 5 } }, path: 'rules[a].minus.type', why: 'types are text' },
    { rule: { ...LEVEL, max: { count: 3 }, outcome: 'ended' }, path: 'rules[a].minus', why: 'attempts have no balance' },
    { rule: { max: { distinct: { card: 0 } } }, path: 'rules[a].max.distinct.card', why: 'no order would pass' },
    { rule: { max: { distinct: { card: 101 } } }, path: 'rules[a].max.distinct.card', why: 'each has a place in the document' },
    { rule: { max: { distinct: { card: 3, device: 3 } } }, path: 'rules[a].max.distinct', why: 'two counts' },
    { rule: { max: { distinct: {} } }, path: 'rules[a].max.distinct', why: 'of what?' },
    { rule: { max: { distinct: 3 } }, path: 'rules[a].max.distinct', why: 'of what?' },
    { rule: { max: { distinct: { 'a card': 3 } } }, path: 'rules[a].max.distinct["a card"]', why: 'no attribute has such a name' },
    { rule: { max: { distinct: { card: 3 }, count: 5 } }, path: 'rules[a].max.distinct', why: 'the count would be of two kinds' },
    { rule: { max: { distinct: { user: 3 } } }, path: 'rules[a].max.distinct', why: 'each user is one user' },
    { rule: { ...CARDS, window: HOUR }, path: 'rules[a].max.distinct', why: 'a step keeps sums alone' },
    { rule: { ...CARDS, window: 'transaction' }, path: 'rules[a].max.distinct', why: 'a single order has one value' },
    { rule: { ...CARDS, currency: 'CNY' }, path: 'rules[a].currency', why: 'a card has no currency' },
    { rule: { ...CARDS, minus: { type: 'PAYOUT' } }, path: 'rules[a].minus', why: 'what lowers a set?' },
    { rule: { ...FAILURES, outcome: 'failed' }, path: 'rules[a].outcome', why: 'nobody knows the word' },
    { rule: { ...FAILURES, outcome: [] }, path: 'rules[a].outcome', why: 'no order would count' },
    { rule: { ...FAILURES, outcome: ['expired', 'expired'] }, path: 'rules[a].outcome', why: 'twice' },
    { rule: { ...FAILURES, outcome: ['expired', 'ended'] }, path: 'rules[a].outcome[1]', why: 'the word is for two of the list' },
    { rule: { ...FAILURES, outcome: ['expired'], reasonCodes: ['wrong-pin'] }, path: 'rules[a].reasonCodes', why: 'nobody says why it expired' },
    { rule: { ...FAILURES, outcome: ['expired'], window: 'transaction' }, path: 'rules[a].outcome', why: 'a single transaction counts nothing' },
    { rule: { outcome: ['confirmed', 'expired'], currency: 'CNY', max: { amount: 5 } }, path: 'rules[a].max.amount', why: 'attempts are counted, not added up' },
    { rule: { outcome: 'rolledBack', currency: 'CNY', max: { amount: 5 } }, path: 'rules[a].max.amount', why: 'failures are counted, not added up' },
    { rule: { ...FAILURES, window: 'transaction' }, path: 'rules[a].outcome', why: 'a single transaction counts nothing' },
    { rule: { ...FAILURES, refunds: { count: false } }, path: 'rules[a].refunds', why: 'a refund undoes no attempt' },
    { rule: { ...FAILURES, reasonCodes: [] }, path: 'rules[a].reasonCodes', why: 'for no reason?' },
    { rule: { ...FAILURES, reasonCodes: 'wrong-pin' }, path: 'rules[a].reasonCodes', why: 'no list' },
    { rule: { ...FAILURES, reasonCodes: ['Wrong PIN'] }, path: 'rules[a].reasonCodes[0]', why: 'no code' },
    { rule: { ...FAILURES, reasonCodes: ['a', 'a'] }, path: 'rules[a].reasonCodes', why: 'twice' },
    { rule: { reasonCodes: ['wrong-pin'] }, path: 'rules[a].reasonCodes', why: 'a confirm has no reason code' },
    { rule: { onExceed: 'pass' }, path: 'rules[a].onExceed', why: 'nobody knows the word' },
    { rule: { onExceed: {} }, path: 'rules[a].onExceed.challenge', why: 'to prove what?' },
    { rule: { onExceed: { challenge: 'SCA' } }, path: 'rules[a].onExceed.challenge', why: 'a capital' },
    { rule: { onExceed: { challenge: 'sca', notify: true } }, path: 'rules[a].onExceed.notify', why: 'nobody knows the field' },
    { rule: { onExceed: 'notify', mode: 'shadow' }, path: 'rules[a].mode', why: 'there is nothing to try' },
    { rule: { window: { ...HOUR, step: 'exact' }, onExceed: 'notify' }, path: 'rules[a].onExceed', why: 'each payment would be kept' },
    { rule: { ...SINGLE, min: { amount: 1 }, max: { amount: 9 }, onExceed: { challenge: 'sca' } }, path: 'rules[a].onExceed', why: 'no proof helps below a minimum' },
    { rule: { ...SINGLE, max: undefined, min: { amount: 1 }, onExceed: 'notify' }, path: 'rules[a].onExceed', why: 'above what?' },
    { rule: { onExceed: { challenge: 5 } }, path: 'rules[a].onExceed.challenge', why: 'a name is text' },
    { rule: { onExceed: 5 }, path: 'rules[a].onExceed', why: 'a number' },
    { rule: { ...BY_DAY, when: { hours: '20:00-06:00', calendar: 'br' } }, path: 'rules[a].when.calendar', why: 'nobody knows the field' },
    { rule: { window: undefined }, path: 'rules[a].window', why: 'over what is counted?' },
    { rule: { window: 'day' }, path: 'rules[a].window', why: 'a day of which zone?' },
    { rule: { window: { timeZone: 'UTC' } }, path: 'rules[a].window', why: 'no unit' },
    { rule: { window: { unit: 'day' } }, path: 'rules[a].window.timeZone', why: 'no zone' },
    { rule: { window: { ...DAY, unit: 'days' } }, path: 'rules[a].window.unit', why: 'no unit' },
    { rule: { window: { ...DAY, timeZone: 'Asia/Beijing' } }, path: 'rules[a].window.timeZone', why: 'the database has no such zone' },
    { rule: { window: { ...DAY, timeZone: '+08:00' } }, path: 'rules[a].window.timeZone', why: 'an offset is no zone' },
    { rule: { window: { ...DAY, dayStart: '24:00' } }, path: 'rules[a].window.dayStart', why: 'the day ends before' },
    { rule: { window: { ...DAY, unit: 'hour', dayStart: '01:00' } }, path: 'rules[a].window.dayStart', why: 'an hour has no start of day' },
    { rule: { window: { ...DAY, weekStart: 'monday' } }, path: 'rules[a].window.weekStart', why: 'a day has no start of week' },
    { rule: { window: { ...DAY, unit: 'week', weekStart: 'Monday' } }, path: 'rules[a].window.weekStart', why: 'small letters' },
    { rule: { window: { ...DAY, unit: 'week', monthDay: 1 } }, path: 'rules[a].window.monthDay', why: 'a week has no day of the month' },
    { rule: { window: { ...DAY, unit: 'month', monthDay: 32 } }, path: 'rules[a].window.monthDay', why: 'no month is so long' },
    { rule: { window: { ...DAY, unit: 'week', closed: { days: 'sunday' } } }, path: 'rules[a].window.closed', why: 'a week has no business days' },
    { rule: { window: { ...DAY, every: 2, closed: { days: 'sunday' } } }, path: 'rules[a].window.every', why: 'they come one by one' },
    { rule: { window: { ...DAY, since: JOINED, closed: { days: 'sunday' } } }, path: 'rules[a].window.since', why: 'they begin by themselves' },
    { rule: { window: { ...DAY, closed: {} } }, path: 'rules[a].window.closed', why: 'nothing is closed' },
    { rule: { window: { ...DAY, closed: { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] } } }, path: 'rules[a].window.closed.days', why: 'some day must be open' },
    { rule: { window: { ...DAY, closed: { dates: '2026-02-29' } } }, path: 'rules[a].window.closed.dates', why: 'no such date' },
    { rule: { window: { ...DAY, unit: 'hour', since: JOINED } }, path: 'rules[a].window.since', why: 'an hour begins on no date' },
    { rule: { window: { ...DAY, unit: 'week', since: JOINED, weekStart: 'monday' } }, path: 'rules[a].window.weekStart', why: 'the date says the day' },
    { rule: { window: { ...DAY, unit: 'month', since: JOINED, monthDay: 1 } }, path: 'rules[a].window.monthDay', why: 'the date says the day' },
    { rule: { window: { since: JOINED } }, path: 'rules[a].window', why: 'for how long?' },
    { rule: { window: { for: 'PT24H' } }, path: 'rules[a].window.since', why: 'from when?' },
    { rule: { window: { since: 'joined', for: 'PT24H' } }, path: 'rules[a].window.since', why: 'an object says that it is an attribute' },
    { rule: { window: { since: { attribute: 'type' }, for: 'PT24H' } }, path: 'rules[a].window.since.attribute', why: 'a type is no instant' },
    { rule: { window: { since: JOINED, for: 'P367D' } }, path: 'rules[a].window.for', why: '366 days' },
    { rule: { window: { since: JOINED, for: 'PT24H', timeZone: 'UTC' } }, path: 'rules[a].window.timeZone', why: 'a span has no zone' },
    { rule: { window: { ...DAY, every: 0 } }, path: 'rules[a].window.every', why: 'no window' },
    { rule: { window: { ...DAY, every: 367 } }, path: 'rules[a].window.every', why: '366' },
    { rule: { window: { ...DAY, rolling: 'PT1H' } }, path: 'rules[a].window.rolling', why: 'either or' },
    { rule: { window: { rolling: '1h' } }, path: 'rules[a].window.rolling', why: 'ISO 8601' },
    { rule: { window: { rolling: 'P1M' } }, path: 'rules[a].window.rolling', why: 'months differ' },
    { rule: { window: { rolling: 'PT0.999S' } }, path: 'rules[a].window.rolling', why: 'a second is the least' },
    { rule: { window: { rolling: 'P367D' } }, path: 'rules[a].window.rolling', why: '366 days' },
    { rule: { window: { ...HOUR, step: 'PT59.999S' } }, path: 'rules[a].window.step', why: '61 steps' },
    { rule: { window: { ...HOUR, step: 'PT2H' } }, path: 'rules[a].window.step', why: 'longer' },
    { rule: { window: { ...HOUR, step: 'PT0S' } }, path: 'rules[a].window.step', why: 'no step' },
    { rule: { window: { ...HOUR, step: 'Exact' } }, path: 'rules[a].window.step', why: 'exact' },
    { rule: { window: { ...HOUR, timeZone: 'UTC' } }, path: 'rules[a].window.timeZone', why: 'a span has no zone' },
    { rule: { window: { ...HOUR, step: 'exact' }, max: { amount: 5 }, currency: 'CNY' }, path: 'rules[a].max.count', why: 'events kept one by one must have an end' },
    { rule: { window: { ...HOUR, step: 'exact' }, max: { count: 101 } }, path: 'rules[a].max.count', why: 'a hundred are the most' },
    { rule: { max: undefined }, path: 'rules[a].max', why: 'no limit' },
    { rule: { max: {} }, path: 'rules[a].max', why: 'no limit' },
    { rule: { max: { amount: 5 } }, path: 'rules[a].currency', why: 'five of what?' },
    { rule: { max: { count: -1 } }, path: 'rules[a].max.count', why: 'negative' },
    { rule: { max: { count: '5' } }, path: 'rules[a].max.count', why: 'a text' },
    { rule: { max: { count: 1, sum: 2 } }, path: 'rules[a].max.sum', why: 'mistyped' },
    { rule: { currency: 'CNY', max: { amount: 1_000_000_000_000_001 } }, path: 'rules[a].max.amount', why: 'no amount is so large' },
    { rule: { min: { count: 1 } }, path: 'rules[a].min', why: 'sums begin at zero' },
    { rule: { ...SINGLE, min: {} }, path: 'rules[a].min', why: 'no minimum' },
    { rule: { window: 'transaction', min: { amount: 1 }, max: undefined }, path: 'rules[a].currency', why: 'one of what?' },
    { rule: { ...SINGLE, min: { amount: 6 }, max: { amount: 5 } }, path: 'rules[a].min.amount', why: 'nothing would pass' },
    { rule: { ...SINGLE, min: { count: 2 } }, path: 'rules[a].min.count', why: 'nothing passes' },
    { rule: { mode: 'off' }, path: 'rules[a].mode', why: 'a rule that is off is deleted' },
    { rule: { from: '2026-01-01T00:00:00' }, path: 'rules[a].from', why: 'no zone' },
    { rule: { from: new Date(0) }, path: 'rules[a].from', why: 'a stored date lost its zone' },
    { rule: { to: '2026-02-30T00:00:00Z' }, path: 'rules[a].to', why: 'no such day' },
    { rule: { from: '2026-01-01T00:00:00Z', to: '2026-01-01T08:00:00+08:00' }, path: 'rules[a].to', why: 'it would never be in effect' },
  ])('$rule: $path is named, because $why', ({ rule, path }) => {
    expect(mistakesIn(rule).map((mistake) => mistake.path)).toEqual([path]);
  });

  it.each([
    { max: { by: 'tier', values: { gold: 5 }, else: 1 }, why: 'values in an object of their own' },
    { max: { by: 'tier', gold: '5', else: 1 }, why: 'a maximum that is a text' },
    { max: { values: { gold: 5 }, by: 'tier', else: 1 }, why: 'values before by' },
  ])('says where values stand: $why', ({ max }) => {
    expect(mistakesIn({ max: { count: max } })).toMatchObject([
      {
        expected:
          'a whole number from 0 to 1000000000000000: write each value beside by, with its maximum, such as { by: tier, gold: 500, else: 200 }',
      },
    ]);
  });

  it.each(['match', 'title'])('__proto__ in %s is named', (name) => {
    const trap: unknown = JSON.parse('{ "__proto__": "x" }');
    expect(mistakesIn({ [name]: trap })).toMatchObject([{ path: `rules[a].${name}.__proto__` }]);
  });
});

it.each([{ list: undefined }, { list: {} }, { list: 'rules' }])(
  'a list of rules is not $list',
  ({ list }) => {
    expect(() => parseRules(list, 'a test')).toThrow('expected a list of at most 1000 rules');
  },
);

describe('what counts for a rule', () => {
  // prettier-ignore
  it.each([
    { outcome: 'expired', outcomes: ['expired'] },
    { outcome: ['expired', 'confirmed', 'rolledBack'], outcomes: ['confirmed', 'rolledBack', 'expired'] },
    { outcome: ['rolledBack', 'confirmed'], outcomes: ['confirmed', 'rolledBack'] },
    { outcome: 'ended', outcomes: ['confirmed', 'rolledBack'] },
    { outcome: ['confirmed'], outcomes: undefined },
  ])('is $outcomes of $outcome, in whatever order', ({ outcome, outcomes }) => {
    expect(read({ ...FAILURES, outcome }).outcomes).toEqual(outcomes);
  });

  // prettier-ignore
  it.each([
    { per: ['user'], mode: 'enforce', kinds: ['user'], wrong: [], why: 'users are home' },
    { per: ['user', 'card'], mode: 'shadow', kinds: ['user', 'card'], wrong: [], why: 'the document is the user\'s' },
    { per: ['card'], mode: 'draft', kinds: ['user'], wrong: [], why: 'a draft counts nothing' },
    { per: ['card', 'user'], mode: 'enforce', kinds: ['user'], wrong: ['user'], why: 'attempts that died leave shares at the card' },
    { per: ['card'], mode: 'shadow', kinds: ['user', 'card'], wrong: ['user'], why: 'an order of a user has its home there' },
    { per: ['card'], mode: 'enforce', kinds: [], wrong: ['a kind'], why: 'homes go by the alphabet' },
  ])('may be what expired per $per in mode $mode: $wrong, because $why', ({ per, mode, kinds, wrong }) => {
    const rule = read({ ...FAILURES, outcome: ['rolledBack', 'expired'], per, mode });
    expect(wrongHomes([rule], kinds)).toEqual(
      wrong.map((kind) => ({
        path: 'rules[a].outcome',
        value: '"rolledBack, expired"',
        expected: `no expired beside a per that begins with card: begin it with ${kind}, the first of HOME_KINDS`,
      })),
    );
    expect(wrongHomes([read({ per, mode })], kinds)).toEqual([]);
  });
});

describe('many counterparts', () => {
  const many = (id: string, per: readonly string[], more: object = {}) =>
    readRules([{ ...LEAST, id, per, counterparts: 'many', ...more }]).rules;

  it('count no orders that expire: attempts that died leave shares in their documents', () => {
    const [rule] = many('a', ['user', 'card'], { ...FAILURES, outcome: ['expired'] });
    expect(
      wrongTogether(
        [rule].flatMap((one) => one ?? []),
        ['user'],
      ),
    ).toEqual([
      {
        path: 'rules[a].outcome',
        value: '"expired"',
        expected: 'no expired beside counterparts: many. Use few',
      },
    ]);
  });

  it('may be of six different lists of subjects, so that an order has at most 16 documents', () => {
    const kinds = ['a', 'b', 'c', 'd', 'e', 'f'];
    const six = kinds.flatMap((kind) => many(kind, ['user', kind]));
    const twins = [
      ...six,
      ...many('twin', ['user', 'a']),
      ...many('draft', ['user', 'x'], { mode: 'draft' }),
    ];
    expect(wrongTogether(twins, ['user'])).toEqual([]);
    expect(wrongTogether([...twins, ...many('g', ['user', 'g'])], ['user'])).toEqual([
      {
        path: 'rules[g].counterparts',
        value: '"many"',
        expected: 'few: at most 6 different lists in `per` may have many counterparts',
      },
    ]);
  });
});

describe('a set as it is stored', () => {
  it('gives each rule with its version, its generation and the revision of the set', () => {
    const [first, second] = [{ ...LEAST }, { ...LEAST, id: 'b' }];
    const kept = [
      { rule: first, version: 3 },
      { rule: second, version: 4, generation: 4 },
    ];
    expect(rulesInForce({ revision: 5, rules: kept })).toEqual([
      { ...read(first), version: 3, asOf: 5 },
      { ...read(second), version: 4, generation: 4, asOf: 5 },
    ]);
  });

  it('is not used while one rule is wrong', () => {
    const rules = [
      { rule: LEAST, version: 1 },
      { rule: { id: 'b' }, version: 1 },
    ];
    expect(() => rulesInForce({ revision: 1, rules })).toThrow('rules[b].per is missing');
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  { name: 'Asia/Tokyo', is: true, why: 'the database has it' },
  { name: 'ASIA/tokyo', is: true, why: 'its names have no case' },
  { name: 'Asia/To\u212Ayo', is: false, why: 'a sign for kelvin is no k' },
  { name: '+09:00', is: false, why: 'an offset is no name' },
  { name: 'Asia/Mars', is: false, why: 'the database has it not' },
])('$name: $is, because $why', ({ name, is }) => {
  expect(isTimeZone(name)).toBe(is);
});

it('is remembered once, however it is spelt, so that a process remembers no more than there are', () => {
  expect(isTimeZone('Pacific/Auckland')).toBe(true);
  const asked = vi.spyOn(Intl, 'DateTimeFormat');
  for (const name of ['pacific/auckland', 'PACIFIC/AUCKLAND', 'Pacific/aucklanD'])
    expect(isTimeZone(name)).toBe(true);
  expect(asked).not.toHaveBeenCalled();
});
