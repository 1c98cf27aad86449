import type { Db } from 'mongodb';
import { readInForce } from '../../lib/backtest/mongo-in-force.ts';
import { mongoPast } from '../../lib/backtest/mongo-past.ts';
import { preparedFor, suggest } from '../../lib/backtest/suggest.ts';
import type { Suggestion } from '../../lib/backtest/suggestion.ts';
import { readVersionedRules } from '../../lib/rule-book/mongo-rule-store.ts';
import { readableRules } from '../../lib/rule-file/rule-list.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { DONE } from '../exit-codes.ts';
import { printJson } from '../output.ts';
import type { RangeOptions } from './range.ts';
import { readRange, withPace } from './range.ts';
import { digitsBy, readRules } from './rules-read.ts';
import { suggestionText, writeCurve } from './suggestion-text.ts';

/** The options of the command line. */
export type SuggestOptions = RangeOptions & {
  readonly share: string;
  readonly file?: string;
  readonly chart?: string;
  readonly json?: boolean;
};

const NOT_DONE = 'Not suggested';
/** With more, a maximum is none. */
const SHARE_MAX = 0.5;

/** Says which maximum of a rule would have refused a share of its subjects. */
export async function suggestMaximum(db: Db, id: string, options: SuggestOptions) {
  const range = readRange(options);
  const share = readShareOfSubjects(options.share);
  const rule = await readRuleOf(db, id, options.file);
  const suggestion = await suggested(db, rule, { ...range, share });
  const digits = digitsBy([rule]);
  if (options.json === true) printJson(suggestion);
  else console.log(suggestionText(suggestion, rule, digits));
  if (options.chart !== undefined) await writeCurve(options.chart, suggestion, digits);
  return DONE;
}

async function suggested(
  db: Db,
  rule: Rule,
  asked: { readonly from: Date; readonly to: Date; readonly share: number },
): Promise<Suggestion> {
  const { from, to } = asked;
  const inForce = await readInForce(db, to);
  const question = preparedFor({ ...asked, rule }, inForce);
  const past = mongoPast(db, inForce, { from: question.warmUpFrom, to });
  const suggestion = await withPace(to, suggest(past, question));
  if (suggestion.maxima.some(({ all }) => all !== null)) return suggestion;
  const { ownMaxima } = suggestion;
  const when = `from ${from.toISOString()} to ${to.toISOString()}`;
  const what = `that the maximum of rule ${JSON.stringify(rule.id)} decides about`;
  throw new CommandError(
    ownMaxima > 0
      ? `${NOT_DONE}: ${when} only subjects with own maxima have a check ${what}, and these are left out: choose another time.`
      : `${NOT_DONE}: database ${db.databaseName} has no check ${when} ${what}. Is AUDIT on, and the time right?`,
  );
}

/** @throws CommandError */
async function readRuleOf(db: Db, id: string, file: string | undefined): Promise<Rule> {
  const rules =
    file === undefined ? readableRules(await readVersionedRules(db)) : readRules(file, NOT_DONE);
  const rule = rules.find((one) => one.id === id);
  const place = file ?? `database ${db.databaseName}`;
  if (rule === undefined)
    throw new CommandError(
      `${NOT_DONE}: ${place} has no rule ${JSON.stringify(id)}. It has: ${rules.map((one) => one.id).join(', ')}.`,
    );
  const { amountMinor, count } = rule.max;
  if (amountMinor !== undefined || count !== undefined) return rule;
  throw new CommandError(
    `${NOT_DONE}: rule ${JSON.stringify(id)} has only a minimum, expected a rule with a maximum.`,
  );
}

/** @throws UsageError */
function readShareOfSubjects(text: string): number {
  const [, percent] = /^(\d{1,2}(?:\.\d{1,6})?)\s?%$/.exec(text) ?? [];
  const share = percent === undefined ? NaN : Number(percent) / 100;
  if (share <= SHARE_MAX) return share;
  throw new UsageError(
    `--share is ${JSON.stringify(text)}, expected a share of subjects from 0% to ${SHARE_MAX * 100}%, such as 1%.`,
  );
}
