import { Temporal } from 'temporal-polyfill';
import type { Language } from '../shared/language.ts';

/** Days of a week, in ISO order: Monday is 1. */
export const WEEK_DAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** A half-open stretch of time. */
export type Period = { readonly start: Date; readonly until: Date };

/** A date, of whichever zone. */
export type WallDate = Temporal.PlainDate;

/** Says whether a date is one of some days of the week. */
export function isOnDay(date: WallDate, days: readonly (typeof WEEK_DAYS)[number][]): boolean {
  return days.some((day) => WEEK_DAYS.indexOf(day) + 1 === date.dayOfWeek);
}

/** Reads `2026-11-11`. */
export function dateOf(text: string): WallDate {
  return Temporal.PlainDate.from(text);
}

/** An instant on the clock of a zone. */
export function zoned(epochMs: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
}

/**
 * When a wall clock shows a time of a date. Where that time does not exist, at the end of the gap; where it comes
 * twice, at the first.
 *
 * @param minutes after the midnight with which the date begins; 1,440 and more are on the next date
 */
export function wallMs(timeZone: string, date: Temporal.PlainDate, minutes: number): number {
  const days = Math.floor(minutes / DAY_MINUTES);
  const day = days === 0 ? date : date.add({ days });
  const ofDay = minutes - days * DAY_MINUTES;
  const wall = day.toPlainDateTime(new Temporal.PlainTime(Math.floor(ofDay / 60), ofDay % 60));
  const begin = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const last = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  // Asked first: to read the wall clock of an instant takes longer than all the rest.
  const isOnce = begin.epochMilliseconds === last.epochMilliseconds;
  if (isOnce || begin.toPlainDateTime().equals(wall)) return begin.epochMilliseconds;
  const gapEnd = begin.getTimeZoneTransition('next'); // the wall time was skipped
  return (gapEnd ?? begin).epochMilliseconds;
}

/** Minutes of a date. */
export const DAY_MINUTES = 1_440;

/** Says whether the time zone database has a name, in any case. Offsets such as +08:00 are no names. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || !/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    zoned(0, name);
    return true;
  } catch {
    return false;
  }
}

/** Says whether a text is a date from 1970 to 9998: `2026-02-29` is none. */
export function isDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  if (text < '1970' || text >= '9999') return false;
  try {
    return dateOf(text).toString() === text;
  } catch {
    return false;
  }
}

/** `wednesday`, `周三`. */
export function weekDayText(day: (typeof WEEK_DAYS)[number], language: Language): string {
  if (language === 'en') return day;
  // The fifth of January 1970 was a Monday.
  const date = Date.UTC(1970, 0, 5 + WEEK_DAYS.indexOf(day));
  return new Intl.DateTimeFormat('zh-CN', { weekday: 'short', timeZone: 'UTC' }).format(date);
}
