import type { Reached } from '../../lib/backtest/backtest.ts';
import { INSTANT_EXPECTED, readInstant } from '../../lib/schema/instant.ts';
import { ROWS_COMPLETE_MS } from '../../lib/shared/bounds.ts';
import { UsageError } from '../command-error.ts';
import { Progress } from '../output.ts';
import { Pace } from './pace.ts';

/** The time that a command is about, as it is written. */
export type RangeOptions = { readonly from: string; readonly to?: string };

/** From one instant up to another, which is left out. */
export type Range = { readonly from: Date; readonly to: Date };

/** @throws UsageError */
export function readRange({ from, to }: RangeOptions): Range {
  const complete = new Date(Date.now() - ROWS_COMPLETE_MS);
  const [first, last] = [
    readOption('--from', from),
    to === undefined ? complete : readOption('--to', to),
  ];
  if (last > complete)
    throw new UsageError(
      `--to is ${last.toISOString()}, expected at most ${complete.toISOString()}: rows of the last two minutes may be missing.`,
    );
  if (first < last) return { from: first, to: last };
  throw new UsageError(
    `--from is ${first.toISOString()}, expected an instant before --to, ${last.toISOString()}.`,
  );
}

function readOption(name: string, text: string): Date {
  const at = readInstant(text);
  if (at !== undefined) return at;
  throw new UsageError(`${name} is ${JSON.stringify(text)}, expected ${INSTANT_EXPECTED}.`);
}

/** Goes through a past, and says on stderr how far that has come. */
export async function withPace<Result>(
  to: Date,
  steps: AsyncGenerator<Reached, Result>,
): Promise<Result> {
  const progress = new Progress();
  const pace = new Pace(to);
  for (;;) {
    const { done, value } = await steps.next();
    if (done !== true) progress.say(pace.text(value.rows, value.at));
    else {
      progress.clear();
      return value;
    }
  }
}
