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

function wallMsOf(at: Temporal.ZonedDateTime): number {
  return at.epochMilliseconds + at.offsetNanoseconds / 1_000_000;
}

/** The longest unbroken stretch around an instant in which the wall clock shows one index. */
export function wallClockPeriod(
  { timeZone, every, anchorAt }: WallClockWindow,
  unitMs: number,
  at: Date,
): Period {
  const anchor =
    every === 1 || anchorAt === undefined ? 0 : wallMsOf(zoned(anchorAt.getTime(), timeZone));
  const anchorMs = Math.floor(anchor / unitMs) * unitMs;
  const clock = { timeZone, anchorMs, spanMs: unitMs * every };
  const moment = zoned(at.getTime(), timeZone);
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
const STEADY_MS_MAX = 86_400_000;

/**
 * Says whether a short time has no change of clocks, by the offsets at its ends. To search for the last
 * change would read the offset of every 19 days back to it, which is 1991 in Shanghai.
 */
function isSteady(timeZone: string, fromMs: number, untilMs: number): boolean {
  const offsetAt = (epochMs: number): number => zoned(epochMs, timeZone).offsetNanoseconds;
  return untilMs - fromMs <= STEADY_MS_MAX && offsetAt(fromMs) === offsetAt(untilMs);
}
