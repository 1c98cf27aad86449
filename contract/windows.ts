import * as z from 'zod/mini';
import { CALENDAR_UNITS } from '../lib/rule/calendar.ts';
import type { Window } from '../lib/rule/windows/windows.ts';
import { said } from '../lib/schema/said.ts';
import * as say from './words.ts';

/** How answers show windows. */

const period = {
  start: say.instant('The first instant in it.'),
  end: say.instant('The first instant after it.'),
};

const sinceAttribute = { attribute: say.text('The attribute that has the instant.') };

/** The time over which a maximum counts. */
export const ruleWindow = say.byKind('RuleWindow', 'The window over which a maximum counts.', {
  transaction: say.named('TransactionWindow', 'Each transaction alone.', {
    kind: say.only('transaction'),
  }),
  lifetime: say.named('LifetimeWindow', 'All time.', { kind: say.only('lifetime') }),
  calendar: say.named(
    'CalendarWindow',
    'A calendar period in a time zone.',
    {
      kind: say.only('calendar'),
      unit: say.oneOf(CALENDAR_UNITS, 'The unit of the period.'),
      timeZone: say.text('A time zone of the IANA database.'),
      ...period,
    },
    {
      every: say.large('The number of units, if more than 1.', 2),
      since: say.object(
        'Its periods begin on the date of the instant that orders say.',
        sinceAttribute,
      ),
    },
  ),
  rolling: say.named('RollingWindow', 'The time just before now, such as the last 24 hours.', {
    kind: say.only('rolling'),
    span: say.span('The length of the window.'),
    step: said(
      z.union([say.only('exact'), z.string().check(z.regex(say.SPAN_PATTERN))]),
      '`exact`, or the length of the steps in which old payments leave the window.',
    ),
    ...period,
    maxEarlyRefusal: say.span('The longest time by which the rule may refuse too early.'),
  }),
  since: say.named(
    'SinceWindow',
    'The time after an instant that each order says. It comes once.',
    {
      kind: say.only('since'),
      since: say.object('Who says when it begins.', sinceAttribute),
      for: say.span('How long it lasts.'),
      ...period,
    },
  ),
} satisfies Readonly<Record<Window['kind'], z.ZodMiniType>>);
