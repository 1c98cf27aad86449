import * as z from 'zod/mini';
import {
  EVERY_MAX,
  ROLLING_SPAN_MS_MAX,
  ROLLING_SPAN_MS_MIN,
  ROLLING_STEPS_DEFAULT,
  ROLLING_STEPS_MAX,
} from '../../shared/bounds.ts';
import { isTimeZone } from '../calendar.ts';
import { present } from '../../shared/present.ts';
import type { CalendarWindow, Window } from '../rule.ts';
import { CALENDAR_UNITS, EXACT_STEP_MS, WEEK_DAYS } from '../rule.ts';
import {
  byForm,
  choice,
  durationFrom,
  patternText,
  readDurationMs,
  textOf,
  wholeNumber,
} from '../../schema/fields.ts';
import { ownField } from '../../schema/mistakes.ts';
import { referenceTo, said } from '../../schema/said.ts';

const WINDOW_EXPECTED =
  'transaction, lifetime, an object with unit and timeZone, or an object with rolling';

const STEP_EXPECTED = `exact, or an ISO 8601 duration, at most the span and at least 1/${ROLLING_STEPS_MAX} of it`;

/** How a time zone is named. */
export const TIME_ZONE_EXPECTED = 'a time zone of the IANA database, such as Asia/Shanghai';

/** A window of a calendar. */
export const calendarSchema = windowOf('A calendar window.', {
  unit: choice(CALENDAR_UNITS, 'The unit of the window.'),
  every: z.optional(wholeNumber(1, EVERY_MAX, 'The number of units in a window. Default: 1.')),
  timeZone: textOf('TimeZone', isTimeZone, TIME_ZONE_EXPECTED, 'A time zone of the IANA database.'),
  dayStart: z.optional(
    patternText(
      /^([01][0-9]|2[0-3]):[0-5][0-9]$/,
      'a time of day as text, from "00:00" to "23:59"',
      'The time at which a day starts, such as `04:00`. For days and longer units.',
    ),
  ),
  weekStart: z.optional(choice(WEEK_DAYS, 'Of weeks.')),
  monthDay: z.optional(
    wholeNumber(
      1,
      31,
      'The day of the month on which a window starts. For months, quarters and years.',
    ),
  ),
});

/** A rolling window. */
export const rollingSchema = windowOf('The time just before now, such as the last 24 hours.', {
  rolling: durationFrom(
    'Duration',
    [ROLLING_SPAN_MS_MIN, ROLLING_SPAN_MS_MAX],
    'an ISO 8601 duration from PT1S to P366D, such as PT24H',
    'The length of the window: PT1S to P366D.',
  ),
  step: z.optional(
    said(
      z.custom<string>((value) => value === 'exact' || readDurationMs(value) !== undefined, {
        error: STEP_EXPECTED,
      }),
      `\`exact\`, or the length of a step: at most \`rolling\`, and at least 1/${ROLLING_STEPS_MAX} of it.`,
      { anyOf: [{ type: 'string', const: 'exact' }, referenceTo('Duration')] },
    ),
  ),
});

function windowOf<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  const error = `only the fields ${Object.keys(shape).join(', ')}`;
  return said(z.strictObject(shape, { error }), description);
}

const calendar = z.pipe(
  calendarSchema,
  z.transform(({ dayStart = '00:00', ...given }): Window => ({
    kind: 'calendar',
    every: 1,
    weekStart: 'monday',
    monthDay: 1,
    ...present(given),
    dayStartMinutes: Number(dayStart.slice(0, 2)) * 60 + Number(dayStart.slice(3)),
  })),
);

const rolling = z.pipe(
  rollingSchema,
  z.transform(({ rolling: spanMs, step }, { issues }): Window => {
    const stepMs = stepOf(spanMs, step);
    if (stepMs === undefined)
      issues.push({ code: 'custom', path: ['step'], message: STEP_EXPECTED, input: step });
    return { kind: 'rolling', spanMs, stepMs: stepMs ?? spanMs };
  }),
);

function stepOf(spanMs: number, step: string | undefined): number | undefined {
  if (step === 'exact') return EXACT_STEP_MS;
  if (step === undefined) return Math.ceil(spanMs / ROLLING_STEPS_DEFAULT);
  const stepMs = readDurationMs(step) ?? 0;
  return stepMs <= spanMs && Math.ceil(spanMs / stepMs) <= ROLLING_STEPS_MAX ? stepMs : undefined;
}

const plain = z.pipe(
  z.enum(['transaction', 'lifetime'], { error: WINDOW_EXPECTED }),
  z.transform((kind): Window => ({ kind })),
);

/** The window of a rule. Where its count of units begins, the rule says. */
export const window = said(
  byForm((value) => {
    if (ownField(value, 'unit') !== undefined) return calendar;
    return ownField(value, 'rolling') === undefined ? plain : rolling;
  }),
  'The window over which the maximum counts.',
  referenceTo('WindowOfRule'),
);

/** Fields that mean something with some units only. */
export const UNITS_OF: Readonly<Record<string, readonly CalendarWindow['unit'][]>> = {
  dayStart: ['day', 'week', 'month', 'quarter', 'year'],
  weekStart: ['week'],
  monthDay: ['month', 'quarter', 'year'],
};
