import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BacktestState } from '../../lib/backtest/backtest.ts';
import { backtest, newBacktest } from '../../lib/backtest/backtest.ts';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import type { Backtest } from '../../lib/backtest/tally.ts';
import { resultOf } from '../../lib/backtest/tally.ts';
import { walkArbitrary } from '../model/arbitraries.ts';
import { SEED, times } from '../support/extent.ts';
import { libRule } from '../support/service-under-test.ts';
import type { Played } from './played-past.ts';
import { pastOf, playedPast } from './played-past.ts';

async function inOneGo(played: Played, asked: Backtest): Promise<BacktestState> {
  const state = newBacktest();
  const reached = backtest(pastOf(played), asked, state);
  while ((await reached.next()).done !== true);
  return state;
}

/** After each batch of rows another process goes on, with what was written down. */
async function inSlices(played: Played, asked: Backtest) {
  let state = newBacktest();
  let slices = 0;
  for (;;) {
    const reached = backtest(pastOf(played), asked, state);
    const { done } = await reached.next();
    if (done === true) return { state, slices };
    await reached.return();
    state = deserialize(serialize(state)) as BacktestState;
    slices += 1;
  }
}

describe('a back-test that is left after each batch of rows', () => {
  it('and taken up by another process says what one says that goes through', async () => {
    let slicesMax = 0;
    await fc.assert(
      fc.asyncProperty(
        walkArbitrary('several'),
        walkArbitrary('several'),
        async (walk, { rules }) => {
          const played = await playedPast(walk);
          const [first, last] = [played.rows[0]?.at ?? new Date(0), played.rows.at(-1)?.at];
          const asked: Backtest = {
            draft: wholeDraft(rules.map(libRule)),
            rulesOfOthers: [],
            from: new Date((first.getTime() + (last ?? first).getTime()) / 2),
            to: new Date((last ?? first).getTime() + 1),
            warmUpFrom: first,
            freed: 'paid',
          };
          const { state, slices } = await inSlices(played, asked);
          slicesMax = Math.max(slicesMax, slices);
          const whole = await inOneGo(played, asked);
          expect(resultOf(state.tally, asked)).toEqual(resultOf(whole.tally, asked));
        },
      ),
      { numRuns: times('takenUpPasts'), seed: SEED },
    );
    expect(slicesMax).toBeGreaterThan(2);
  }, 600_000);
});
