import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DraftAsked } from '../../lib/backtest/draft.ts';
import { draftOf, prepared, setsDuring, wholeDraft } from '../../lib/backtest/draft.ts';
import type { InForce } from '../../lib/backtest/history.ts';
import type { Question } from '../../lib/backtest/replay-past.ts';
import { replayPast } from '../../lib/backtest/replay-past.ts';
import type { Verdict } from '../../lib/backtest/verdict.ts';
import { compile } from '../../lib/plan/compile.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { walkArbitrary } from '../model/arbitraries.ts';
import { SEED, times } from '../support/extent.ts';
import { USER_DAY } from '../support/limits-fixture.ts';
import { libRule, libWindow } from '../support/service-under-test.ts';
import type { Played } from './played-past.ts';
import { pastOf, playedPast } from './played-past.ts';
import { settingsFrom } from './settings-from.ts';

const ASKED = { freed: 'unpaid', from: new Date(0), documentsMax: 1_000 } as const;

/** What the present rules and a draft say of each check, each by its own decisions. */
async function said(played: Played, draft: Question['draft']) {
  const told: (readonly [present: Verdict, draft: Verdict])[] = [];
  const plain = ({ sentence: _sentence, ...verdict }: Verdict): Verdict => verdict;
  await replayPast(
    pastOf(played),
    { ...ASKED, draft },
    {
      onRow: () => undefined,
      onCheck: (_row, present, { knockOn }) => {
        told.push([plain(present.knockOn), plain(knockOn)]);
      },
    },
  );
  return told;
}

/** Orders ask for what they got: the control asks so, and a draft for what they asked. */
function withoutParts({ rows, ...played }: Played): Played {
  const whole = rows.map(({ askedMinor: _asked, leastMinor: _least, ...row }) => row);
  return { ...played, rows: whole };
}

/** The past as it would have been with other rules all along. */
function changed(played: Played, change: (rules: readonly Rule[]) => readonly Rule[]): Played {
  const { inForce } = played;
  const rules = inForce.rules.map((one) => ({
    at: one.at,
    rules: compile(change(one.rules.live)),
  }));
  return { ...played, inForce: { ...inForce, rules } };
}

describe('a draft that changes the rules of each time', () => {
  it('decides as if the rules had been changed all along', async () => {
    let sets = 0;
    await fc.assert(
      fc.asyncProperty(
        walkArbitrary('several'),
        walkArbitrary('several'),
        fc.nat(),
        async (walk, { rules: others }, pick) => {
          const played = withoutParts(await playedPast(walk));
          const { rules } = played.inForce;
          sets = Math.max(sets, rules.length);
          const [other = USER_DAY] = others;
          const ids = [...new Set(rules.flatMap((one) => one.rules.live.map(({ id }) => id)))];
          const id = ids[pick % ids.length] ?? 'none';
          const put: Rule = { ...libRule(other), id: pick % 2 === 0 ? id : 'new', mode: 'enforce' };
          const without = (all: readonly Rule[], gone: string) =>
            all.filter((rule) => rule.id !== gone);
          const cases: readonly (readonly [
            DraftAsked,
            (all: readonly Rule[]) => readonly Rule[],
          ])[] = [
            [{ put }, (all) => [...without(all, put.id), put]],
            ...(ids.length === 0
              ? []
              : [[{ drop: id }, (all: readonly Rule[]) => without(all, id)] as const]),
          ];
          for (const [asked, change] of cases) {
            const is = await said(played, draftOf(asked, rules));
            const expected = await said(changed(played, change), wholeDraft([]));
            expect(is.map(([, draft]) => withSortedRules(draft))).toEqual(
              expected.map(([present]) => withSortedRules(present)),
            );
          }
        },
      ),
      { numRuns: times('changedSets'), seed: SEED },
    );
    expect(sets).toBeGreaterThan(1);
  }, 600_000);
});

/** Another place in the set is no difference. */
function withSortedRules({ rules, ...verdict }: Verdict): Verdict {
  return { ...verdict, rules: rules.toSorted() };
}

describe('a draft', () => {
  const at = (day: number): Date => new Date(Date.UTC(2026, 2, day));
  const DAY = libRule(USER_DAY);
  const MERCHANT_DAY: Rule = { ...DAY, id: 'merchant-day', per: ['merchant'] };
  const SECOND = compile([MERCHANT_DAY]);
  const IN_FORCE: InForce = {
    rules: [
      { at: at(1), rules: compile([DAY]) },
      { at: at(3), rules: SECOND },
    ],
    terms: [],
    settings: settingsFrom(at(1)),
  };
  const TIME = { from: at(4), to: at(5) };

  it('takes out only what was in force in its time', () => {
    expect(setsDuring(IN_FORCE, at(4), at(5))).toHaveLength(1);
    expect(() => prepared({ drop: 'user-day' }, IN_FORCE, TIME)).toThrow(
      'rule "user-day" was not in force in this time',
    );
    const { draft } = prepared({ drop: 'merchant-day' }, IN_FORCE, TIME);
    expect(draft.under(SECOND).live).toEqual([]);
  });

  it('takes the first rules for in force before they were stored', () => {
    const early = { from: new Date(Date.UTC(2026, 1, 1)), to: new Date(Date.UTC(2026, 1, 2)) };
    const { draft } = prepared({ drop: 'user-day' }, IN_FORCE, early);
    expect(draft.under(compile([DAY])).live).toEqual([]);
    const lifetime = compile([{ ...DAY, id: 'life', window: libWindow('lifetime') }]);
    const past = { ...IN_FORCE, rules: [{ at: at(1), rules: lifetime }] };
    expect(prepared({ put: DAY }, past, early).warmUpFrom).toEqual(new Date(0));
  });

  it('compiles each set once', () => {
    const { draft } = prepared({ put: DAY }, IN_FORCE, { from: at(1), to: at(5) });
    const [first, second] = IN_FORCE.rules.map(({ rules }) => draft.under(rules));
    expect([first?.live, second?.live]).toEqual([[DAY], [MERCHANT_DAY, DAY]]);
    expect(draft.under(SECOND)).toBe(second);
  });

  it('is not one of a rule that decides nothing', () => {
    expect(() => prepared({ put: { ...DAY, mode: 'draft' } }, IN_FORCE, TIME)).toThrow(
      'rule "user-day" has the mode draft and would decide nothing: write enforce or shadow',
    );
  });

  it('is not tried on the rows of a subject that it does not count for', () => {
    const ofUser = { ...TIME, subject: { kind: 'user', id: 'u-1' } };
    expect(() => prepared({ put: MERCHANT_DAY }, IN_FORCE, ofUser)).toThrow(
      'rule "merchant-day" counts per merchant, and the rows of user:u-1 alone do not have its sums',
    );
    expect(prepared({ put: DAY }, IN_FORCE, ofUser).rulesOfOthers).toEqual(['merchant-day']);
  });
});
