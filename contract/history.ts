import * as z from 'zod/mini';
import { HISTORY_WINDOWS_MAX, TRANSACTIONS_MAX } from '../lib/audit/history/history-bounds.ts';
import { CALENDAR_UNITS } from '../lib/rules/rule.ts';
import { subjects } from '../lib/http/fields.ts';
import { called, said } from '../lib/http/said.ts';
import { ruleId, unknownKind } from './standings.ts';
import { entry, frozenThen, refusal } from './status.ts';
import * as say from './words.ts';

/** What the calls answer that tell of the past. */

const currency = say.nullable(say.text('Null of payments of which no row says it.'));
const timeZone = say.text('A time zone of the IANA database.');
const now = say.instant('When it was told.');
const unknownKinds = say.list(
  unknownKind,
  'Where nothing is found: kinds in the query that no rule knows.',
);

/** What `transactions` answers. */
export const transactionsAnswer = say.named(
  'TransactionsAnswer',
  'A page of what happened, newest first.',
  {
    subjects: say.record(
      say.text('An id.'),
      'Those that were asked about; none where everybody was.',
    ),
    transactions: say.list(
      say.named(
        'Transaction',
        'One operation on an order, and what it came to.',
        {
          orderId: say.text('The order.'),
          app: say.text('The application whose order it is.'),
          subjects: subjects('Those that it named; none where it said only the order.'),
          ...entry.always,
        },
        {
          type: say.text('Of the order.'),
          ...entry.maybe,
          refusals: say.list(refusal, 'How each of the rules stood that refused.'),
          frozen: say.list(frozenThen, 'The subjects that were frozen.'),
        },
      ),
      'Newest first.',
      TRANSACTIONS_MAX,
    ),
    next: say.nullable(say.text('What to ask for as `before` next; null where there are no more.')),
  },
  { unknownKinds },
);

/** What `usageHistory` answers. */
export const usageHistoryAnswer = say.named(
  'UsageHistoryAnswer',
  'What was counted, window by window.',
  {
    subjects: subjects('Those that it was counted for.'),
    unit: say.oneOf(CALENDAR_UNITS, 'Of the windows.'),
    timeZone,
    windows: say.list(
      say.named('WindowSums', 'What counts in one window.', {
        start: say.instant('Its first instant.'),
        end: say.instant('The first instant after.'),
        sums: say.list(
          say.object('Of one currency.', {
            currency,
            amount: say.large(
              'Confirmed and not refunded, in minor units; above 2^53 the nearest number.',
            ),
            count: say.large('Confirmed and not refunded.'),
            refunded: say.large('What was given back of this window, in minor units.'),
          }),
          'By currency; none where nothing was counted.',
        ),
      }),
      'Oldest first; the last one is not over.',
      HISTORY_WINDOWS_MAX,
    ),
    now,
  },
  {
    rule: say.text('The rule whose counter it is.'),
    unknownKinds,
    every: say.large('Units of a window, where more than one.', 2),
  },
);

const sums = say.named('Sums', 'An amount and a count.', {
  amount: say.large('Minor units; above 2^53 the nearest number.'),
  count: say.large('As rules count it.'),
});

/** What `summary` answers. */
export const summaryAnswer = say.named(
  'SummaryAnswer',
  'What happened on a day to a kind of subject.',
  {
    kind: say.text('The kind of subject.'),
    date: said(z.string(), 'The day.', { format: 'date' }),
    timeZone,
    start: say.instant('The first instant of the day.'),
    end: say.instant('The first instant after it.'),
    sums: say.list(
      say.object('Of one currency.', {
        currency,
        confirmed: called(sums, 'Confirmed that day; captured too, and recorded of that day.'),
        recorded: called(sums, 'Recorded that day, of payments of other days.'),
        refunded: called(sums, 'Refunded that day, of whatever day.'),
      }),
      'By currency.',
    ),
    refused: say.sum('Checks that were refused.'),
    refusals: say.list(
      say.object(
        'What refused, most checks first; a check may be refused by several.',
        {
          count: say.sum('Checks.'),
          hourly: say.list(say.sum('Checks.'), 'Hour by hour, from `start` on.'),
        },
        { rule: ruleId, reason: say.text('In place of a rule: `no-rule`, `frozen`.') },
      ),
      'By rule.',
    ),
    now,
  },
);
