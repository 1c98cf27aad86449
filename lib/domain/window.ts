import { NEVER } from './bounds.ts';
import { calendarPeriod } from './calendar.ts';
import type { Period } from './calendar.ts';
import type { CalendarWindow, RollingWindow, Window } from './rule.ts';

const ALWAYS: Period = { start: new Date(0), until: NEVER };
const lastPeriods = new WeakMap<CalendarWindow, readonly Period[]>();

/** Near a boundary a check asks for the windows on both sides of it, again and again. */
const LAST_PERIODS_MAX = 3;

/** The calendar window of an instant; the last ones of each rule are kept, for most calls fall in them. */
function cachedPeriod(window: CalendarWindow, at: Date): Period {
  const last = lastPeriods.get(window) ?? [];
  const known = last.find(({ start, until }) => start <= at && at < until);
  if (known !== undefined) return known;
  const period = calendarPeriod(window, at);
  lastPeriods.set(window, [period, ...last.slice(0, LAST_PERIODS_MAX - 1)]);
  return period;
}

/**
 * How long after its start a step's bucket counts. The last event of a step comes `stepMs - 1` after
 * its start and leaves the span `spanMs` later.
 */
export function rollingKeepMs(window: RollingWindow): number {
  return window.spanMs + window.stepMs - 1;
}

/** The bucket that a transaction at an instant enters, and until when it counts. */
export function bucketPeriod(window: Exclude<Window, { kind: 'transaction' }>, at: Date): Period {
  switch (window.kind) {
    case 'lifetime':
      return ALWAYS;
    case 'calendar':
      return cachedPeriod(window, at);
    case 'rolling': {
      const startMs = Math.floor(at.getTime() / window.stepMs) * window.stepMs;
      return { start: new Date(startMs), until: new Date(startMs + rollingKeepMs(window)) };
    }
  }
}
