import { NEVER } from '../shared/bounds.ts';
import type { Rule } from './rule.ts';
import type { Times, TimesAround } from './times.ts';
import { outsideFrom, timesAround } from './times.ts';
import { calendarOf } from './windows/windows.ts';
import type { Period } from './zoned.ts';

/* When a rule is in effect: between `from` and `to`, at the times of `when`. */

/** Says whether an instant lies between the dates of a rule: it may still be outside its times. */
export function isDated({ from, to }: Rule, at: Date): boolean {
  const time = at.getTime();
  return (
    (from === undefined || from.getTime() <= time) && (to === undefined || time < to.getTime())
  );
}

/** Finds the band around an instant, or the time between two, of a rule that has times. */
export type TimesAt = (rule: Rule & { readonly when: Times }, at: Date) => TimesAround;

/** Works it out. */
export const timesAt: TimesAt = (rule, at) => timesAround(rule.when, zoneOf(rule), at);

/** Says whether a rule is in effect at an instant. */
export function inEffect(rule: Rule, at: Date, times = timesAt): boolean {
  return isDated(rule, at) && (!hasTimes(rule) || times(rule, at).isWithin);
}

/** Says whether a rule has times. */
export function hasTimes(rule: Rule): rule is Rule & { readonly when: Times } {
  return rule.when !== undefined;
}

/** Says whether a rule is in effect at some instant between two, in milliseconds, both included. */
export function inEffectBetween(
  rule: Rule,
  earliest: number,
  latest: number,
  times = timesAt,
): boolean {
  const { from, to } = rule;
  if ((from?.getTime() ?? 0) > latest || (to?.getTime() ?? Infinity) <= earliest) return false;
  if (!hasTimes(rule)) return true;
  const { isWithin, until } = times(rule, new Date(earliest));
  return isWithin || until.getTime() <= latest;
}

/** When a rule that is outside its times is in effect next: null for never, undefined where it is in effect. */
export function nextEffect(rule: Rule, at: Date): Date | null | undefined {
  if (!isDated(rule, at)) return null;
  if (!hasTimes(rule)) return undefined;
  const { isWithin, until } = timesAt(rule, at);
  if (isWithin) return undefined;
  return until < (rule.to ?? NEVER) ? until : null;
}

/** The time around an instant in which a rule neither begins nor ceases to be in effect. */
export function effectPeriod(rule: Rule, at: Date, times = timesAt): Period {
  const dates = datesAround(rule, at);
  if (!hasTimes(rule) || !isDated(rule, at)) return dates;
  const { start, until } = times(rule, at);
  return {
    start: start > dates.start ? start : dates.start,
    until: until < dates.until ? until : dates.until,
  };
}

/** The first instant at which a rule that is in effect no longer is: NEVER, if it always will be. */
export function effectEnd(rule: Rule, at: Date): Date {
  const { to = NEVER, when } = rule;
  const end = when === undefined ? NEVER : outsideFrom(when, zoneOf(rule), at);
  return end.getTime() < to.getTime() ? end : to;
}

/** The zone of a rule's times: that of its window, if it has one. */
function zoneOf({ window, when }: Pick<Rule, 'window' | 'when'>): string {
  const timeZone = calendarOf(window)?.timeZone ?? when?.timeZone;
  if (timeZone === undefined) throw new TypeError('a rule that has times has a zone');
  return timeZone;
}

function datesAround({ from = new Date(0), to = NEVER }: Rule, at: Date): Period {
  if (at < from) return { start: new Date(0), until: from };
  return at < to ? { start: from, until: to } : { start: to, until: NEVER };
}
