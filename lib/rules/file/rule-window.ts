import * as z from 'zod/mini';
import {
  EVERY_MAX,
  ROLLING_SPAN_MS_MAX,
  ROLLING_SPAN_MS_MIN,
  ROLLING_STEPS_DEFAULT,
  ROLLING_STEPS_MAX,
} from '../../shared/bounds.ts';
import { isZone } from '../../windows/calendar.ts';
import type { Mistake } from '../../shared/errors.ts';
import type { CalendarUnit, Window } from '../rule.ts';
import { CALENDAR_UNITS, EXACT_STEP_MS, WEEK_DAYS } from '../rule.ts';
import {
  choice,
  durationFrom,
  patternText,
  readDurationMs,
  textOf,
  wholeNumber,
} from '../../http/fields.ts';
import type { Path } from '../../http/mistakes.ts';
import { mistakeAt, mistakesOf, ownField } from '../../http/mistakes.ts';
import { referenceTo, said } from '../../http/said.ts';

/** A window, or everything that is wrong with it. */
type WindowReading = { readonly window?: Window; readonly mistakes: readonly Mistake[] };

const WINDOW_EXPECTED =
  'transaction, lifetime, an object with unit and timeZone, or an object with rolling';

const STEP_EXPECTED = `exact, or an ISO 8601 duration, at most the span and at least 1/${ROLLING_STEPS_MAX} of it`;

/** How a time zone is named. */
export const TIME_ZONE_EXPECTED = 'a time zone of the IANA database, such as Asia/Shanghai';

/** Says whether the time zone database has a name. Offsets such as +08:00 are no names. */
export function isTimeZone(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z][\w+/-]*$/.test(name) && isZone(name);
}

const calendarShape = {
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
};
/** A window of a calendar. */
export const calendarSchema = said(
  z.strictObject(calendarShape, {
    error: `only the fields ${Object.keys(calendarShape).join(', ')}`,
  }),
  'A calendar window.',
);

const rollingShape = {
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
};
/** A rolling window. */
export const rollingSchema = said(
  z.strictObject(rollingShape, {
    error: `only the fields ${Object.keys(rollingShape).join(', ')}`,
  }),
  'The time just before now, such as the last 24 hours.',
);

/**
 * Reads the window of a rule.
 *
 * @param anchorAt where the count of `every` begins, if the rule has a beginning
 * @param at where the window stands, for mistakes
 */
export function readWindow(input: unknown, anchorAt: Date | undefined, at: Path): WindowReading {
  if (input === 'transaction' || input === 'lifetime')
    return { window: { kind: input }, mistakes: [] };
  if (ownField(input, 'unit') !== undefined) return readCalendar(input, anchorAt, at);
  if (ownField(input, 'rolling') !== undefined) return readRolling(input, at);
  return { mistakes: [mistakeAt(at, input, WINDOW_EXPECTED)] };
}

function readCalendar(input: unknown, anchorAt: Date | undefined, at: Path): WindowReading {
  const result = calendarSchema.safeParse(input);
  const mistakes = misplacedFields(input, at);
  if (!result.success) return { mistakes: [...mistakesOf(result.error, input, at), ...mistakes] };
  const { unit, every = 1, timeZone, dayStart = '00:00', weekStart, monthDay } = result.data;
  const window: Window = {
    kind: 'calendar',
    unit,
    every,
    ...(anchorAt === undefined || every === 1 ? {} : { anchorAt }),
    timeZone,
    dayStartMinutes: Number(dayStart.slice(0, 2)) * 60 + Number(dayStart.slice(3)),
    weekStart: weekStart ?? 'monday',
    monthDay: monthDay ?? 1,
  };
  return { window, mistakes };
}

/** Fields that mean something with some units only. */
export const UNITS_OF: Readonly<Record<string, readonly CalendarUnit[]>> = {
  dayStart: ['day', 'week', 'month', 'quarter', 'year'],
  weekStart: ['week'],
  monthDay: ['month', 'quarter', 'year'],
};

function misplacedFields(input: unknown, at: Path): readonly Mistake[] {
  const unit = ownField(input, 'unit');
  if (!CALENDAR_UNITS.some((each) => each === unit)) return [];
  return Object.entries(UNITS_OF).flatMap(([name, units]) => {
    const value = ownField(input, name);
    if (value === undefined || units.some((each) => each === unit)) return [];
    return [mistakeAt([...at, name], value, `nothing here: it is for ${units.join(', ')} only`)];
  });
}

function readRolling(input: unknown, at: Path): WindowReading {
  const result = rollingSchema.safeParse(input);
  if (!result.success) return { mistakes: mistakesOf(result.error, input, at) };
  const { rolling: spanMs, step } = result.data;
  const stepMs = stepOf(spanMs, step);
  return stepMs === undefined
    ? { mistakes: [mistakeAt([...at, 'step'], step, STEP_EXPECTED)] }
    : { window: { kind: 'rolling', spanMs, stepMs }, mistakes: [] };
}

function stepOf(spanMs: number, step: string | undefined): number | undefined {
  if (step === 'exact') return EXACT_STEP_MS;
  if (step === undefined) return Math.ceil(spanMs / ROLLING_STEPS_DEFAULT);
  const stepMs = readDurationMs(step) ?? 0;
  return stepMs <= spanMs && Math.ceil(spanMs / stepMs) <= ROLLING_STEPS_MAX ? stepMs : undefined;
}
