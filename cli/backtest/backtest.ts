import { readFileSync } from 'node:fs';
import type { Db } from 'mongodb';
import { backtest, newBacktest } from '../../lib/backtest/backtest.ts';
import { refuseUnkept } from '../../lib/backtest/kept-names.ts';
import { readInForce } from '../../lib/backtest/mongo-in-force.ts';
import { mongoPast } from '../../lib/backtest/mongo-past.ts';
import type { BacktestResult } from '../../lib/backtest/result.ts';
import type { Freed } from '../../lib/backtest/side.ts';
import { FREED } from '../../lib/backtest/side.ts';
import { resultOf } from '../../lib/backtest/tally.ts';
import { warmUpFrom } from '../../lib/backtest/warm-up.ts';
import { compile } from '../../lib/plan/compile.ts';
import { parseRules } from '../../lib/rule/file/rule-list.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { INSTANT_EXPECTED, readInstant } from '../../lib/schema/instant.ts';
import { digitsOf } from '../../lib/shared/currency.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { DONE } from '../exit-codes.ts';
import { fileReason } from '../file-reason.ts';
import { printJson, Progress } from '../output.ts';
import { parseRuleFile } from '../rules/rule-file.ts';
import { backtestText } from './backtest-text.ts';
import { Pace } from './pace.ts';

/** The options of the command line. */
export type BacktestOptions = {
  readonly from: string;
  readonly to?: string;
  readonly freed: string;
  readonly json?: boolean;
};

/** Rows are written after their calls: of the last two minutes some may be missing. */
const COMPLETE_MS = 120_000;

/** Says what the rules of a file would have decided. */
export async function backtestFile(db: Db, file: string, options: BacktestOptions) {
  const rules = readDraft(file);
  const result = await tested(db, rules, { ...rangeOf(options), freed: readFreed(options.freed) });
  if (options.json === true) printJson(result);
  else
    console.log(backtestText(result, (currency) => digitsOf(currency, digitsIn(rules, currency))));
  return DONE;
}

async function tested(
  db: Db,
  rules: readonly Rule[],
  asked: { readonly from: Date; readonly to: Date; readonly freed: Freed },
): Promise<BacktestResult> {
  const { from, to } = asked;
  const draft = compile(rules);
  const inForce = await readInForce(db, to);
  const during = inForce.rules.filter((_set, place) => (inForce.rules[place + 1]?.at ?? to) > from);
  const present = during.flatMap((set) => set.rules.live);
  const start = warmUpFrom([...draft.live, ...present], from) ?? new Date(0);
  refuseUnkept(draft, inForce, start, to);
  const progress = new Progress();
  const pace = new Pace(to);
  const question = { ...asked, draft, warmUpFrom: start };
  const state = newBacktest();
  for await (const { rows: read, at } of backtest(
    mongoPast(db, inForce, start, to),
    question,
    state,
  ))
    progress.say(pace.text(read, at));
  progress.clear();
  const result = resultOf(state.tally, question);
  if (result.control.checks > 0) return result;
  throw new CommandError(
    `Not tested: database ${db.databaseName} has no check from ${from.toISOString()} to ${to.toISOString()}. Is AUDIT on, and the time right?`,
  );
}

function readDraft(file: string): readonly Rule[] {
  try {
    return parseRules(parseRuleFile(readFileSync(file, 'utf8'), file), file);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandError(`Not tested: ${file} cannot be read: ${fileReason(error)}.`);
  }
}

/** @throws UsageError */
function rangeOf({ from, to }: BacktestOptions): { readonly from: Date; readonly to: Date } {
  const complete = new Date(Date.now() - COMPLETE_MS);
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

function readFreed(text: string): Freed {
  const freed = FREED.find((one) => one === text);
  if (freed !== undefined) return freed;
  throw new UsageError(`--freed is ${JSON.stringify(text)}, expected ${FREED.join(' or ')}.`);
}

function digitsIn(rules: readonly Rule[], currency: string): number | undefined {
  return rules.find((rule) => rule.currency === currency)?.digits;
}
