import { Temporal } from 'temporal-polyfill';

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
  const day = date.add({ days: Math.floor(minutes / DAY_MINUTES) });
  const time = new Temporal.PlainTime().add({ minutes: minutes % DAY_MINUTES });
  const wall = day.toPlainDateTime(time);
  const begin = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (begin.toPlainDateTime().equals(wall)) return begin.epochMilliseconds;
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
