import { BACKTEST_DOCUMENTS_MAX } from '../shared/bounds.ts';
import { History } from './history.ts';
import { askingOnce } from './missing.ts';
import type { Past, ReplayState } from './replay-past.ts';
import { newReplay, replayBatches } from './replay-past.ts';
import type { Backtest, Tally } from './tally.ts';
import { newTally, tallyCheck, tallyEnd } from './tally.ts';

/** A back-test between two batches of rows. Plain data, so that it can be written down and taken up. */
export type BacktestState = { readonly replay: ReplayState; readonly tally: Tally };

/** How far a back-test has come. */
export type Reached = { readonly rows: number; readonly at: Date };

/** Before the first row. */
export function newBacktest(): BacktestState {
  return { replay: newReplay(), tally: newTally() };
}

/**
 * Finds out what rules would have decided in the past, from a state on: at its end `resultOf` tells it. After each
 * batch of rows it yields how far it has come: there it may be left, and taken up by its state.
 *
 * @throws BacktestTooLargeError
 */
export async function* backtest(
  past: Past,
  asked: Backtest,
  { replay, tally }: BacktestState,
): AsyncGenerator<Reached, void> {
  const known = { asked, history: new History(past.inForce), asking: askingOnce() };
  const question = { ...asked, documentsMax: BACKTEST_DOCUMENTS_MAX };
  const listener = {
    onCheck: tallyCheck.bind(undefined, tally, known),
    onRow: tallyEnd.bind(undefined, tally, known),
  };
  tally.firstAt ??= await past.firstAt();
  for await (const at of replayBatches(past, question, listener, replay))
    yield { rows: tally.rows, at };
}
