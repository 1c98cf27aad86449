import { Temporal } from 'temporal-polyfill';
import type { Times } from './times.ts';
import { endOver } from './times.ts';
import { wallClockPeriod } from './wall-clock.ts';
import type { Since } from './windows/since-field.ts';
import type { Period, WallDate } from './zoned.ts';
import { isOnDay, wallMs, WEEK_DAYS, zoned } from './zoned.ts';

/** Units of a calendar window. */
export const CALENDAR_UNITS = [
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
] as const;

/** Days on which nothing is done: those of the week, and dates such as `2026-12-25`. */
export type Closed = {
  readonly days?: readonly (typeof WEEK_DAYS)[number][];
  readonly dates?: readonly string[];
};

/** A natural period of a time zone. */
export type CalendarWindow = {
  readonly kind: 'calendar';
  readonly unit: (typeof CALENDAR_UNITS)[number];
  /** Units in a window, counted from `anchorAt`; from 1970-01-01 in the zone when that is absent. */
  readonly every: number;
  readonly anchorAt?: Date;
  /** IANA name. */
  readonly timeZone: string;
  /** Minutes after midnight at which a day begins (日切); for units of a day and longer. */
  readonly dayStartMinutes: number;
  readonly weekStart: (typeof WEEK_DAYS)[number];
  /** Day of the month on which months, quarters and years begin; clamped to the month's length. */
  readonly monthDay: number;
  /** Of days: those that belong to the next open one. */
  readonly closed?: Closed;
  /** Its periods begin on the date of this instant: `weekStart` and `monthDay` are not asked. */
  readonly since?: Since;
  /** Of its rule. A window of days or longer ends no sooner than a band that began in it. */
  readonly times?: Times;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EPOCH_DAY = new Temporal.PlainDate(1970, 1, 1);
/** Weeks are counted from the one that contains Monday 1970-01-05. */
const WEEK_EPOCH = new Temporal.PlainDate(1970, 1, 5);

/**
 * A day begins at `dayStart` on the zone's wall clock; where that time does not exist, at the end of the gap; where
 * it comes twice, at the first. Longer periods begin with their first day. A minute or hour is the longest unbroken
 * stretch within one of the wall clock. An hour that clocks repeat at once is one window of two hours; what comes
 * again after other time is a window of its own: the minutes of such an hour, or hours where clocks go back by two.
 * With times, a window goes on until the band is over in which it would end.
 */
export function calendarPeriod(window: CalendarWindow, at: Date): Period {
  const { times, timeZone } = window;
  const period = clockPeriod(window, at);
  if (times === undefined) return period;
  const start = endOver(times, timeZone, period.start);
  if (start > at) return calendarPeriod(window, new Date(period.start.getTime() - 1));
  return { start, until: endOver(times, timeZone, period.until) };
}

function clockPeriod(window: CalendarWindow, at: Date): Period {
  if (window.since?.at !== undefined) return clockPeriod(onDateOf(window, window.since.at), at);
  switch (window.unit) {
    case 'minute':
      return wallClockPeriod(window, MINUTE_MS, at);
    case 'hour':
      return wallClockPeriod(window, HOUR_MS, at);
    case 'day':
      return daysPeriod(window, 1, EPOCH_DAY, at);
    case 'week':
      return daysPeriod(window, 7, WEEK_EPOCH, at);
    case 'month':
      return monthsPeriod(window, 1, at);
    case 'quarter':
      return monthsPeriod(window, 3, at);
    case 'year':
      return monthsPeriod(window, 12, at);
  }
}

/** Periods as days and months, which may begin on any date. */
function onDateOf({ since: _said, ...window }: CalendarWindow, at: Date): CalendarWindow {
  const { unit, every } = window;
  const anchored = { ...window, anchorAt: at };
  if (unit === 'day') return anchored;
  if (unit === 'week') return { ...anchored, unit: 'day', every: every * 7 };
  const months = { minute: 0, hour: 0, month: 1, quarter: 3, year: 12 }[unit];
  return {
    ...anchored,
    unit: 'month',
    every: every * months,
    monthDay: businessDate(window, at).day,
  };
}

// --- days and longer: dates, each with the instant at which it begins

/** @param epoch where the count of `every` begins without an anchor */
function daysPeriod(
  window: CalendarWindow,
  unitDays: 1 | 7,
  epoch: Temporal.PlainDate,
  at: Date,
): Period {
  if (window.closed !== undefined) {
    const { first, last } = openDates(window.closed, businessDate(window, at));
    return periodBetween(window, first, last.add({ days: 1 }));
  }
  const from = anchorDate(window, epoch);
  const anchor = unitDays === 7 ? weekStart(window, from) : from;
  const days = unitDays * window.every;
  const passed = anchor.until(businessDate(window, at), { largestUnit: 'day' }).days;
  const first = anchor.add({ days: Math.floor(passed / days) * days });
  return periodBetween(window, first, first.add({ days }));
}

function monthsPeriod(window: CalendarWindow, unitMonths: number, at: Date): Period {
  const anchored = monthNumber(window, anchorDate(window, EPOCH_DAY));
  const anchor = Math.floor(anchored / unitMonths) * unitMonths;
  const span = unitMonths * window.every;
  const passed = monthNumber(window, businessDate(window, at)) - anchor;
  const first = anchor + Math.floor(passed / span) * span;
  return periodBetween(window, monthStart(window, first), monthStart(window, first + span));
}

function periodBetween(
  window: CalendarWindow,
  first: Temporal.PlainDate,
  next: Temporal.PlainDate,
): Period {
  return {
    start: new Date(dayStartMs(window, first)),
    until: new Date(dayStartMs(window, next)),
  };
}

function anchorDate(window: CalendarWindow, epoch: Temporal.PlainDate): Temporal.PlainDate {
  const { every, anchorAt } = window;
  return every > 1 && anchorAt !== undefined ? businessDate(window, anchorAt) : epoch;
}

function dayStartMs(
  { timeZone, dayStartMinutes }: CalendarWindow,
  date: Temporal.PlainDate,
): number {
  return wallMs(timeZone, date, dayStartMinutes);
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

function weekStart(window: CalendarWindow, date: Temporal.PlainDate): Temporal.PlainDate {
  const weekDay = WEEK_DAYS.indexOf(window.weekStart) + 1;
  return date.subtract({ days: (date.dayOfWeek - weekDay + 7) % 7 });
}

/** Months since year 0 of the month whose start is the last on or before a date. */
function monthNumber(window: CalendarWindow, date: Temporal.PlainDate): number {
  const number = date.year * 12 + date.month - 1;
  return Temporal.PlainDate.compare(monthStart(window, number), date) > 0 ? number - 1 : number;
}

/** The date on which a month, numbered since year 0, begins: `monthDay`, clamped to its length. */
function monthStart(window: CalendarWindow, number: number): Temporal.PlainDate {
  const month = Temporal.PlainYearMonth.from({
    year: Math.floor(number / 12),
    month: (number % 12) + 1,
  });
  return month.toPlainDate({ day: Math.min(window.monthDay, month.daysInMonth) });
}

// --- business days

/** The dates of the business day that a date belongs to: closed ones belong to the next open one. */
function openDates(
  closed: Closed,
  date: WallDate,
): { readonly first: WallDate; readonly last: WallDate } {
  let [first, last] = [date, date];
  while (isClosed(closed, last)) last = last.add({ days: 1 });
  for (;;) {
    const before = first.subtract({ days: 1 });
    if (!isClosed(closed, before)) return { first, last };
    first = before;
  }
}

function isClosed({ days = [], dates = [] }: Closed, date: WallDate): boolean {
  return isOnDay(date, days) || dates.includes(date.toString());
}

/** Names them within a counter's digest, whatever their order. */
export function closedKey({ days = [], dates = [] }: Closed): readonly string[] {
  return ['closed', [...days].sort().join(), [...dates].sort().join()];
}
