import { describe, expect, it } from 'vitest';
import type { DraftAsked } from '../../lib/backtest/draft.ts';
import { draftOf } from '../../lib/backtest/draft.ts';
import { compile } from '../../lib/plan/compile.ts';
import { readStoredRule } from '../../lib/rule-file/rule-list.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import type { RuleSet, StoredRule } from '../../lib/rule-file/rule-set.ts';

const author = { at: new Date('2026-03-02T10:00:00Z'), by: { kind: 'local', id: 'l' } } as const;

const rule = (id: string, more: object = {}): StoredRule => ({
  id,
  per: ['user'],
  currency: 'CNY',
  window: 'lifetime',
  max: { amount: 500 },
  ...more,
});
const WEEK = { window: { rolling: 'P7D' } };
const ONE = { window: 'transaction' };
const LOWER = { max: { amount: 100 } };
const NOTIFY = { onExceed: 'notify' };
const DRAFT = { mode: 'draft' };
const RETIRED = { mode: 'retired' };

/** The sets that follow each other, and the last of them. */
const after = (...sets: readonly (readonly StoredRule[])[]) => {
  let set: RuleSet = { revision: 0, rules: [] };
  let changes: ReturnType<typeof nextSet>['changes'] = [];
  for (const rules of sets) ({ set, changes } = nextSet(set, rules, author));
  return {
    names: Object.fromEntries(set.rules.map((one) => [one.rule.id, one.namedAs ?? one.rule.id])),
    told: Object.fromEntries(
      changes.map(({ id, overrides: { kind, ...more } }) => [id, { [kind]: more }]),
    ),
  };
};

const END = (name: string) => ({ end: { name } });
const NONE = { none: {} };

it('a draft of a back-test calls a rule with another id as it would if it was stored', () => {
  const live = (stored: StoredRule): Rule => {
    const read = readStoredRule(stored);
    if (read === undefined) throw new TypeError('the rules of this file are right');
    return read;
  };
  const known: Rule = { ...live(rule('b')), namedAs: 'a' };
  const sets = [{ at: author.at, rules: compile([known]) }];
  const named = (asked: DraftAsked) =>
    draftOf(asked, sets).rules.map(({ id, namedAs }) => ({ id, namedAs }));
  for (const asked of [{ rules: [live(rule('c'))] }, { rules: [live(rule('c', LOWER))] }])
    expect(named(asked)).toEqual([{ id: 'c', namedAs: 'a' }]);
  expect(named({ put: live(rule('b', WEEK)) })).toEqual([{ id: 'b', namedAs: 'a' }]);
  expect(named({ put: live(rule('c')) })).toEqual([
    { id: 'b', namedAs: 'a' },
    { id: 'c', namedAs: undefined },
  ]);
});

it('a draft of a back-test takes the place of its rule under each id that it had', () => {
  const live = (stored: StoredRule, more: Partial<Rule> = {}): Rule => {
    const read = readStoredRule(stored);
    if (read === undefined) throw new TypeError('the rules of this file are right');
    return { ...read, ...more };
  };
  const other = live(rule('o', WEEK));
  const [first, last] = [live(rule('a')), live(rule('b'), { namedAs: 'a' })];
  const sets = [
    { at: author.at, rules: compile([first, other]) },
    { at: author.at, rules: compile([last, other]) },
  ];
  const ids = (asked: DraftAsked) => {
    const { under, rules } = draftOf(asked, sets);
    const each = sets.map((set) => under(set.rules).live.map(({ id }) => id));
    return { each, all: rules.map(({ id }) => id) };
  };
  const put = {
    each: [
      ['b', 'o'],
      ['b', 'o'],
    ],
    all: ['b', 'o'],
  };
  expect(ids({ put: live(rule('b', LOWER)) })).toEqual(put);
  expect(ids({ drop: 'b' })).toEqual({ each: [['o'], ['o']], all: ['o'] });
});

describe('what overrides call a rule', () => {
  it.each([
    {
      why: 'a new id in one change is the same rule',
      sets: [[rule('a')], [rule('b')]],
      names: { b: 'a' },
      told: { a: { follow: { name: 'a', to: 'b' } }, b: NONE },
    },
    {
      why: 'with another maximum, and another mode, too',
      sets: [[rule('a')], [rule('b', { ...LOWER, mode: 'shadow' })]],
      names: { b: 'a' },
      told: { a: { follow: { name: 'a', to: 'b' } }, b: NONE },
    },
    {
      why: 'the first name stays, however often the id changes',
      sets: [[rule('a')], [rule('b')], [rule('c')]],
      names: { c: 'a' },
      told: { b: { follow: { name: 'a', to: 'c' } }, c: NONE },
    },
    {
      why: 'and when it has its first id again',
      sets: [[rule('a')], [rule('b')], [rule('a')]],
      names: { a: 'a' },
      told: { a: NONE, b: { follow: { name: 'a', to: 'a' } } },
    },
    {
      why: 'a rule for single payments has no counter, and is found by what it is about',
      sets: [[rule('a', ONE)], [rule('b', ONE)]],
      names: { b: 'a' },
      told: { a: { follow: { name: 'a', to: 'b' } }, b: NONE },
    },
    {
      why: 'a draft takes the place of a rule that retires; the retired one needs a name of its own',
      sets: [
        [rule('a'), rule('b', DRAFT)],
        [rule('a', RETIRED), rule('b')],
      ],
      names: { a: 'a~2', b: 'a' },
      told: { a: { follow: { name: 'a', to: 'b' } }, b: NONE },
    },
    {
      why: 'another rule under the old id is another one',
      sets: [[rule('a')], [rule('b')], [rule('a', WEEK), rule('b')]],
      names: { a: 'a~3', b: 'a' },
      told: { a: { begin: { name: 'a~3' } } },
    },
    {
      why: 'a rule that counts otherwise is another one',
      sets: [[rule('a')], [rule('b', WEEK)]],
      names: { b: 'b' },
      told: { a: END('a'), b: { begin: { name: 'b' } } },
    },
    {
      why: 'of two that share a counter each finds the one that is alike',
      sets: [
        [rule('a'), rule('n', NOTIFY)],
        [rule('b'), rule('m', NOTIFY)],
      ],
      names: { b: 'a', m: 'n' },
      told: {
        a: { follow: { name: 'a', to: 'b' } },
        b: NONE,
        m: NONE,
        n: { follow: { name: 'n', to: 'm' } },
      },
    },
    {
      why: 'where one is alike, the other one is known, too',
      sets: [
        [rule('a'), rule('n', NOTIFY)],
        [rule('b', LOWER), rule('m', NOTIFY)],
      ],
      names: { b: 'a', m: 'n' },
      told: {
        a: { follow: { name: 'a', to: 'b' } },
        b: NONE,
        m: NONE,
        n: { follow: { name: 'n', to: 'm' } },
      },
    },
    {
      why: 'where two may be meant, none is',
      sets: [[rule('a')], [rule('b', LOWER), rule('c', NOTIFY)]],
      names: { b: 'b', c: 'c' },
      told: { a: END('a'), b: { begin: { name: 'b' } }, c: { begin: { name: 'c' } } },
    },
    {
      why: 'a rule that was there beside it does not take its place',
      sets: [[rule('a'), rule('b')], [rule('b')]],
      names: { b: 'b' },
      told: { a: END('a') },
    },
    {
      why: 'nor one that came in a change before, as its subjects may have maxima of it already',
      sets: [[rule('a')], [rule('a'), rule('b')], [rule('b')]],
      names: { b: 'b' },
      told: { a: END('a') },
    },
    {
      why: 'a rule that comes back has its overrides again',
      sets: [[rule('a')], [rule('a', DRAFT)], [rule('a')]],
      names: { a: 'a' },
      told: { a: { begin: { name: 'a' } } },
    },
    {
      why: 'a rule that begins to count otherwise keeps them',
      sets: [[rule('a')], [rule('a', WEEK)]],
      names: { a: 'a' },
      told: { a: { stay: { name: 'a' } } },
    },
    {
      why: 'two rules that exchange their ids are the same rules',
      sets: [
        [rule('a'), rule('b', WEEK)],
        [rule('a', WEEK), rule('b')],
      ],
      names: { a: 'b', b: 'a' },
      told: {
        a: { follow: { name: 'a', to: 'b' } },
        b: { follow: { name: 'b', to: 'a' } },
      },
    },
    {
      why: 'so are three that hand them on, with other maxima',
      sets: [
        [rule('a'), rule('b', WEEK), rule('c', ONE)],
        [rule('a', { ...ONE, ...LOWER }), rule('b', LOWER), rule('c', { ...WEEK, ...LOWER })],
      ],
      names: { a: 'c', b: 'a', c: 'b' },
      told: {
        a: { follow: { name: 'a', to: 'b' } },
        b: { follow: { name: 'b', to: 'c' } },
        c: { follow: { name: 'c', to: 'a' } },
      },
    },
    {
      why: 'a rule that hands its counter to a new one, and counts otherwise itself, has none left',
      sets: [[rule('a')], [rule('a', WEEK), rule('b')]],
      names: { a: 'a~2', b: 'a' },
      told: { a: { follow: { name: 'a', to: 'b' } }, b: NONE },
    },
    {
      why: 'where a rule takes the place of another one, its own end and those of the other go on',
      sets: [[rule('a'), rule('b', WEEK)], [rule('a', WEEK)]],
      names: { a: 'b' },
      told: { a: END('a'), b: { follow: { name: 'b', to: 'a' } } },
    },
    {
      why: 'another maximum says nothing of them',
      sets: [[rule('a')], [rule('a', LOWER)]],
      names: { a: 'a' },
      told: { a: NONE },
    },
  ])('$why', ({ sets, names, told }) => {
    expect(after(...sets)).toEqual({ names, told });
  });
});
