import { EXACT_COUNT_MAX } from '../shared/bounds.ts';
import { measureOf } from './measures/measures.ts';
import type { Rule } from './rule.ts';
import { keepMsOf } from './windows/window-kind.ts';
import { isExact, stepsOf } from './windows/windows.ts';

/** The most buckets that a counter of a rule needs at one time: one for each step that reaches into a rolling window. */
export function bucketsNeeded(rule: Rule): number {
  const steps = stepsOf(rule.window);
  const counters = measureOf(rule).beside === undefined ? 1 : 2;
  if (steps === undefined) return counters;
  if (isExact(rule.window)) return rule.max.count ?? EXACT_COUNT_MAX;
  return counters * Math.ceil(keepMsOf(steps) / steps.stepMs);
}
