/**
 * Where calendar windows begin and end, straight from the definition and from nothing but what
 * `Intl.DateTimeFormat` says the clocks on the wall show. Slow on purpose: it looks at every hour
 * around an instant instead of knowing anything about zones. It assumes only that no zone changes
 * its offset twice within one hour.
 */
import type { ModelCalendarWindow, ModelWeekday } from './model-types.ts';

/** [start, end) in milliseconds since 1970. */
export type Interval = { readonly start: number; readonly end: number };

type CalendarPeriods = Omit<ModelCalendarWindow, 'unit'> & {
  readonly unit: Exclude<ModelCalendarWindow['unit'], 'minute' | 'hour'>;
};

/** A stretch of time in which the zone keeps one offset: wall = instant + offset. */
type Stretch = { readonly start: number; readonly end: number; readonly offset: number };

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const UNIT_MS = { minute: MINUTE, hour: HOUR } as const;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;
/** Only to begin a walk over periods somewhere near. */
const DAYS_ABOUT = { day: 1, week: 7, month: 31, quarter: 92, year: 366 } as const;
/** The last day of this name on or before Monday 1970-01-05, in days since 1970-01-01. */
const WEEK_ANCHOR_DAYS: Readonly<Record<ModelWeekday, number>> = {
  tuesday: -2,
  wednesday: -1,
  thursday: 0,
  friday: 1,
  saturday: 2,
  sunday: 3,
  monday: 4,
};

/**
 * The calendar window that contains `at`.
 *
 * @param from anchors windows of several periods; without it they count from 1970
 */
export function calendarWindow(window: ModelCalendarWindow, at: Date, from?: Date): Interval {
  const key = JSON.stringify([window, from]);
  const known = remembered.get(key) ?? [];
  remembered.set(key, known);
  const instant = at.getTime();
  let found = known.find(({ start, end }) => start <= instant && instant < end);
  if (found === undefined) {
    found = findWindow(window, instant, from);
    known.push(found);
  }
  return found;
}

const remembered = new Map<string, Interval[]>();

function findWindow(window: ModelCalendarWindow, at: number, from?: Date): Interval {
  const { unit } = window;
  if (unit === 'minute' || unit === 'hour') return clockWindow(window, UNIT_MS[unit], at, from);
  if (window.closed !== undefined) return businessDay({ ...window, unit }, at);
  const begins = window.since?.at;
  if (begins !== undefined)
    return periodWindow(onDateOf({ ...window, unit }, begins), at, new Date(begins));
  return periodWindow({ ...window, unit }, at, from);
}

/** From behind one open day to the end of the next, of all that begin within 200 days. */
function businessDay(window: CalendarPeriods, at: number): Interval {
  const today = indexAt(window, at);
  const isOpen = (index: number): boolean => {
    const date = new Date(periodStartDay(window, index) * DAY);
    const { days = [], dates = [] } = window.closed ?? {};
    return (
      !dates.includes(date.toISOString().slice(0, 10)) &&
      !days.some((day) => WEEK_DAYS[date.getUTCDay()] === day)
    );
  };
  const open = Array.from({ length: 400 }, (_, place) => today - 200 + place).filter(isOpen);
  const last = open.find((index) => index >= today) ?? NaN;
  const before = open.findLast((index) => index < last) ?? NaN;
  return { start: periodStart(window, before + 1), end: periodStart(window, last + 1) };
}

const WEEK_DAYS: readonly ModelWeekday[] = [
  ...(['sunday', 'monday', 'tuesday', 'wednesday'] as const),
  ...(['thursday', 'friday', 'saturday'] as const),
];

/** Days and months that begin on the date of an instant, as many as the unit has. */
function onDateOf(window: CalendarPeriods, begins: number): CalendarPeriods {
  const { unit, every = 1 } = window;
  if (unit === 'day') return window;
  if (unit === 'week') return { ...window, unit: 'day', every: every * 7 };
  const day = indexAt({ ...window, unit: 'day' }, begins);
  const monthDay = new Date(day * DAY).getUTCDate();
  return { ...window, unit: 'month', every: every * MONTHS[unit], monthDay };
}

/** Days and longer: `every` whole periods, counted from the anchor. */
function periodWindow(window: CalendarPeriods, at: number, from?: Date): Interval {
  const every = window.every ?? 1;
  const anchor = from === undefined ? indexIn1970(window) : indexAt(window, from.getTime());
  const first = anchor + Math.floor((indexAt(window, at) - anchor) / every) * every;
  return { start: periodStart(window, first), end: periodStart(window, first + every) };
}

/** Minutes and hours: the longest unbroken stretch around `at` in which the wall shows one index. */
function clockWindow(
  window: ModelCalendarWindow,
  unitMs: number,
  at: number,
  from?: Date,
): Interval {
  const lengthMs = unitMs * (window.every ?? 1);
  const fromMs = from?.getTime();
  const anchor =
    fromMs === undefined
      ? 0
      : Math.floor((fromMs + offsetAt(window.timeZone, fromMs)) / unitMs) * unitMs;
  const indexOf = (wall: number): number => Math.floor((wall - anchor) / lengthMs);
  const index = indexOf(at + offsetAt(window.timeZone, at));

  // Every piece of time around `at` in which both the offset and the index stay the same.
  const pieces = stretches(window.timeZone, at - lengthMs - DAY, at + lengthMs + DAY).flatMap(
    ({ start, end, offset }) => {
      const wallStart = anchor + index * lengthMs - offset;
      const piece = {
        start: Math.max(start, wallStart),
        end: Math.min(end, wallStart + lengthMs),
      };
      return piece.start < piece.end ? [piece] : [];
    },
  );
  const joined: { start: number; end: number }[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.end === piece.start) last.end = piece.end;
    else joined.push({ ...piece });
  }
  const found = joined.find(({ start, end }) => start <= at && at < end);
  if (found === undefined) throw new Error(`no window of ${window.timeZone} contains ${at}`);
  return found;
}

/** The index of the period that contains an instant. */
function indexAt(window: CalendarPeriods, at: number): number {
  const guess = Math.floor(at / DAY / DAYS_ABOUT[window.unit]);
  return walk((index) => periodStart(window, index), at, guess);
}

/** The index from which periods are counted in groups where no `from` says otherwise. */
function indexIn1970(window: CalendarPeriods): number {
  if (window.unit === 'week') return 0;
  return walk((index) => periodStartDay(window, index), 0, 0);
}

/** The last index whose start is not after `value`. */
function walk(startOf: (index: number) => number, value: number, guess: number): number {
  let index = guess;
  while (startOf(index) > value) index -= 1;
  while (startOf(index + 1) <= value) index += 1;
  return index;
}

/** The instant at which the period with this index begins. */
function periodStart(window: CalendarPeriods, index: number): number {
  const [hour = 0, minute = 0] = (window.dayStart ?? '00:00').split(':').map(Number);
  const wall = periodStartDay(window, index) * DAY + hour * HOUR + minute * MINUTE;
  return firstInstant(window.timeZone, wall);
}

/** The local date on which the period begins, in days since 1970-01-01. Index 0 is in 1970. */
function periodStartDay(window: CalendarPeriods, index: number): number {
  switch (window.unit) {
    case 'day':
      return index;
    case 'week':
      return WEEK_ANCHOR_DAYS[window.weekStart ?? 'monday'] + 7 * index;
    case 'month':
    case 'quarter':
    case 'year': {
      const month = index * MONTHS[window.unit];
      const lastDay = new Date(Date.UTC(1970, month + 1, 0)).getUTCDate();
      return Date.UTC(1970, month, Math.min(window.monthDay ?? 1, lastDay)) / DAY;
    }
  }
}

/**
 * The first instant at which the wall shows this time or a later one: the only occurrence, the
 * first of two, or, if there is none, the end of the gap.
 */
export function firstInstant(timeZone: string, wall: number): number {
  const key = `${timeZone} ${wall}`;
  const known = firstInstants.get(key) ?? findFirstInstant(timeZone, wall);
  firstInstants.set(key, known);
  return known;
}

const firstInstants = new Map<string, number>();

function findFirstInstant(timeZone: string, wall: number): number {
  const found = stretches(timeZone, wall - 2 * DAY, wall + 2 * DAY)
    .map(({ start, end, offset }) => ({ end, at: Math.max(start, wall - offset) }))
    .find(({ at, end }) => at < end);
  if (found === undefined) throw new Error(`${timeZone} never shows ${wall}`);
  return found.at;
}

/** The stretches of equal offset that cover [around, to), found by looking at every full hour. */
function stretches(timeZone: string, around: number, to: number): Stretch[] {
  const from = Math.floor(around / HOUR) * HOUR;
  const found: { start: number; end: number; offset: number }[] = [];
  let current = { start: from, end: to, offset: offsetAt(timeZone, from) };
  for (let at = from; at < to; at += HOUR) {
    const next = Math.min(at + HOUR, to);
    if (offsetAt(timeZone, next) === current.offset) continue;
    const change = bisect(at, next, (instant) => offsetAt(timeZone, instant) === current.offset);
    found.push({ ...current, end: change });
    current = { start: change, end: to, offset: offsetAt(timeZone, change) };
  }
  return [...found, current];
}

/** The first instant in (from, to] at which `holds` is false; it is true at `from`. */
function bisect(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/** How far the clocks on the wall are ahead of UTC at this instant, in milliseconds. */
function offsetAt(timeZone: string, at: number): number {
  const key = `${timeZone} ${at}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = readOffset(timeZone, at);
    offsets.set(key, offset);
  }
  return offset;
}

function readOffset(timeZone: string, at: number): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const shown = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => shown.get(name) ?? Number.NaN;
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return wall - Math.floor(at / 1_000) * 1_000;
}
