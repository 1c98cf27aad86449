import { HISTORY_WINDOWS_MAX, TRANSACTIONS_MAX } from '../../lib/domain/history-bounds.ts';
import { CALENDAR_UNITS } from '../../lib/domain/rule.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import {
  called,
  instant,
  list,
  nullable,
  object,
  oneOf,
  referenceTo,
  sum,
  text,
} from './json-schema.ts';
import { ENTRY } from './status-answer.ts';

/** What the calls answer that tell of the past, field by field. */

/** A sum over many documents: it may be more than a number keeps exactly. */
const sumOfMany = (description: string): JsonObject => ({
  type: 'integer',
  minimum: 0,
  description,
});
const currency = nullable(text('Null of payments of which no row says it.'));
const zone = text('A time zone of the IANA database.');
const now = instant('When it was told.');

/** Components of the past. */
export const HISTORY_ANSWERS: Readonly<Record<string, JsonObject>> = {
  Transaction: object(
    'One operation on an order, and what it came to.',
    {
      orderId: text('The order.'),
      app: text('The application whose order it is.'),
      subjects: called('Subjects', 'Those that it named; none where it said only the order.'),
      ...ENTRY.always,
    },
    {
      type: text('Of the order.'),
      ...ENTRY.maybe,
      refusals: list(referenceTo('Refusal'), 'How each of the rules stood that refused.'),
      frozen: list(referenceTo('FrozenThen'), 'The subjects that were frozen.'),
    },
  ),
  TransactionsAnswer: object(
    'A page of what happened, newest first.',
    {
      subjects: called('Subjects', 'Those that were asked about.'),
      transactions: {
        ...list(referenceTo('Transaction'), 'Newest first.'),
        maxItems: TRANSACTIONS_MAX,
      },
      next: nullable(text('What to ask for as `before` next; null where there are no more.')),
    },
    {
      unknownKinds: list(
        referenceTo('UnknownKind'),
        'Where nothing is found: kinds in the query that no rule knows.',
      ),
    },
  ),
  UsageHistoryAnswer: object(
    'What was counted, window by window.',
    {
      subjects: called('Subjects', 'Those that it was counted for.'),
      unit: oneOf(CALENDAR_UNITS, 'Of the windows.'),
      timeZone: zone,
      windows: {
        ...list(referenceTo('WindowSums'), 'Oldest first; the last one is not over.'),
        maxItems: HISTORY_WINDOWS_MAX,
      },
      now,
    },
    {
      rule: text('The rule whose counter it is.'),
      unknownKinds: list(
        referenceTo('UnknownKind'),
        'Where nothing is found: kinds in the query that no rule knows.',
      ),
      every: {
        type: 'integer',
        minimum: 2,
        description: 'Units of a window, where more than one.',
      },
    },
  ),
  WindowSums: object('What counts in one window.', {
    start: instant('Its first instant.'),
    end: instant('The first instant after.'),
    sums: list(
      object('Of one currency.', {
        currency,
        amount: sumOfMany(
          'Confirmed and not refunded, in minor units; above 2^53 the nearest number.',
        ),
        count: sumOfMany('Confirmed and not refunded.'),
        refunded: sumOfMany('What was given back of this window, in minor units.'),
      }),
      'By currency; none where nothing was counted.',
    ),
  }),
  SummaryAnswer: object('What happened on a day to a kind of subject.', {
    kind: text('The kind of subject.'),
    date: { type: 'string', format: 'date', description: 'The day.' },
    timeZone: zone,
    start: instant('The first instant of the day.'),
    end: instant('The first instant after it.'),
    sums: list(
      object('Of one currency.', {
        currency,
        confirmed: called('Sums', 'Confirmed that day; captured too, and recorded of that day.'),
        recorded: called('Sums', 'Recorded that day, of payments of other days.'),
        refunded: called('Sums', 'Refunded that day, of whatever day.'),
      }),
      'By currency.',
    ),
    refused: sum('Checks that were refused.'),
    refusals: list(
      object(
        'What refused, most checks first; a check may be refused by several.',
        { count: sum('Checks.') },
        {
          rule: text("The rule's id."),
          reason: text('In place of a rule: `no-rule`, `frozen`.'),
        },
      ),
      'By rule.',
    ),
    now,
  }),
  Sums: object('An amount and a count.', {
    amount: sumOfMany('Minor units; above 2^53 the nearest number.'),
    count: sumOfMany('As rules count it.'),
  }),
};
