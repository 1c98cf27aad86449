import { Temporal } from 'temporal-polyfill';
import type { CalendarWindow } from '../rules/rule.ts';
import { WEEK_DAYS } from '../rules/rule.ts';

/** A half-open stretch of time. */
export type Period = { readonly start: Date; readonly until: Date };

const MINUTE_MS = 60_000;
const UNIT_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS } as const;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;
const EPOCH_DAY = new Temporal.PlainDate(1970, 1, 1);

/**
 * Returns the calendar window in which an instant lies.
 *
 * A day begins where the zone says: at `dayStart` on its wall clock; where that time does not exist
 * that day, at the end of the gap; where it comes twice, at the first. Longer periods begin with
 * their first day. Minutes and hours follow the wall clock: a window is the longest unbroken stretch
 * of time within one minute or hour of it. An hour that clocks repeat at once is one window of two
 * hours; what comes again after other time is a window of its own: the minutes of such an hour, and
 * the hours where clocks go back by two.
 */
export function calendarPeriod(window: CalendarWindow, at: Date): Period {
  return window.unit === 'minute' || window.unit === 'hour'
    ? wallClockPeriod(window, UNIT_MS[window.unit] * window.every, at)
    : datePeriod(window, at);
}

/** Says whether there is a time zone of a name, in any case: the one that windows are reckoned in, made once. */
export function isZone(name: string): boolean {
  try {
    zoned(0, name);
    return true;
  } catch {
    return false;
  }
}

// --- minutes and hours: stretches of equal wall-clock index

type WallClock = { readonly timeZone: string; readonly anchorMs: number; readonly spanMs: number };

function wallMsOf(at: Temporal.ZonedDateTime): number {
  return at.epochMilliseconds + at.offsetNanoseconds / 1_000_000;
}

function anchorWallMs(window: CalendarWindow): number {
  if (window.every === 1 || window.anchorAt === undefined) return 0;
  const unitMs = window.unit === 'hour' ? UNIT_MS.hour : UNIT_MS.minute;
  const wallMs = wallMsOf(zoned(window.anchorAt.getTime(), window.timeZone));
  return Math.floor(wallMs / unitMs) * unitMs;
}

function wallClockPeriod(window: CalendarWindow, spanMs: number, at: Date): Period {
  const clock = { timeZone: window.timeZone, anchorMs: anchorWallMs(window), spanMs };
  const moment = zoned(at.getTime(), window.timeZone);
  const index = indexOf(clock, moment);
  return {
    start: new Date(stretchStartMs(clock, moment, index)),
    until: new Date(stretchEndMs(clock, moment, index)),
  };
}

function indexOf(clock: WallClock, moment: Temporal.ZonedDateTime): number {
  return Math.floor((wallMsOf(moment) - clock.anchorMs) / clock.spanMs);
}

function stretchStartMs(clock: WallClock, from: Temporal.ZonedDateTime, index: number): number {
  let moment = from;
  for (;;) {
    const offsetMs = moment.offsetNanoseconds / 1_000_000;
    const startMs = clock.anchorMs + index * clock.spanMs - offsetMs;
    if (isSteady(clock.timeZone, startMs - 1, moment.epochMilliseconds)) return startMs;
    const change = moment.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
    if (change === null || change.epochMilliseconds < startMs) return startMs;
    const before = change.subtract({ milliseconds: 1 });
    if (indexOf(clock, before) !== index) return change.epochMilliseconds;
    moment = before;
  }
}

function stretchEndMs(clock: WallClock, from: Temporal.ZonedDateTime, index: number): number {
  let moment = from;
  for (;;) {
    const offsetMs = moment.offsetNanoseconds / 1_000_000;
    const endMs = clock.anchorMs + (index + 1) * clock.spanMs - offsetMs;
    if (isSteady(clock.timeZone, moment.epochMilliseconds, endMs)) return endMs;
    const change = moment.getTimeZoneTransition('next');
    if (change === null || change.epochMilliseconds > endMs) return endMs;
    if (indexOf(clock, change) !== index) return change.epochMilliseconds;
    moment = change;
  }
}

/** No zone changes its clocks twice within a day. */
const STEADY_MS_MAX = 24 * UNIT_MS.hour;

/**
 * Says whether a short time has no change of clocks, by the offsets at its two ends. To search for the last
 * change reads the offset of every 19 days back to it, which is 1991 in Shanghai.
 */
function isSteady(timeZone: string, fromMs: number, untilMs: number): boolean {
  const offsetAt = (epochMs: number): number => zoned(epochMs, timeZone).offsetNanoseconds;
  return untilMs - fromMs <= STEADY_MS_MAX && offsetAt(fromMs) === offsetAt(untilMs);
}

// --- days and longer: dates, each with the instant at which it begins

function datePeriod(window: CalendarWindow, at: Date): Period {
  const first = firstDate(window, businessDate(window, at));
  return {
    start: new Date(dayStartMs(window, first)),
    until: new Date(dayStartMs(window, nextDate(window, first))),
  };
}

/** The instant at which a date begins in the window's zone. */
function dayStartMs(window: CalendarWindow, date: Temporal.PlainDate): number {
  const time = new Temporal.PlainTime().add({ minutes: window.dayStartMinutes });
  const wall = date.toPlainDateTime(time);
  const begin = wall.toZonedDateTime(window.timeZone, { disambiguation: 'earlier' });
  if (begin.toPlainDateTime().equals(wall)) return begin.epochMilliseconds;
  const gapEnd = begin.getTimeZoneTransition('next'); // the wall time was skipped
  return (gapEnd ?? begin).epochMilliseconds;
}

/** The date whose day, from its start to the next date's start, contains the instant. */
function businessDate(window: CalendarWindow, at: Date): Temporal.PlainDate {
  let date = zoned(at.getTime(), window.timeZone).toPlainDate();
  while (dayStartMs(window, date) > at.getTime()) date = date.subtract({ days: 1 });
  for (;;) {
    const next = date.add({ days: 1 });
    if (dayStartMs(window, next) > at.getTime()) return date;
    date = next;
  }
}

/** The first date of the period that contains a date. */
function firstDate(window: CalendarWindow, date: Temporal.PlainDate): Temporal.PlainDate {
  const anchor =
    window.every > 1 && window.anchorAt !== undefined
      ? businessDate(window, window.anchorAt)
      : undefined;
  switch (window.unit) {
    case 'day':
      return spanStart(anchor ?? EPOCH_DAY, date, window.every);
    case 'week':
      return spanStart(weekStart(window, anchor ?? WEEK_EPOCH), date, window.every * 7);
    case 'month':
    case 'quarter':
    case 'year':
      return firstOfMonths(window, MONTHS[window.unit], anchor ?? EPOCH_DAY, date);
    case 'minute':
    case 'hour':
      throw new RangeError(`a window of unit ${window.unit} has no dates`);
  }
}

/** Weeks are counted from the one that contains Monday 1970-01-05. */
const WEEK_EPOCH = new Temporal.PlainDate(1970, 1, 5);

function weekStart(window: CalendarWindow, date: Temporal.PlainDate): Temporal.PlainDate {
  const weekDay = WEEK_DAYS.indexOf(window.weekStart) + 1;
  return date.subtract({ days: (date.dayOfWeek - weekDay + 7) % 7 });
}

function spanStart(
  anchor: Temporal.PlainDate,
  date: Temporal.PlainDate,
  days: number,
): Temporal.PlainDate {
  const passed = anchor.until(date, { largestUnit: 'day' }).days;
  return anchor.add({ days: Math.floor(passed / days) * days });
}

/** Months since year 0 of the month whose anchor day is the last on or before a date. */
function monthNumber(window: CalendarWindow, date: Temporal.PlainDate): number {
  const number = date.year * 12 + date.month - 1;
  return Temporal.PlainDate.compare(anchorDay(window, number), date) > 0 ? number - 1 : number;
}

/** The date on which a month, numbered since year 0, begins: `monthDay`, clamped to its length. */
function anchorDay(window: CalendarWindow, number: number): Temporal.PlainDate {
  const month = Temporal.PlainYearMonth.from({
    year: Math.floor(number / 12),
    month: (number % 12) + 1,
  });
  return month.toPlainDate({ day: Math.min(window.monthDay, month.daysInMonth) });
}

function firstOfMonths(
  window: CalendarWindow,
  unitMonths: number,
  anchor: Temporal.PlainDate,
  date: Temporal.PlainDate,
): Temporal.PlainDate {
  const anchorNumber = Math.floor(monthNumber(window, anchor) / unitMonths) * unitMonths;
  const span = unitMonths * window.every;
  const passed = monthNumber(window, date) - anchorNumber;
  return anchorDay(window, anchorNumber + Math.floor(passed / span) * span);
}

function nextDate(window: CalendarWindow, first: Temporal.PlainDate): Temporal.PlainDate {
  switch (window.unit) {
    case 'day':
      return first.add({ days: window.every });
    case 'week':
      return first.add({ days: 7 * window.every });
    case 'month':
    case 'quarter':
    case 'year':
      return anchorDay(window, monthNumber(window, first) + MONTHS[window.unit] * window.every);
    case 'minute':
    case 'hour':
      throw new RangeError(`a window of unit ${window.unit} has no dates`);
  }
}

function zoned(epochMs: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
}
