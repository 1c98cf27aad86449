import { DAY_MS, NEVER } from '../shared/bounds.ts';
import { joinParts } from '../shared/subject.ts';
import type { Period, WallDate } from './zoned.ts';
import { dateOf, DAY_MINUTES, isOnDay, wallMs, WEEK_DAYS, zoned } from './zoned.ts';

/** Some hours of a date, in minutes after its midnight: `from` is one of its own, and `to` may lie on the next date. */
export type Hours = { readonly from: number; readonly to: number };

/**
 * The times of a rule: bands, each of which begins on a date. Without hours a band is a whole date. The hours of one
 * rule do not overlap, so that bands touch at most.
 */
export type Times = {
  readonly hours?: readonly Hours[];
  /** Of the dates on which bands begin. */
  readonly days?: readonly (typeof WEEK_DAYS)[number][];
  /** `2026-11-11`. */
  readonly dates?: readonly string[];
  /** Of a rule whose window has none. */
  readonly timeZone?: string;
};

/** A stretch of time, and whether it is a band or the time between two. */
export type TimesAround = Period & { readonly isWithin: boolean };

const WHOLE_DATE: readonly Hours[] = [{ from: 0, to: DAY_MINUTES }];
/** Dates before and after that of an instant on which a band that contains it may begin: zones have skipped one. */
const DATES_BEFORE = 2;
const DATES_AFTER = 1;
/** Each day of the week is twice among so many dates: a gap of the clock may swallow one of its bands. */
const DATES_OF_WEEKS = 15;
const WEEK_MS = 7 * DAY_MS;
/** The times of rules repeat after a week. A gap of the clock may swallow one of them, so it is two. */
export const TIMES_REPEAT_MS = 15 * DAY_MS;

/**
 * The band in which an instant lies, or the time between the bands before it and after it. A band has its first
 * instant, and not its last one.
 */
export function timesAround(times: Times, timeZone: string, at: Date): TimesAround {
  const near = bandsNear(times, timeZone, at);
  const band = bandIn(near, at);
  if (band !== undefined) return { ...band, isWithin: true };
  // Bands follow each other as they begin, so that those next to an instant are near it, if any are.
  const isEnough = near.some(({ until }) => until <= at) && near.some(({ start }) => start > at);
  const bands = isEnough ? near : bandsAround(times, timeZone, at);
  const ends = bands.flatMap(({ until }) => (until <= at ? [until.getTime()] : []));
  const starts = bands.flatMap(({ start }) => (start > at ? [start.getTime()] : []));
  return {
    isWithin: false,
    start: new Date(Math.max(0, ...ends)),
    until: new Date(Math.min(NEVER.getTime(), ...starts)),
  };
}

/** The first instant from one in a band on that is in none; never, if bands touch for ever. */
export function outsideFrom(times: Times, timeZone: string, at: Date): Date {
  let end = at;
  for (;;) {
    const band = bandIn(bandsNear(times, timeZone, end), end);
    if (band === undefined) return end;
    end = band.until;
    if (times.dates === undefined && Number(end) - Number(at) >= WEEK_MS) return NEVER;
  }
}

/** Those of two weeks before and after, or all that there will ever be. */
function bandsAround(times: Times, timeZone: string, at: Date): readonly Period[] {
  return times.dates === undefined
    ? bandsBetween(times, timeZone, at, DATES_OF_WEEKS, DATES_OF_WEEKS)
    : bandsOn(times, timeZone, times.dates.map(dateOf));
}

/** Those that may contain an instant, and some beside them. */
function bandsNear(times: Times, timeZone: string, at: Date): readonly Period[] {
  return bandsBetween(times, timeZone, at, DATES_BEFORE, DATES_AFTER);
}

function bandIn(bands: readonly Period[], at: Date): Period | undefined {
  return bands.find(({ start, until }) => start <= at && at < until);
}

function bandsBetween(
  times: Times,
  timeZone: string,
  at: Date,
  before: number,
  after: number,
): readonly Period[] {
  const today = zoned(at.getTime(), timeZone).toPlainDate();
  const dates = Array.from({ length: before + 1 + after }, (_, index) =>
    today.add({ days: index - before }),
  );
  const named = times.dates;
  const among = named === undefined ? dates : dates.filter((date) => named.includes(String(date)));
  return bandsOn(times, timeZone, among);
}

/** Those that begin on some dates, as far as the days allow. A band that a gap of the clock swallows is none. */
function bandsOn(
  { hours = WHOLE_DATE, days }: Times,
  timeZone: string,
  dates: readonly WallDate[],
): readonly Period[] {
  return dates.flatMap((date) => {
    if (days !== undefined && !isOnDay(date, days)) return [];
    return hours.flatMap(({ from, to }) => {
      const [start, until] = [wallMs(timeZone, date, from), wallMs(timeZone, date, to)];
      return start < until ? [{ start: new Date(start), until: new Date(until) }] : [];
    });
  });
}

/** The end of the band that goes on over an instant; the instant itself where none does. */
export function endOver(times: Times, timeZone: string, at: Date): Date {
  const band = bandIn(bandsNear(times, timeZone, at), at);
  return band !== undefined && band.start < at ? band.until : at;
}

/** Names times within a counter's digest. Stored sums are named by it, so it never changes. */
export function timesText({ hours = [], days, dates, timeZone = '' }: Times): string {
  const spans = hours.map(({ from, to }) => `${from}-${to}`);
  const each = [spans, WEEK_DAYS.filter((day) => days?.includes(day)), dates ?? []];
  return joinParts([...each.map((list) => joinParts([...list].sort())), timeZone]);
}
