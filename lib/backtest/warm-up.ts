import type { Rule } from '../rule/rule.ts';
import { begunAt } from '../rule/rule-for-order.ts';
import { begins, bucketPeriod, isCounted, sinceOf, stepsOf } from '../rule/windows/windows.ts';
import { keepMsOf } from '../rule/windows/window-kind.ts';
import { HOLD_SECONDS_MAX } from '../shared/bounds.ts';

const HOLD_MS_MAX = HOLD_SECONDS_MAX * 1_000;

/**
 * When the windows of some rules began that an instant lies in, and the holds that may be open then.
 *
 * @returns the instant; undefined where a window has no beginning
 */
export function warmUpFrom(rules: readonly Rule[], from: Date): Date | undefined {
  let earliestMs = from.getTime();
  for (const rule of rules) {
    const began = windowBegan(rule, from);
    if (began === undefined) return undefined;
    earliestMs = Math.min(earliestMs, began.getTime());
  }
  return new Date(earliestMs - HOLD_MS_MAX);
}

/** When the window of a rule began that an instant lies in; undefined where that has no beginning. */
function windowBegan(rule: Pick<Rule, 'window'>, from: Date): Date | undefined {
  // Where an order says when it begins: as if it were now.
  const { window } = begunAt(rule, from);
  if (!isCounted(window)) return from;
  const steps = stepsOf(window);
  if (steps !== undefined) return new Date(from.getTime() - keepMsOf(steps));
  if (!begins(window)) return undefined;
  const { start, until } = bucketPeriod(window, from);
  const isOfOrder = sinceOf(window) !== undefined;
  return isOfOrder ? new Date(2 * from.getTime() - until.getTime()) : start;
}

/**
 * Which windows have no beginning, or began before the first row: they are counted from that row on.
 *
 * @param first of the whole audit: a subject, or a week, without a row lacks none
 */
export function countedFrom(rules: readonly Rule[], from: Date, first: Date) {
  const cut = rules.filter((rule) => {
    if (!isCounted(rule.window)) return false;
    const began = windowBegan(rule, from);
    return began === undefined || began < first;
  });
  return {
    countedFrom: cut.length === 0 ? null : first.toISOString(),
    rulesCountedFrom: cut.map(({ id }) => id),
  };
}
