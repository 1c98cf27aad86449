import { describe, expect, it } from 'vitest';
import type { InForce } from '../../lib/backtest/history.ts';
import type { Listener, Question } from '../../lib/backtest/replay-past.ts';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { replayPast } from '../../lib/backtest/replay-past.ts';
import { compile } from '../../lib/plan/compile.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { libRule } from '../support/service-under-test.ts';
import { memoryRows } from './memory-rows.ts';
import { pastOf } from './played-past.ts';
import { settingsFrom } from './settings-from.ts';

const START = new Date('2026-03-02T02:00:00Z');
/** Two orders a day of a user. */
const TWO = libRule({ ...USER_DAY, max: { count: 2 } });

const IN_FORCE: InForce = {
  rules: [{ at: START, rules: compile([TWO]) }],
  terms: [],
  settings: settingsFrom(START),
};

function at(second: number): Date {
  return new Date(START.getTime() + 1_000 * second);
}

function ordersOf(...ids: readonly string[]): readonly CheckRequest[] {
  return ids.map((orderId) => checkOf({ orderId, subjects: { user: 'u-1' }, holdMs: 60_000 }));
}

/** The library's rows of three calls of all or none: the second asks for one order too many. */
async function playedCalls(isTriedAgain = false) {
  const { rows, audit } = memoryRows();
  const limits = limitsOver(mingoStore(), () => Promise.resolve([TWO]), { audit });
  await limits.checkMany(ordersOf('a-1'), true, at(1), 'call-a');
  await limits.checkMany(ordersOf('b-1', 'b-2'), true, at(2), 'call-b');
  await limits.checkMany(ordersOf('c-1'), true, at(3), 'call-c');
  if (isTriedAgain) await limits.checkMany(ordersOf('b-1', 'b-2'), true, at(4), 'call-d');
  return { rows: rows(), inForce: IN_FORCE };
}

async function said(max: number, freed: Question['freed'] = 'unpaid', isTriedAgain = false) {
  const draft = wholeDraft([{ ...TWO, max: { count: max } }]);
  const told: Record<string, readonly string[]> = {};
  const listener: Listener = {
    onRow: () => undefined,
    onCheck: ({ orderId, outcome }, control, { direct, knockOn }) => {
      told[orderId] = [outcome, control.knockOn.outcome, direct.outcome, knockOn.outcome];
    },
  };
  const question = { draft, freed, from: START, documentsMax: 10 };
  await replayPast(pastOf(await playedCalls(isTriedAgain)), question, listener);
  return told;
}

describe('a call of all or none', () => {
  it('is decided as a whole, as it was', async () => {
    expect(await said(2)).toEqual({
      'a-1': ['held', 'allowed', 'allowed', 'allowed'],
      'b-1': ['NOT_ALL_ALLOWED', 'NOT_ALL_ALLOWED', 'NOT_ALL_ALLOWED', 'NOT_ALL_ALLOWED'],
      'b-2': ['refused', 'refused', 'refused', 'refused'],
      'c-1': ['held', 'allowed', 'allowed', 'allowed'],
    });
  });

  it('takes the room of a later call where a draft lets it pass', async () => {
    expect(await said(3)).toEqual({
      'a-1': ['held', 'allowed', 'allowed', 'allowed'],
      'b-1': ['NOT_ALL_ALLOWED', 'NOT_ALL_ALLOWED', 'allowed', 'allowed'],
      'b-2': ['refused', 'refused', 'allowed', 'allowed'],
      'c-1': ['held', 'allowed', 'allowed', 'refused'],
    });
  });

  it.each(['unpaid', 'paid'] as const)(
    'is not needed again where a draft let it pass: %s',
    async (freed) => {
      expect(await said(3, freed, true)).toMatchObject({
        'b-1': ['refused', 'refused', 'NOT_ALL_ALLOWED', 'repeated'],
        'b-2': ['refused', 'refused', 'refused', 'repeated'],
      });
    },
  );
});

describe('a replay', () => {
  it('ends where more subjects count than it may hold in memory', async () => {
    const question = { draft: wholeDraft([TWO]), freed: 'unpaid', from: START } as const;
    const past = pastOf(await playedCalls());
    const listener: Listener = { onRow: () => undefined, onCheck: () => undefined };
    const twice = {
      ...past,
      async *rows() {
        for await (const rows of past.rows()) {
          yield rows;
          // Other calls long after them, so that those are replayed before.
          yield rows.map(({ requestId: _call, ...row }) => ({
            ...row,
            at: new Date(row.at.getTime() + 120_000),
          }));
        }
      },
    };
    await expect(
      replayPast(twice, { ...question, documentsMax: 0 }, listener),
    ).rejects.toMatchObject({
      code: 'CANNOT_BE_TESTED',
      message:
        'more than 0 subjects count at one time, the most that a back-test holds in memory: choose a shorter time',
    });
  });
});
