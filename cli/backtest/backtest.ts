import type { Db } from 'mongodb';
import { backtest, newBacktest } from '../../lib/backtest/backtest.ts';
import type { DraftAsked } from '../../lib/backtest/draft.ts';
import { prepared } from '../../lib/backtest/draft.ts';
import { readInForce } from '../../lib/backtest/mongo-in-force.ts';
import { mongoPast } from '../../lib/backtest/mongo-past.ts';
import type { Freed } from '../../contract/backtests.ts';
import { FREED } from '../../contract/backtests.ts';
import { resultOf } from '../../lib/backtest/tally.ts';
import type { Subject } from '../../lib/shared/subject.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { DONE } from '../exit-codes.ts';
import { printJson, visible } from '../output.ts';
import { readPositive, readSubjects } from '../words.ts';
import { backtestText } from './backtest-text.ts';
import { writeDays } from './days.ts';
import type { Range, RangeOptions } from './range.ts';
import { readRange, withPace } from './range.ts';
import { digitsBy, readRules } from './rules-read.ts';

const NOT_DONE = 'Not tested';

/** The options of the command line. */
export type BacktestOptions = RangeOptions & {
  readonly put?: string;
  readonly drop?: string;
  readonly subject?: string;
  readonly freed: string;
  readonly rowsPerSecond?: string;
  readonly chart?: string;
  readonly json?: boolean;
};

/** Says what the rules of a file would have decided, or those of the time with a change. */
export async function backtestFile(db: Db, file: string | undefined, options: BacktestOptions) {
  const draft = readDraft(file, options);
  const range = readRange(options);
  const { subject: word, rowsPerSecond: speed } = options;
  const subject = word === undefined ? undefined : readSubject(word);
  const rowsPerSecond = speed === undefined ? undefined : readPositive('--rows-per-second', speed);
  const freed = readFreed(options.freed);
  const inForce = await readInForce(db, range.to);
  const asked = { ...prepared(draft, inForce, { ...range, subject }), ...range, freed };
  const rows = { from: asked.warmUpFrom, to: range.to, subject, rowsPerSecond };
  const state = newBacktest();
  await withPace(range.to, backtest(mongoPast(db, inForce, rows), asked, state));
  const result = resultOf(state.tally, asked);
  if (result.control.checks === 0) throw noCheck(db, range, word);
  // A draft may leave out the rule that says how many digits a private currency has.
  const ofTheTime = inForce.rules.flatMap(({ rules }) => rules.live);
  if (options.json === true) printJson(result);
  else console.log(backtestText(result, digitsBy([...asked.draft.rules, ...ofTheTime])));
  if (options.chart !== undefined) await writeDays(options.chart, result);
  return DONE;
}

function noCheck({ databaseName }: Db, { from, to }: Range, subject: string | undefined) {
  const whose = subject === undefined ? '' : ` of ${visible(subject)}`;
  return new CommandError(
    `Not tested: database ${databaseName} has no check${whose} from ${from.toISOString()} to ${to.toISOString()}. Is AUDIT on, and the time right?`,
  );
}

const DRAFT_EXPECTED = 'expected a file of rules, --put or --drop, and one of them alone';

/** @throws UsageError */
function readDraft(file: string | undefined, { put, drop }: BacktestOptions): DraftAsked {
  const given = [file, put, drop].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw new UsageError(`There are ${given.length} drafts, ${DRAFT_EXPECTED}.`);
  if (drop !== undefined) return { drop };
  if (put === undefined) return { rules: readRules(file ?? '', NOT_DONE) };
  const rules = readRules(put, NOT_DONE);
  const [rule] = rules;
  if (rule !== undefined && rules.length === 1) return { put: rule };
  throw new CommandError(`${NOT_DONE}: ${put} has ${rules.length} rules, expected one.`);
}

/** @throws UsageError */
function readSubject(word: string): Subject {
  const [[kind, id] = ['', '']] = Object.entries(readSubjects([word]));
  return { kind, id };
}

function readFreed(text: string): Freed {
  const freed = FREED.find((one) => one === text);
  if (freed !== undefined) return freed;
  throw new UsageError(`--freed is ${JSON.stringify(text)}, expected ${FREED.join(' or ')}.`);
}
