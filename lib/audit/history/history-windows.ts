import { Temporal } from 'temporal-polyfill';
import type { Period } from '../../rule/zoned.ts';
import { calendarPeriod } from '../../rule/calendar.ts';
import type { CalendarWindow } from '../../rule/calendar.ts';
import { HISTORY_WINDOWS_MAX } from '../../shared/bounds.ts';

/** How far a history goes back: so many days or months, today or this month among them. */
export type UnitSpan = { readonly unit: 'day' | 'month'; readonly count: number };

/** A calendar's own days or months, in a zone. */
export function plainWindow(unit: UnitSpan['unit'], timeZone: string): CalendarWindow {
  const begins = { dayStartMinutes: 0, weekStart: 'monday', monthDay: 1 } as const;
  return { kind: 'calendar', unit, every: 1, timeZone, ...begins };
}

/**
 * Every window that reaches into the last days or months, oldest first; the last one is not over. Days and
 * months begin at the window's hour of the day and day of the month.
 *
 * @returns undefined where there are more than HISTORY_WINDOWS_MAX
 */
export function lastWindows(window: CalendarWindow, { unit, count }: UnitSpan, now: Date) {
  const { closed: _closed, ...open } = window;
  const unitWindow: CalendarWindow = { ...open, unit, every: 1 };
  let since = calendarPeriod(unitWindow, now).start;
  for (let one = 1; one < count; one++) since = calendarPeriod(unitWindow, before(since)).start;
  const periods = [calendarPeriod(window, now)];
  for (let [first] = periods; first !== undefined && first.start > since; [first] = periods) {
    if (periods.length === HISTORY_WINDOWS_MAX) return undefined;
    periods.unshift(calendarPeriod(window, before(first.start)));
  }
  return periods;
}

function before(instant: Date): Date {
  return new Date(instant.getTime() - 1);
}

/** The day of a date in a zone: 23 to 25 hours. */
export function dayOf(date: string, timeZone: string): Period {
  const day = Temporal.PlainDate.from(date);
  const startOf = (one: Temporal.PlainDate): Date =>
    new Date(one.toZonedDateTime(timeZone).epochMilliseconds);
  return { start: startOf(day), until: startOf(day.add({ days: 1 })) };
}

/** The date of an instant in a zone: `2026-11-20`. */
export function dateAt(instant: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();
}
