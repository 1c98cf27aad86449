import { EXACT_COUNT_MAX } from '../../shared/bounds.ts';
import { keepMsOf } from '../windows/window-kind.ts';
import { isExact, stepsOf } from '../windows/windows.ts';
import type { Described } from '../../shared/request.ts';
import type { Values } from '../counter-key.ts';
import type { CountOf, Rule } from '../rule.ts';
import { level } from './level.ts';
import type { Measure, Measured } from './measure.ts';
import { values } from './values.ts';

const PLAIN: Measure = { isOf: () => true, scope: () => [], names: () => [] };
const MEASURES: readonly Measure[] = [level, values];

/** What a rule counts: payments and their amounts, unless it says otherwise. */
export function measureOf(rule: Measured): Measure {
  return MEASURES.find(({ isOf }) => isOf(rule)) ?? PLAIN;
}

/** What a rule's count is of, as answers and rows tell it. */
export function countOf(rule: CountOf): CountOf {
  return measureOf(rule).told?.(rule) ?? {};
}

/** What the counters of some rules keep of an order; undefined where they keep nothing. */
export function valuesOf(rules: readonly Rule[], order: Described): Values | undefined {
  let kept: Record<string, string> | undefined;
  for (const rule of rules) {
    const one = measureOf(rule).kept?.(rule, order);
    if (one !== undefined) (kept ??= {})[one[0]] = one[1];
  }
  return kept;
}

/** The largest maximum count that a rule may have; undefined if there is no bound. */
export function countMaxOf(rule: Rule) {
  return measureOf(rule).countMax ?? (isExact(rule.window) ? EXACT_COUNT_MAX : undefined);
}

/** The most buckets that a counter of a rule needs at one time: one for each step that reaches into a rolling window. */
export function bucketsNeeded(rule: Rule): number {
  const steps = stepsOf(rule.window);
  const counters = measureOf(rule).beside === undefined ? 1 : 2;
  if (steps === undefined) return counters;
  if (isExact(rule.window)) return rule.max.count ?? EXACT_COUNT_MAX;
  return counters * Math.ceil(keepMsOf(steps) / steps.stepMs);
}
