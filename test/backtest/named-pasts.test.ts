import { describe, expect, it } from 'vitest';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { replayPast } from '../../lib/backtest/replay-past.ts';
import { isSameVerdict, verdictIn } from '../../lib/backtest/verdict.ts';
import type { ModelCheck, ModelRule } from '../model/model-types.ts';
import type { Step } from '../model/walk.ts';
import { USER_DAY } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { pastOf, playedPast } from './played-past.ts';

const NOBODY = {
  draft: wholeDraft([]),
  from: new Date(0),
  freed: 'unpaid',
  documentsMax: 9,
} as const;

const ONCE: ModelRule = { ...USER_DAY, max: { count: 1 } };
const PAIR: ModelRule = { ...ONCE, id: 'pair', per: ['merchant', 'user'] };
const WRONG_PINS: ModelRule = {
  ...ONCE,
  id: 'wrong-pins',
  outcome: 'rolledBack',
  reasonCodes: ['wrong-pin'],
};
const CARDS: ModelRule = { ...ONCE, id: 'cards', distinct: 'card' };

const SUBJECTS = { user: 'u-1', merchant: 'm-1' };

function check(orderId: string, given: Partial<ModelCheck> = {}): Step {
  const asked = { subjects: SUBJECTS, amount: 100, currency: 'CNY', count: 1, attributes: {} };
  return { do: 'check', request: { orderId, ...asked, holdMs: 1_000, capture: false, ...given } };
}

function rollback(orderId: string, reasonCode: string): Step {
  return { do: 'rollback', request: { orderId, subjects: SUBJECTS, reasonCode } };
}

function confirm(orderId: string): Step {
  return { do: 'confirm', request: { orderId, subjects: SUBJECTS } };
}

function later(ms: number): Step {
  return { do: 'advance', ms };
}

/** What a replay says of each check of a past, which is as it was. */
async function replayed(rules: readonly ModelRule[], steps: readonly Step[]) {
  const startsAt = new Date('2026-03-02T02:00:00Z');
  const played = await playedPast({ startsAt, rules, onNoRule: 'allow', steps });
  const said: string[] = [];
  await replayPast(pastOf(played), NOBODY, {
    onRow: () => undefined,
    onCheck: (row, { direct, knockOn }) => {
      expect([direct, knockOn].map((one) => isSameVerdict(one, verdictIn(row)))).toEqual([
        true,
        true,
      ]);
      said.push(`${row.orderId} ${direct.outcome}`);
    },
  });
  return said;
}

describe('a replay decides as it was decided', () => {
  it.each<{
    why: string;
    rules: readonly ModelRule[];
    steps: readonly Step[];
    said: readonly string[];
  }>([
    {
      why: 'the share of an earlier try of the order is no reason to refuse it',
      rules: [PAIR],
      steps: [check('o-1'), later(1_500), check('o-1')],
      said: ['o-1 allowed', 'o-1 allowed'],
    },
    {
      why: 'a late confirm counts, however long its hold is gone',
      rules: [ONCE],
      steps: [
        check('o-1'),
        later(300_000),
        check('o-2'),
        later(300_000),
        confirm('o-1'),
        check('o-3'),
      ],
      said: ['o-1 allowed', 'o-2 allowed', 'o-3 refused'],
    },
    {
      why: 'a rollback counts among failures by its reason code',
      rules: [WRONG_PINS],
      steps: [
        check('o-1'),
        rollback('o-1', 'no-funds'),
        check('o-2'),
        rollback('o-2', 'wrong-pin'),
        check('o-3'),
      ],
      said: ['o-1 allowed', 'o-2 allowed', 'o-3 refused'],
    },
    {
      why: 'a hold that expired counts where a rule says so, until it is confirmed late',
      rules: [{ ...ONCE, id: 'abandoned', outcome: ['expired'] }],
      steps: [
        check('o-1'),
        later(120_000),
        check('o-2'),
        later(120_000),
        confirm('o-1'),
        check('o-3'),
      ],
      said: ['o-1 allowed', 'o-2 refused', 'o-3 allowed'],
    },
    {
      why: 'another order of the same card adds no value',
      rules: [CARDS],
      steps: [
        check('o-1', { attributes: { card: 'a' } }),
        check('o-2', { attributes: { card: 'a' } }),
        check('o-3', { attributes: { card: 'b' } }),
      ],
      said: ['o-1 allowed', 'o-2 allowed', 'o-3 refused'],
    },
    {
      why: 'a card counts in its own minute alone',
      rules: [
        { ...CARDS, window: { unit: 'minute', timeZone: 'UTC' } },
        { ...ONCE, max: { count: 2 } },
      ],
      steps: [
        check('o-1', { attributes: { card: 'a' }, capture: true }),
        later(60_000),
        check('o-2', { attributes: { card: 'a' }, capture: true }),
        check('o-3', { attributes: { card: 'a' } }),
      ],
      said: ['o-1 allowed', 'o-2 allowed', 'o-3 refused'],
    },
    {
      why: 'a frozen subject is refused, and its terms end',
      rules: [ONCE],
      steps: [
        { do: 'terms', subject: ['user', 'u-1'], frozenMs: 60_000, layers: [] },
        check('o-1'),
        later(60_000),
        check('o-2'),
      ],
      said: ['o-1 refused', 'o-2 allowed'],
    },
    {
      why: 'a record counts, whatever the maximum',
      rules: [ONCE],
      steps: [
        {
          do: 'record',
          request: {
            orderId: 'r-1',
            subjects: SUBJECTS,
            amount: 100,
            currency: 'CNY',
            count: 1,
            attributes: {},
          },
          agoMs: 60_000,
        },
        check('o-1'),
      ],
      said: ['o-1 refused'],
    },
  ])('$why', async ({ rules, steps, said }) => {
    expect(await replayed(rules, steps)).toEqual(said);
  });
});

it('a draft ends the order that it holds again, in place of the try whose hold is over', async () => {
  const steps = [check('o-1'), { do: 'scale', rule: 0, factor: 0 } as const, later(1_500)];
  const after = [check('o-1'), confirm('o-1'), check('o-2')];
  const startsAt = new Date('2026-03-02T02:00:00Z');
  const walk = { startsAt, rules: [ONCE], onNoRule: 'allow', steps: [...steps, ...after] } as const;
  const draft = wholeDraft([libRule({ ...ONCE, id: 'twice', max: { count: 2 } })]);
  const said: string[] = [];
  await replayPast(
    pastOf(await playedPast(walk)),
    { ...NOBODY, draft },
    {
      onRow: () => undefined,
      onCheck: (row, _control, { knockOn }) =>
        said.push(`${row.orderId} ${row.outcome} ${knockOn.outcome}`),
    },
  );
  expect(said).toEqual(['o-1 held allowed', 'o-1 refused allowed', 'o-2 refused allowed']);
});

it.each([
  { by: 'alone', more: {} },
  { by: 'in a call of all or none', more: { atomic: true } as const },
])('an order $by is decided though its merchant has seen the next day', async ({ more }) => {
  const startsAt = new Date('2026-03-02T15:59:40Z');
  const other = { user: 'u-2', merchant: 'm-1' };
  const steps = [later(40_000), check('o-1', { subjects: other }), check('o-2'), check('o-3')];
  const rules = [ONCE, { ...ONCE, id: 'merchant', per: ['merchant'], max: { count: 2 } }] as const;
  const { rows, inForce } = await playedPast({ startsAt, rules, onNoRule: 'allow', steps });
  // A call may have waited: its instant is earlier, and its write is later.
  const waited = rows.map((row) =>
    row.orderId === 'o-1' ? row : { ...row, ...more, at: new Date(row.at.getTime() - 40_000) },
  );
  const inOrder = waited.toSorted((one, next) => one.at.getTime() - next.at.getTime());
  const said: string[] = [];
  await replayPast(pastOf({ rows: inOrder, inForce }), NOBODY, {
    onRow: () => undefined,
    onCheck: (row, { direct }) =>
      said.push(`${row.orderId} ${direct.outcome} ${direct.rules.join()}`),
  });
  expect(said).toEqual(['o-1 allowed ', 'o-2 allowed ', 'o-3 refused user-day,merchant']);
});

it.each([
  { capture: true, then: 'refused', why: 'it counts at once' },
  { capture: false, then: 'allowed', why: 'its hold expires' },
])('an order that a draft lets pass unpaid, with capture $capture: $why', async (row) => {
  const { capture, then } = row;
  const steps: readonly Step[] = [
    { do: 'scale', rule: 0, factor: 0 },
    check('o-1', { capture }),
    later(1_000_000),
    check('o-2'),
  ];
  const startsAt = new Date('2026-03-02T02:00:00Z');
  const past = pastOf(await playedPast({ startsAt, rules: [ONCE], onNoRule: 'allow', steps }));
  const said: string[] = [];
  await replayPast(
    past,
    { ...NOBODY, draft: wholeDraft([libRule(ONCE)]) },
    {
      onRow: () => undefined,
      onCheck: ({ orderId, outcome }, _control, { knockOn }) =>
        said.push(`${orderId} ${outcome} ${knockOn.outcome}`),
    },
  );
  expect(said).toEqual(['o-1 refused allowed', `o-2 refused ${then}`]);
});
