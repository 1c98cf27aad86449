/** The times of a rule, from what `Intl` says that the clocks on the wall show: see window-oracle.ts. */
import type { ModelRule, ModelTimes } from './model-types.ts';
import type { Interval } from './window-oracle.ts';
import { firstInstant } from './window-oracle.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const DAY_NAMES = [
  ...(['thursday', 'friday', 'saturday', 'sunday'] as const), // 1970-01-01 was a Thursday
  ...(['monday', 'tuesday', 'wednesday'] as const),
];

/** The band of a rule's times in which an instant lies; undefined between bands. */
export function bandAt(rule: Timed, at: number): Interval | undefined {
  const today = Math.floor(at / DAY);
  for (let day = today - 3; day <= today + 2; day += 1)
    for (const band of bandsOf(rule, day)) if (band.start <= at && at < band.end) return band;
  return undefined;
}

type Timed = Pick<ModelRule, 'window' | 'when'>;

/** The bands of a rule's times that begin on a date, in days since 1970-01-01. */
export function bandsOf({ window, when }: Timed, day: number): readonly Interval[] {
  if (when === undefined) return [];
  const ofWindow = typeof window === 'object' && 'unit' in window ? window.timeZone : undefined;
  const timeZone = ofWindow ?? when.timeZone;
  if (timeZone === undefined) throw new Error('times have a zone');
  const known = bands.get(when) ?? new Map<string, readonly Interval[]>();
  bands.set(when, known);
  const key = `${timeZone} ${day}`;
  const found = known.get(key) ?? bandsOn(when, timeZone, day);
  known.set(key, found);
  return found;
}

/** A walk asks thousands of times for the same. */
const bands = new WeakMap<ModelTimes, Map<string, readonly Interval[]>>();

function bandsOn(when: ModelTimes, timeZone: string, day: number): readonly Interval[] {
  const date = new Date(day * DAY).toISOString().slice(0, 10);
  const name = DAY_NAMES[((day % 7) + 7) % 7];
  if (when.dates !== undefined && !when.dates.includes(date)) return [];
  if (when.days !== undefined && !when.days.some((one) => one === name)) return [];
  return (when.hours ?? ['00:00-00:00']).map((hours) => {
    const [from = 0, to = 0] = hours.split('-').map((time) => {
      const [hour = 0, minute = 0] = time.split(':').map(Number);
      return (hour * 60 + minute) * MINUTE;
    });
    return {
      start: firstInstant(timeZone, day * DAY + from),
      end: firstInstant(timeZone, day * DAY + (to > from ? to : to + DAY)),
    };
  });
}

/** Whether a rule is in effect as far as its times say. */
export function isInTimes(rule: ModelRule, at: Date): boolean {
  return rule.when === undefined || bandAt(rule, at.getTime()) !== undefined;
}

/** When the band is over that goes on over an instant; the instant itself where none does. */
export function endOver(rule: ModelRule, instant: number): number {
  const band = bandAt(rule, instant);
  return band !== undefined && band.start < instant ? band.end : instant;
}
