import type { Temporal } from 'temporal-polyfill';
import type { Period } from './zoned.ts';
import { zoned } from './zoned.ts';

/* Minutes and hours: stretches of equal index on the wall clock of a zone. */

/** Some units of it, counted from an instant or from 1970. */
type WallClockWindow = {
  readonly timeZone: string;
  readonly every: number;
  readonly anchorAt?: Date;
};

type WallClock = { readonly timeZone: string; readonly anchorMs: number; readonly spanMs: number };

/** A moment, and how far the wall clock is ahead of UTC then: to work that out takes longer than all the rest. */
type Moment = {
  readonly at: Temporal.ZonedDateTime;
  readonly epochMs: number;
  readonly offsetMs: number;
};

function momentAt(at: Temporal.ZonedDateTime): Moment {
  return { at, epochMs: at.epochMilliseconds, offsetMs: at.offsetNanoseconds / 1_000_000 };
}

function wallMsOf({ epochMs, offsetMs }: Moment): number {
  return epochMs + offsetMs;
}

/** The longest unbroken stretch around an instant in which the wall clock shows one index. */
export function wallClockPeriod(
  { timeZone, every, anchorAt }: WallClockWindow,
  unitMs: number,
  at: Date,
): Period {
  const anchor =
    every === 1 || anchorAt === undefined
      ? 0
      : wallMsOf(momentAt(zoned(anchorAt.getTime(), timeZone)));
  const anchorMs = Math.floor(anchor / unitMs) * unitMs;
  const clock = { timeZone, anchorMs, spanMs: unitMs * every };
  const moment = momentAt(zoned(at.getTime(), timeZone));
  const index = indexOf(clock, moment);
  return {
    start: new Date(stretchStartMs(clock, moment, index)),
    until: new Date(stretchEndMs(clock, moment, index)),
  };
}

function indexOf(clock: WallClock, moment: Moment): number {
  return Math.floor((wallMsOf(moment) - clock.anchorMs) / clock.spanMs);
}

function stretchStartMs(clock: WallClock, from: Moment, index: number): number {
  let moment = from;
  for (;;) {
    const startMs = clock.anchorMs + index * clock.spanMs - moment.offsetMs;
    if (isSteady(clock.timeZone, moment, startMs - 1)) return startMs;
    const change = moment.at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
    if (change === null || change.epochMilliseconds < startMs) return startMs;
    const before = momentAt(change.subtract({ milliseconds: 1 }));
    if (indexOf(clock, before) !== index) return change.epochMilliseconds;
    moment = before;
  }
}

function stretchEndMs(clock: WallClock, from: Moment, index: number): number {
  let moment = from;
  for (;;) {
    const endMs = clock.anchorMs + (index + 1) * clock.spanMs - moment.offsetMs;
    if (isSteady(clock.timeZone, moment, endMs)) return endMs;
    const change = moment.at.getTimeZoneTransition('next');
    if (change === null || change.epochMilliseconds > endMs) return endMs;
    const after = momentAt(change);
    if (indexOf(clock, after) !== index) return after.epochMs;
    moment = after;
  }
}

/** No zone changes its clocks twice within a day. */
const STEADY_MS_MAX = 86_400_000;

/**
 * Says whether a short time has no change of clocks, by the offsets at its ends. To search for the last
 * change would read the offset of every 19 days back to it, which is 1991 in Shanghai.
 */
function isSteady(timeZone: string, { epochMs, offsetMs }: Moment, otherMs: number): boolean {
  return (
    Math.abs(otherMs - epochMs) <= STEADY_MS_MAX &&
    momentAt(zoned(otherMs, timeZone)).offsetMs === offsetMs
  );
}
