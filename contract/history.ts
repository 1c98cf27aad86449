import * as z from 'zod/mini';
import { CALENDAR_UNITS } from '../lib/rule/calendar.ts';
import { subjects } from '../lib/schema/fields.ts';
import { called, said } from '../lib/schema/said.ts';
import { ruleId, unknownKind } from './standings.ts';
import { entry, frozenThen, refusal } from './status.ts';
import * as say from './words.ts';
import { COUNTER_SUM_MAX, TRANSACTIONS_MAX, HISTORY_WINDOWS_MAX } from '../lib/shared/bounds.ts';

/** The answers of the calls about the past. */

const currency = say.nullable(
  say.text('The currency. Null for payments whose rows do not have it.'),
);
const timeZone = say.text('A time zone of the IANA database.');
const now = say.instant('The time of the answer.');
const unknownKinds = say.list(
  unknownKind,
  'If nothing was found: kinds in the query that no rule names.',
);

/** The answer of `transactions`. */
export const transactionsAnswer = say.named(
  'TransactionsAnswer',
  'A page of operations, newest first.',
  {
    subjects: say.record(
      say.text('An id.'),
      'The subjects of the query. Empty if the query named none.',
    ),
    transactions: say.list(
      say.named(
        'Transaction',
        'One operation on an order, and its outcome.',
        {
          orderId: say.text('The order.'),
          app: say.text('The application that owns the order.'),
          subjects: subjects(
            'The subjects of the order. If its check has no row: those that the call named.',
          ),
          ...entry.always,
        },
        {
          type: say.text('The type of the order.'),
          ...entry.maybe,
          refusals: say.list(refusal, 'The rules that refused, as they were then.'),
          frozen: say.list(frozenThen, 'The subjects that were frozen.'),
        },
      ),
      'Newest first.',
      TRANSACTIONS_MAX,
    ),
    next: say.nullable(
      say.text('Send it as `before` to get the next page. Null on the last page.'),
    ),
  },
  { unknownKinds },
);

/** The answer of `usageHistory`. */
export const usageHistoryAnswer = say.named(
  'UsageHistoryAnswer',
  'The sums, window by window.',
  {
    subjects: subjects('The subjects of the query.'),
    unit: say.oneOf(CALENDAR_UNITS, 'The unit of the windows.'),
    timeZone,
    windows: say.list(
      say.named('WindowSums', 'The sums of one window.', {
        start: say.instant('Its first instant.'),
        end: say.instant('The first instant after.'),
        sums: say.list(
          say.object('The sums in one currency.', {
            currency,
            amount: say.large(
              'Confirmed and not refunded, in minor units, less what `minus` of the rule takes off. Beyond 2^53: the nearest number.',
              -COUNTER_SUM_MAX,
            ),
            count: say.large('The count confirmed and not refunded.'),
            refunded: say.large('The refunds of payments of this window, in minor units.'),
          }),
          'One for each currency. Empty if nothing counted.',
        ),
      }),
      'Oldest first; the last one is not over.',
      HISTORY_WINDOWS_MAX,
    ),
    now,
  },
  {
    rule: say.text('The rule that counted.'),
    unknownKinds,
    every: say.large('The number of units in a window, if more than one.', 2),
  },
);

const sums = say.named('Sums', 'An amount and a count.', {
  amount: say.large('Minor units. Above 2^53: the nearest number.'),
  count: say.large('The count, as rules count it.'),
});

/** The answer of `summary`. */
export const summaryAnswer = say.named(
  'SummaryAnswer',
  'The sums of one day for one kind of subject.',
  {
    kind: say.text('The kind of subject.'),
    date: said(z.string(), 'The day.', { format: 'date' }),
    timeZone,
    start: say.instant('The first instant of the day.'),
    end: say.instant('The first instant after it.'),
    sums: say.list(
      say.object('The sums in one currency.', {
        currency,
        confirmed: called(
          sums,
          'Confirmed or captured that day, or recorded as a payment of that day.',
        ),
        recorded: called(sums, 'Recorded that day as payments of other days.'),
        refunded: called(sums, 'Refunded that day, whenever the payment was.'),
      }),
      'One for each currency.',
    ),
    refused: say.sum('Checks that were refused.'),
    refusals: say.list(
      say.object(
        'The rules that refused, the most frequent first. Several rules may refuse one check.',
        {
          count: say.sum('Checks.'),
          hourly: say.list(say.sum('Checks.'), 'The number for each hour from `start`.'),
        },
        { rule: ruleId, reason: say.text('`no-rule` or `frozen`, if no rule refused.') },
      ),
      'One for each rule or reason.',
    ),
    now,
  },
);
