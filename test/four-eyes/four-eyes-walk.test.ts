import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rulesNeedSecond, termsNeedSecond } from '../../lib/four-eyes/four-eyes.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { ruleFor } from '../../lib/rule/rule-for-order.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import type { Terms } from '../../lib/rule/own-terms.ts';
import { freezeAt, underTerms } from '../../lib/rule/terms.ts';
import type { TermsWish } from '../../lib/changes/terms-change.ts';
import { termsAfter } from '../../lib/changes/terms-change.ts';
import { termsEffectOf } from '../../lib/changes/terms-effect.ts';
import { readStoredRule } from '../../lib/rule-file/rule-list.ts';
import { SEED, times } from '../support/extent.ts';

/** An hour of the story; the change that is judged comes at hour 10. */
const hour = (number: number): Date => new Date(Date.UTC(2026, 2, 2, number));
const NOW = 10;
const HOURS = Array.from({ length: 24 }, (_, index) => NOW + index);
const author = { at: hour(NOW), by: { kind: 'local', id: 'local' }, reason: 'r' } as const;

const ruleWith = (max: object): Rule => {
  const window = { unit: 'day', timeZone: 'UTC' };
  const rule = readStoredRule({ id: 'day', per: ['user'], currency: 'CNY', window, max });
  if (rule === undefined) throw new TypeError('the rules of this file are right');
  return rule;
};
const RULES = [
  ruleWith({ amount: 50, count: 5 }),
  ruleWith({ amount: 50 }),
  ruleWith({ amount: { by: 'tier', gold: 90, silver: 20, else: 50 }, count: 5 }),
];

const maximum = (most: number) => fc.constantFrom(null, undefined, 1, most / 2, most, most + 1);
const edit: fc.Arbitrary<TermsWish> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        amountMinor: maximum(50),
        count: maximum(6),
        from: fc.option(fc.integer({ min: NOW - 2, max: NOW + 12 }), { nil: undefined }),
        hours: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
      })
      .map(({ amountMinor, count, from, hours }): TermsWish => {
        const until = hours === undefined ? {} : { until: hour((from ?? NOW) + hours) };
        const max = {
          ...(amountMinor === undefined ? {} : { amountMinor }),
          ...(count === undefined ? {} : { count }),
        };
        const begin = from === undefined ? {} : { from: hour(from) };
        return { kind: 'override', override: { rule: 'day', max, ...begin, ...until } };
      }),
  },
  fc
    .constantFrom('all', ...['v-0', 'v-1', 'v-2', 'v-3'])
    .map((overrideId): TermsWish => ({ kind: 'endOverride', rule: 'day', overrideId })),
  fc
    .option(fc.integer({ min: NOW - 1, max: NOW + 9 }), { nil: undefined })
    .map((until): TermsWish => ({
      kind: 'freeze',
      ...(until === undefined ? {} : { until: hour(until) }),
    })),
  fc.constant<TermsWish>({ kind: 'unfreeze' }),
);

const after = (before: Terms | undefined, one: TermsWish, at: number): Terms | undefined =>
  termsAfter(before, one, { ...author, at: hour(at) }, `v-${at - NOW + 4}`);

/** What may pass at an instant, by the tier of a payment: of a frozen subject nothing. */
const mayPass = (rule: Rule, terms: Terms | undefined, at: Date): readonly number[] =>
  ['gold', 'silver', 'iron'].flatMap((tier) => {
    if (freezeAt(terms, at) !== undefined) return [-1, -1];
    const request = { subjects: { user: 'u-1' }, attributes: { tier } } as unknown as CheckRequest;
    const { max } = ruleFor(underTerms(rule, terms, at), request); // no more of it is looked at
    return [max.amountMinor ?? Infinity, max.count ?? Infinity];
  });

const amount = fc.integer({ min: 1, max: 4 });
const bounds = fc.oneof(
  amount,
  fc
    .record({
      by: fc.constantFrom('tier', 'type'),
      gold: fc.option(amount, { nil: undefined }),
      A: fc.option(amount, { nil: undefined }),
      else: amount,
    })
    .map((by): object => JSON.parse(JSON.stringify({ ...by, silver: 2 })) as object),
);
const stored: fc.Arbitrary<StoredRule> = fc
  .record({
    mode: fc.constantFrom('enforce', 'enforce', 'enforce', 'shadow', 'draft', 'retired'),
    amount: fc.option(bounds, { nil: undefined }),
    count: bounds,
    title: fc.constantFrom('one', 'other'),
  })
  .map(({ mode, count, title, ...max }) => ({
    ...{ id: 'day', title: { en: title }, per: ['user'], currency: 'CNY', mode },
    ...{ window: { unit: 'day', timeZone: 'UTC' } },
    max: JSON.parse(JSON.stringify({ ...max, count })) as object,
  }));

/** What may pass under a rule, by tier and type. */
const mayPassUnder = (rule: StoredRule): readonly number[] => {
  const read = readStoredRule(rule);
  if (read === undefined) throw new TypeError('the rules of this file are right');
  return ['gold', 'silver', 'iron'].flatMap((tier) =>
    ['A', 'B'].flatMap((type) => {
      if (read.mode !== 'enforce') return [Infinity, Infinity];
      const asked = { type, subjects: { user: 'u-1' }, attributes: { tier } };
      const { max } = ruleFor(read, asked);
      return [max.amountMinor ?? Infinity, max.count ?? Infinity];
    }),
  );
};

describe('where raises need a second person', () => {
  it('no change of a rule that needs none lets more pass', () => {
    let alone = 0;
    fc.assert(
      fc.property(stored, stored, (was, is) => {
        const by = { at: hour(NOW), by: { kind: 'local', id: 'local' } } as const;
        const { set } = nextSet({ revision: 0, rules: [] }, [was], by);
        const { changes } = nextSet(set, [is], by);
        if (rulesNeedSecond({ kind: 'raises', above: {} }, changes)) return;
        alone++;
        const before = mayPassUnder(was);
        expect(mayPassUnder(is).every((most, index) => most <= (before[index] ?? 0))).toBe(true);
      }),
      { numRuns: times('secondPersons'), seed: SEED },
    );
    expect(alone).toBeGreaterThan(times('secondPersons') / 10);
  }, 120_000);

  it('no change that needs none lets more pass at any time', () => {
    let alone = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...RULES),
        fc.array(edit, { maxLength: 4 }),
        edit,
        (rule, earlier, last) => {
          const before = earlier.reduce<Terms | undefined>(
            (terms, one, index) => after(terms, one, NOW - 4 + index),
            undefined,
          );
          const fourEyes = { kind: 'raises', above: {} } as const;
          const since = after(before, last, NOW);
          const effect = termsEffectOf(last, rule, [before, since], hour(NOW));
          const isAlone = !termsNeedSecond(fourEyes, last.kind, effect);
          const isMore = HOURS.map(hour).some((at) => {
            const [was, is] = [mayPass(rule, before, at), mayPass(rule, since, at)];
            return is.some((most, index) => most > (was[index] ?? 0));
          });
          if (isAlone) alone++;
          expect(isAlone && isMore).toBe(false);
          // Nobody is asked for nothing, where no freeze hides what may pass and no tier is replaced.
          const isPlain = rule.maxBy === undefined && before?.freeze === undefined;
          if (isPlain && last.kind !== 'unfreeze') expect([last, isAlone]).toEqual([last, !isMore]);
        },
      ),
      { numRuns: times('secondPersons'), seed: SEED },
    );
    expect(alone).toBeGreaterThan(times('secondPersons') / 10);
  }, 120_000);
});
