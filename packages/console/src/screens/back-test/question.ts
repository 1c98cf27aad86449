import type { BacktestAnswer, StoredRule } from '@headroom-limits/client';
import { parseAbsolute, parseDate, toCalendarDate } from '@internationalized/date';
import { isZone, localZone } from '../../ui/written.ts';

/** A change of the rules that is tried on the past. */
export type TriedDraft = { readonly put: StoredRule } | { readonly drop: string };

/** How a rule is tried otherwise than it is written. */
export type TrialNote = 'enforced' | 'undated' | 'retired' | 'notifies' | 'asks';

/**
 * Says what to try of a rule: a draft is tried as if it were enforced, and at all times. A rule that begins
 * next week would refuse nothing of last month.
 */
export function triedOf(rule: StoredRule): TriedDraft {
  if (rule.mode === 'retired') return { drop: rule.id };
  const { mode: _mode, from: _from, to: _to, ...rest } = rule;
  return { put: rest };
}

/** Says in what a trial differs from the rule. */
export function notesOf({
  mode = 'enforce',
  from,
  to,
  onExceed,
}: StoredRule): readonly TrialNote[] {
  if (mode === 'retired') return ['retired'];
  const isDated = from !== undefined || to !== undefined;
  const isAsking = onExceed !== undefined && onExceed !== 'refuse' && onExceed !== 'notify';
  return [
    ...(mode === 'enforce' ? [] : ['enforced' as const]),
    ...(isDated ? ['undated' as const] : []),
    ...(onExceed === 'notify' ? ['notifies' as const] : []),
    ...(isAsking ? ['asks' as const] : []),
  ];
}

/** The rule with maxima of so much of its own, each at least 1 unless it is 0. */
export function scaled(rule: StoredRule, factor: number): StoredRule {
  const { max } = rule;
  return max === undefined ? rule : { ...rule, max: scaledIn(max, factor) };
}

function scaledIn<Value>(value: Value, factor: number): Value {
  if (typeof value === 'number')
    return (value === 0 ? 0 : Math.max(1, Math.floor(value * factor))) as Value; // a number
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    scaledIn<unknown>(part, factor),
  ]);
  return Object.fromEntries(parts) as Value; // with the same names
}

/** Whether two drafts are the same, however their fields are ordered. */
export function isSameDraft(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(draft: unknown): string {
  return JSON.stringify(draft, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The rule that a back-test puts in; undefined where it tries something else. */
export function putIn(draft: unknown): StoredRule | undefined {
  const { put } = (draft ?? {}) as { readonly put?: StoredRule }; // as in the request
  return put;
}

/** The id of the rule that a back-test takes out; undefined where it tries something else. */
export function dropIn(draft: unknown): string | undefined {
  const { drop } = (draft ?? {}) as { readonly drop?: string }; // as in the request
  return drop;
}

/** The zone of a rule's window, or else the reader's. */
export function zoneOfRule(rule: Pick<StoredRule, 'window'> | undefined): string {
  const { timeZone } = Object(rule?.window) as { readonly timeZone?: unknown }; // any value has fields
  return typeof timeZone === 'string' && isZone(timeZone) ? timeZone : localZone();
}

/** First and last day, such as `2026-03-01`. */
export type Days = { readonly from: string; readonly to: string };

const MINUTE_MS = 60_000;
/** Rows of the last two minutes may be missing, and clocks differ. */
const BEHIND_MS = 3 * MINUTE_MS;
/** Who asks twice within so long asks the same. */
const STEP_MS = 10 * MINUTE_MS;

/** The days until now that are tried unless others are chosen. */
const DAYS = 30;

/** The days that are asked about at first. */
export function firstDays(zone: string, nowMs: number): Days {
  const today = toCalendarDate(parseAbsolute(new Date(nowMs).toISOString(), zone));
  return { from: today.subtract({ days: DAYS }).toString(), to: today.toString() };
}

/** The days that a back-test was about. */
export function daysOf({ from, to }: Pick<BacktestAnswer, 'from' | 'to'>, zone: string): Days {
  const last = new Date(Date.parse(to) - 1).toISOString();
  const dayOf = (at: string): string => toCalendarDate(parseAbsolute(at, zone)).toString();
  return { from: dayOf(from), to: dayOf(last) };
}

/** The instants of some days, up to some minutes ago; undefined where they are no days, or in no order. */
export function rangeOf({ from, to }: Days, zone: string, nowMs: number): Days | undefined {
  try {
    const first = parseDate(from).toDate(zone);
    const end = parseDate(to).add({ days: 1 }).toDate(zone).getTime();
    const known = Math.floor((nowMs - BEHIND_MS) / STEP_MS) * STEP_MS;
    const last = new Date(Math.min(end, known));
    return first < last ? { from: first.toISOString(), to: last.toISOString() } : undefined;
  } catch {
    return undefined;
  }
}
