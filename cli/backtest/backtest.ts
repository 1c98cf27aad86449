import type { Db } from 'mongodb';
import { backtest, newBacktest } from '../../lib/backtest/backtest.ts';
import type { BacktestResult } from '../../lib/backtest/result.ts';
import type { Freed } from '../../lib/backtest/side.ts';
import { FREED } from '../../lib/backtest/side.ts';
import { resultOf } from '../../lib/backtest/tally.ts';
import { compile } from '../../lib/plan/compile.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { digitsOf } from '../../lib/shared/currency.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { DONE } from '../exit-codes.ts';
import { printJson } from '../output.ts';
import { backtestText } from './backtest-text.ts';
import { writeDays } from './days.ts';
import type { Range, RangeOptions } from './range.ts';
import { readPast, readRange, withPace } from './range.ts';
import { digitsIn, readRules } from './rules-read.ts';

/** The options of the command line. */
export type BacktestOptions = RangeOptions & {
  readonly freed: string;
  readonly chart?: string;
  readonly json?: boolean;
};

/** Says what the rules of a file would have decided. */
export async function backtestFile(db: Db, file: string, options: BacktestOptions) {
  const rules = readRules(file, 'Not tested');
  const result = await tested(db, rules, {
    ...readRange(options),
    freed: readFreed(options.freed),
  });
  if (options.chart !== undefined) await writeDays(options.chart, result);
  if (options.json === true) printJson(result);
  else
    console.log(backtestText(result, (currency) => digitsOf(currency, digitsIn(rules, currency))));
  return DONE;
}

async function tested(
  db: Db,
  rules: readonly Rule[],
  asked: Range & { readonly freed: Freed },
): Promise<BacktestResult> {
  const { from, to } = asked;
  const draft = compile(rules);
  const { past, warmUpFrom } = await readPast(db, draft, asked, true);
  const question = { ...asked, draft, warmUpFrom };
  const state = newBacktest();
  await withPace(to, backtest(past, question, state));
  const result = resultOf(state.tally, question);
  if (result.control.checks > 0) return result;
  throw new CommandError(
    `Not tested: database ${db.databaseName} has no check from ${from.toISOString()} to ${to.toISOString()}. Is AUDIT on, and the time right?`,
  );
}

function readFreed(text: string): Freed {
  const freed = FREED.find((one) => one === text);
  if (freed !== undefined) return freed;
  throw new UsageError(`--freed is ${JSON.stringify(text)}, expected ${FREED.join(' or ')}.`);
}
