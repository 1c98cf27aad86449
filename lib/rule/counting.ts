import type { Payment } from '../shared/request.ts';
import type { Ending } from '../shared/states.ts';
import type { Rule } from './rule.ts';
import { isBegun } from './rule-for-order.ts';
import { measureOf } from './measures/measures.ts';
import { isIn, valueOf } from './rule.ts';

/** Which orders a rule counts, and with which ends. */

/** Says whether a transaction enters a rule's sum, whatever the time. */
export function counts(rule: Rule, request: Payment): boolean {
  return isAbout(rule, request) && isIn(rule.counts, request);
}

/** Says whether a transaction lowers a rule's sum once it is confirmed. What enters the sum does not. */
export function lowers(rule: Rule, request: Payment): boolean {
  const beside = measureOf(rule).beside?.(rule);
  if (beside === undefined || !isAbout(rule, request)) return false;
  return isIn(beside, request) && !isIn(rule.counts, request);
}

function isAbout(rule: Rule, request: Payment): boolean {
  if (rule.currency !== undefined && rule.currency !== request.currency) return false;
  for (const kind of rule.per) if (!Object.hasOwn(request.subjects, kind)) return false;
  const { needs, mistake } = measureOf(rule);
  for (const name of needs?.(rule) ?? []) if (valueOf(request, name) === undefined) return false;
  if (mistake?.(rule, request) !== undefined) return false;
  return isBegun(rule, request);
}

/** Says whether a rule's maximum is asked for a transaction that enters its sum. */
export function isAsked(rule: Rule, request: Payment): boolean {
  return isIn(rule.appliesTo, request);
}

/** Says whether a rule counts orders that end so. */
export function countsEnding({ outcomes, reasonCodes }: Rule, { to, reasonCode }: Ending): boolean {
  if (outcomes === undefined) return to === 'confirmed';
  if (!outcomes.includes(to)) return false;
  if (to !== 'rolledBack' || reasonCodes === undefined) return true;
  return reasonCode !== undefined && reasonCodes.includes(reasonCode);
}

/** Says whether a rule counts failures alone: a place that an order takes is free again once it is confirmed. */
export function isOfFailures({ outcomes }: Pick<Rule, 'outcomes'>): boolean {
  return outcomes !== undefined && !outcomes.includes('confirmed');
}
