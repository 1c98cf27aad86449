import { USER_DAY } from '../support/stored-rules.ts';
import { describe, expect, it } from 'vitest';
import type { FourEyes } from '../../lib/four-eyes/four-eyes.ts';
import { rulesNeedSecond, termsNeedSecond } from '../../lib/four-eyes/four-eyes.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { Terms, Validity } from '../../lib/rule/own-terms.ts';
import type { TermsWish } from '../../lib/changes/terms-change.ts';
import { termsAfter } from '../../lib/changes/terms-change.ts';
import { termsEffectOf } from '../../lib/changes/terms-effect.ts';
import { readStoredRule } from '../../lib/rule-file/rule-list.ts';

const NOW = new Date('2026-03-02T04:00:00Z');
const BY = { kind: 'local', id: 'local' } as const;
const RAISES: FourEyes = { kind: 'raises', above: {} };
const ABOVE: FourEyes = { kind: 'raises', above: { CNY: 8_000 } };
const DAY: StoredRule = { ...USER_DAY, id: 'day', max: { amount: 5_000, count: 20 } };
const TIERS = { by: 'tier', gold: 9_000, silver: 6_000, else: 1_000 };

const needs = (
  fourEyes: FourEyes,
  before: StoredRule | undefined,
  after: StoredRule | undefined,
): boolean => {
  const author = { at: NOW, by: BY };
  const rules = before === undefined ? [] : [before];
  const { set } = nextSet({ revision: 0, rules: [] }, rules, author);
  const { changes } = nextSet(set, after === undefined ? [] : [after], author);
  return rulesNeedSecond(fourEyes, changes);
};

describe('a change of a rule, where raises need a second person', () => {
  const day = (more: object): StoredRule => ({ ...DAY, ...more });
  const max = (amount: unknown, count = 20): object => ({ max: { amount, count } });
  const { currency: _, ...ANY } = DAY;
  const cards = (distinct: object): StoredRule => ({ ...ANY, max: { distinct } });
  // prettier-ignore
  it.each<[string, boolean, StoredRule | undefined, StoredRule | undefined]>([
    ['a new rule limits',                 false, undefined,               DAY],
    ['a lower amount',                    false, DAY,                     day(max(4_999))],
    ['a higher amount',                   true,  DAY,                     day(max(5_001))],
    ['a higher count',                    true,  DAY,                     day(max(5_000, 21))],
    ['a lower amount, a higher count',    true,  DAY,                     day(max(1, 21))],
    ['an amount that is not limited',     true,  DAY,                     day({ max: { count: 20 } })],
    ['a count that is not limited',       true,  DAY,                     day({ max: { amount: 5_000 } })],
    ['a title',                           false, DAY,                     day({ title: { en: 'A day' } })],
    ['a rule that goes',                  true,  DAY,                     undefined],
    ['a draft that goes',                 false, day({ mode: 'draft' }),  undefined],
    ['on trial from now on',              true,  DAY,                     day({ mode: 'shadow' })],
    ['retired',                           true,  DAY,                     day({ mode: 'retired' })],
    ['in force after a trial, higher',    false, day({ mode: 'shadow' }), day(max(9_000))],
    ['another window',                    true,  DAY,                     day({ window: 'lifetime' })],
    ['another scope',                     true,  DAY,                     day({ appliesTo: { type: 'A' } })],
    ['a later beginning',                 true,  DAY,                     day({ from: '2026-04-01T00:00:00Z' })],
    ['one tier raised',                   true,  day(max(TIERS)),         day(max({ ...TIERS, gold: 9_001 }))],
    ['one tier lowered',                  false, day(max(TIERS)),         day(max({ ...TIERS, gold: 8_999 }))],
    ['a tier that goes, below the rest',  false, day(max(TIERS)),         day(max({ by: 'tier', gold: 9_000, else: 1_000 }))],
    ['a tier that goes, above the rest',  true,  day(max({ ...TIERS, silver: 1 })), day(max({ by: 'tier', gold: 9_000, else: 1_000 }))],
    ['tiers in place of one, one higher', true,  DAY,                     day(max(TIERS))],
    ['tiers in place of one, all lower',  false, DAY,                     day(max({ by: 'tier', gold: 4_000, else: 1_000 }))],
    ['one in place of tiers, the lowest', false, day(max(TIERS)),         day(max(1_000))],
    ['one in place of tiers, higher',     true,  day(max(TIERS)),         day(max(1_001))],
    ['fewer different values',            false, cards({ card: 3 }),       cards({ card: 2 })],
    ['more different values',             true,  cards({ card: 3 }),       cards({ card: 4 })],
    ['different values of another name',  true,  cards({ card: 3 }),       cards({ device: 3 })],
    ['different values, and not orders',  true,  { ...cards({}), max: { count: 3 } }, cards({ card: 3 })],
    ['orders, and not different values',  true,  cards({ card: 3 }),       { ...cards({}), max: { count: 3 } }],
    ['a tier named as every object is',   true,  DAY,                     day(max({ by: 'tier', constructor: 5_001, else: 5_000 }))],
  ])('%s: %s', (_, expected, before, after) => {
    expect(needs(RAISES, before, after)).toBe(expected);
    expect(needs({ kind: 'none' }, before, after)).toBe(false);
    expect(needs({ kind: 'all' }, before, after)).toBe(true);
  });

  it.each<[string, boolean, object]>([
    ['as high as one person may', false, { amount: 8_000, count: 20 }],
    ['higher than that', true, { amount: 8_001, count: 20 }],
    ['no maximum', true, { count: 20 }],
    ['a count, whatever the amount', true, { amount: 5_000, count: 21 }],
  ])('%s: %s', (_, expected, next) => {
    expect(needs(ABOVE, DAY, { ...DAY, max: next })).toBe(expected);
  });

  it('knows no such amount of another currency', () => {
    const dollars = { ...DAY, currency: 'USD' };
    expect(needs(ABOVE, dollars, { ...dollars, max: { amount: 5_001, count: 20 } })).toBe(true);
  });
});

describe('a change of terms, where raises need a second person', () => {
  const author = { at: NOW, by: BY, reason: 'r' };
  const own = (max: object, more: object = {}) => ({
    ...{ id: JSON.stringify([max, more]), rule: 'day', max, ...author },
    ...more,
  });
  const terms = (...overrides: ReturnType<typeof own>[]): Terms => ({ version: 'v', overrides });
  const put = (
    amountMinor: number | null,
    more: object = {},
    stretch: Validity = {},
  ): TermsWish => ({
    kind: 'override',
    override: { rule: 'day', max: { amountMinor, ...more }, ...stretch },
  });
  const ended = { kind: 'endOverride', rule: 'day' } as const;
  const frozen = (until?: Date): Terms => ({
    ...terms(),
    freeze: { ...author, ...(until === undefined ? {} : { until }) },
  });
  const later = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
  const freeze = (until?: Date): TermsWish => ({
    kind: 'freeze',
    ...(until === undefined ? {} : { until }),
  });
  const needsSecond = (
    fourEyes: FourEyes,
    before: Terms | undefined,
    wish: TermsWish,
    rule: Rule | undefined,
  ): boolean => {
    const after = termsAfter(before, wish, author, 'new');
    return termsNeedSecond(fourEyes, wish.kind, termsEffectOf(wish, rule, [before, after], NOW));
  };
  // prettier-ignore
  it.each<[string, boolean, Terms | undefined, TermsWish]>([
    ['lower than the rule',               false, undefined,                           put(4_000)],
    ['as high as the rule',               false, undefined,                           put(5_000)],
    ['higher than the rule',              true,  undefined,                           put(5_001)],
    ['no maximum',                        true,  undefined,                           put(null)],
    ['a higher count',                    true,  undefined,                           put(1, { count: 21 })],
    ['higher than what is in force',      true,  terms(own({ amountMinor: 100 })),    put(200)],
    ['higher than what is to come',       true,  terms(own({ amountMinor: 100 }, { from: later(1) })), put(200)],
    ['lower than a raise for ever',       false, terms(own({ amountMinor: 9_000 })),  put(8_000)],
    ['lower than a raise, for longer',    true,  terms(own({ amountMinor: 9_000 }, { until: later(1) })), put(8_000, {}, { until: later(2) })],
    ['lower than a raise, and over first', false, terms(own({ amountMinor: 9_000 }, { until: later(2) })), put(8_000, {}, { until: later(1) })],
    ['lower than a raise, higher than what lies below', false, terms(own({ amountMinor: 100 }), own({ amountMinor: 9_000 }, { until: later(2) })), put(8_000, {}, { until: later(1) })],
    ['the same, and over after the raise', true, terms(own({ amountMinor: 100 }), own({ amountMinor: 9_000 }, { until: later(2) })), put(8_000, {}, { until: later(3) })],
    ['a raise that begins later',         true,  undefined,                           { kind: 'override', override: { rule: 'day', max: { amountMinor: 5_001 } }, afterMs: 86_400_000 }],
    ['as low, and over before it',        false, terms(own({ amountMinor: 100 })),    put(100, {}, { until: later(1) })],
    ['lower, and over before it',         false, terms(own({ amountMinor: 100 }, { until: later(2) })), put(1, {}, { until: later(1) })],
    ['lower, and over before what is to come is', false, terms(own({ amountMinor: 100 }, { from: later(3) })), put(1, {}, { until: later(1) })],
    ['a lower count beside a lower amount', false, terms(own({ amountMinor: 100 })),  { kind: 'override', override: { rule: 'day', max: { count: 1 } } }],
    ['lower, and over as late as it',     false, terms(own({ amountMinor: 100 }, { until: later(1) })), put(1, {}, { until: later(1) })],
    ['lower, after it',                   false, terms(own({ amountMinor: 100 }, { until: later(1) })), put(1, {}, { from: later(1), until: later(2) })],
    ['lower, and over before a raise is', false, terms(own({ amountMinor: 9_000 })),  put(1, {}, { until: later(1) })],
    ['higher than what is over',          false, terms(own({ amountMinor: 100 }, { until: later(-1) })), put(200)],
    ['the end of what is over',           false, terms(own({ amountMinor: 100 }, { until: NOW })), ended],
    ['the end of a raise',                false, terms(own({ amountMinor: 9_000 })),  ended],
    ['the end of a lower maximum',        true,  terms(own({ amountMinor: 100 })),    ended],
    ['the end of a raise above a lower maximum', false, terms(own({ amountMinor: 100 }), own({ amountMinor: 9_000 }, { until: later(1) })), { ...ended, overrideId: JSON.stringify([{ amountMinor: 9_000 }, { until: later(1) }]) }],
    ['the end of both',                   true,  terms(own({ amountMinor: 100 }), own({ amountMinor: 9_000 }, { until: later(1) })), { ...ended, overrideId: 'all' }],
    ['the end of a lower maximum to come', true, terms(own({ amountMinor: 100 }, { from: later(1) })), ended],
    ['a freeze',                          false, undefined,                           freeze()],
    ['a freeze for longer',               false, frozen(later(1)),                    freeze(later(2))],
    ['a freeze without an end',           false, frozen(later(1)),                    freeze()],
    ['a freeze that ends earlier',        true,  frozen(later(2)),                    freeze(later(1))],
    ['an end for a freeze without one',   true,  frozen(),                            freeze(later(1))],
    ['a freeze after one that is over',   false, frozen(later(-1)),                   freeze(later(1))],
    ['the end of a freeze',               true,  frozen(),                            { kind: 'unfreeze' }],
  ])('%s: %s', (_, expected, before, edit) => {
    const rule = readStoredRule(DAY);
    expect(needsSecond(RAISES, before, edit, rule)).toBe(expected);
    expect(needsSecond({ kind: 'none' }, before, edit, rule)).toBe(false);
    const isStop = edit.kind === 'freeze' && !expected; // which never waits
    expect(needsSecond({ kind: 'all' }, before, edit, rule)).toBe(!isStop);
  });

  it('up to an amount needs none', () => {
    const rule = readStoredRule(DAY);
    expect(needsSecond(ABOVE, undefined, put(8_000), rule)).toBe(false);
    expect(needsSecond(ABOVE, undefined, put(8_001), rule)).toBe(true);
  });

  it('of a rule that is gone needs one', () => {
    expect(needsSecond(RAISES, terms(), ended, undefined)).toBe(true);
  });

  // Its maximum is whatever one person says: nothing can be measured by it.
  it.each(['draft', 'shadow', 'retired'])('of a rule that is %s needs one', (mode) => {
    const rule = readStoredRule({ ...DAY, mode });
    expect(needsSecond(RAISES, undefined, put(1), rule)).toBe(true);
    expect(needsSecond(ABOVE, undefined, put(1), rule)).toBe(true);
  });
});
