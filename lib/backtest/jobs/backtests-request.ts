import * as z from 'zod/mini';
import { language } from '../../http/sentences/language.ts';
import { place, readPlace } from '../../http/page.ts';
import { changeSchema, operationSchema } from '../../http/requests.ts';
import { ruleId } from '../../rule-file/fields/id.ts';
import { readRule } from '../../rule-file/rule-reading.ts';
import { readRules } from '../../rule-file/rule-list.ts';
import { choice, instant, pageSize, subjects, text, wholeNumber } from '../../schema/fields.ts';
import { INSTANT_FORM } from '../../schema/instant.ts';
import { mistakeAt, ownField } from '../../schema/mistakes.ts';
import { referenceTo, said } from '../../schema/said.ts';
import {
  BACKTEST_ORDERS_DEFAULT,
  BACKTEST_ORDERS_MAX,
  BACKTESTS_LISTED_MAX,
  RULES_BYTES_MAX,
  RULES_MAX,
} from '../../shared/bounds.ts';
import type { Mistake } from '../../shared/errors.ts';
import { FREED } from '../../../contract/backtests.ts';

const id = text('The id, from the answer of the question.');

/** The ways to say what is tried. */
const DRAFTS = ['rules', 'put', 'drop'] as const;
const DRAFTS_EXPECTED = 'exactly one of rules, put and drop';

/** The fields of each call, by its operation. */
export const BACKTESTS_TAKE = {
  start: changeSchema(
    'BacktestRequest',
    {
      rules: z.optional(
        said(z.unknown(), 'A whole set of rules, for all the time. Or `put`, or `drop`.', {
          type: 'array',
          items: { ...referenceTo('Rule'), required: ['id'] },
          minItems: 1,
          maxItems: RULES_MAX,
        }),
      ),
      put: z.optional(
        said(
          z.unknown(),
          'One rule with its `id`, put into the rules of each time. Or `rules`, or `drop`.',
          { ...referenceTo('Rule'), required: ['id'] },
        ),
      ),
      drop: z.optional(
        ruleId('A rule that is taken out of the rules of each time. Or `rules`, or `put`.'),
      ),
      from: instant(`The first instant. ${INSTANT_FORM}.`),
      to: instant(
        `The first instant that is left out, later than \`from\` and at least two minutes ago. ${INSTANT_FORM}.`,
      ),
      freed: z.optional(
        choice(
          FREED,
          'How orders go on that were refused, and that the draft allows: their hold expires, or they are paid at once. One with `capture` always counts at once. Default: `unpaid`.',
        ),
      ),
      subject: z.optional(subjects('Only orders of this subject: one kind and its id.')),
      rowsPerSecond: z.optional(
        wholeNumber(1, 1_000_000, 'The most rows to read in a second. Default: no bound.'),
      ),
    },
    {},
    RULES_BYTES_MAX,
  ),
  list: operationSchema('BacktestsRequest', {
    limit: pageSize(BACKTESTS_LISTED_MAX, BACKTESTS_LISTED_MAX),
  }),
  find: operationSchema('FindBacktestRequest', { id }),
  orders: operationSchema('BacktestOrdersRequest', {
    id,
    decided: z.optional(
      choice(['refused', 'allowed'], 'How the draft decides these orders. Default: `refused`.'),
    ),
    replay: z.optional(
      choice(['direct', 'knockOn'], 'Which of the two replays. Default: `knockOn`.'),
    ),
    rule: z.optional(text('Only orders that this rule refuses, or refused.')),
    limit: pageSize(BACKTEST_ORDERS_DEFAULT, BACKTEST_ORDERS_MAX),
    language: language(),
    before: place(readPlace),
  }),
  stop: operationSchema('StopBacktestRequest', { id }),
};

/** Mistakes of a question between its fields. */
export function mistakesOfQuestion(value: unknown): readonly Mistake[] {
  const given = DRAFTS.filter((name) => ownField(value, name) !== undefined);
  const [name, another] = given;
  if (name === undefined) return [mistakeAt([], value, DRAFTS_EXPECTED)];
  if (another !== undefined)
    return [mistakeAt([another], ownField(value, another), DRAFTS_EXPECTED)];
  const subject = ownField(value, 'subject');
  const isOne = subject === undefined || Object.keys(Object(subject) as object).length === 1;
  const ofSubject = isOne ? [] : [mistakeAt(['subject'], subject, 'one kind and its id')];
  return [...ofSubject, ...mistakesOfDraft(name, ownField(value, name))];
}

function mistakesOfDraft(name: (typeof DRAFTS)[number], said: unknown): readonly Mistake[] {
  if (name === 'drop') return [];
  if (name === 'put') return readRule(said, ['put']).mistakes;
  if (Array.isArray(said) && said.length > 0) return readRules(said).mistakes;
  return [mistakeAt(['rules'], said, `a list of 1 to ${RULES_MAX} rules`)];
}
