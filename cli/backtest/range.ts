import { completeTo, mistakesOfRange } from '../../lib/backtest/range.ts';
import type { Reached } from '../../lib/backtest/backtest.ts';
import { INSTANT_EXPECTED, readInstant } from '../../lib/schema/instant.ts';
import { UsageError } from '../command-error.ts';
import { Progress } from '../output.ts';
import { Pace } from './pace.ts';

/** The time that a command is about, as it is written. */
export type RangeOptions = { readonly from: string; readonly to?: string };

/** From one instant up to another, which is left out. */
export type Range = { readonly from: Date; readonly to: Date };

/** @throws UsageError */
export function readRange({ from, to }: RangeOptions): Range {
  const now = new Date();
  const range = {
    from: readOption('--from', from),
    to: to === undefined ? completeTo(now) : readOption('--to', to),
  };
  const [mistake] = mistakesOfRange(range.from, range.to, now);
  if (mistake === undefined) return range;
  const { path, value, expected } = mistake;
  throw new UsageError(`--${path} is ${value}, expected ${expected}.`);
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
