/** The numbers of an answer: what they say about each rule, about the headroom, about an excess. */
import type { ModelOrder } from './model-orders.ts';
import { addedBy, earliestFit, fits, isAbove, maxAsked, plus, takenBy } from './model-orders.ts';
import { counterOf, countsEnd, enters, excessEffect, isStrict } from './model-rules.ts';
import type {
  ModelBound,
  ModelCheck,
  ModelExcess,
  ModelHeadroom,
  ModelRule,
  ModelRuleAnswer,
  ModelSum,
} from './model-types.ts';

/**
 * One applying rule as it stands now.
 *
 * @param misfit whether the ask does not, or did not, fit
 */
export function ruleAnswer(
  orders: readonly ModelOrder[],
  rule: ModelRule,
  request: ModelCheck,
  now: Date,
  misfit: boolean,
): ModelRuleAnswer {
  const { used, held, both } = takenBy(orders, rule, request.subjects, now);
  const figures = { rule: rule.id, used, held, remaining: remainingOf(rule.max, both) };
  // What lies above a maximum is not helped by more of what lies below a minimum.
  const isTooLittle = rule.window === 'transaction' && !isAbove(request, rule.max);
  const outcome = isTooLittle ? 'below-minimum' : 'exceeded';
  const effect = excessEffect(rule, request);
  if (misfit && effect === 'shadow') return { ...figures, outcome: `${outcome}-shadow` };
  if (misfit && effect !== 'refused') return { ...figures, outcome: `exceeded-${effect}` };
  if (misfit) {
    const retryAt = earliestFit(orders, rule, request, now);
    return { ...figures, outcome, retryAt };
  }
  return { ...figures, outcome: isUsedUp(rule, figures.remaining) ? 'reached' : 'within' };
}

/** Whether nothing remains of a maximum. One transaction has no counter to use up. */
export function isUsedUp(rule: ModelRule, remaining: ModelBound): boolean {
  return rule.window !== 'transaction' && (remaining.amount === 0 || remaining.count === 0);
}

/**
 * The largest amount that would pass now with this count.
 *
 * @param isShut whether no amount passes whatever the rules have left: by a freeze, or for want of a rule
 */
export function amountHeadroom(
  orders: readonly ModelOrder[],
  applying: readonly ModelRule[],
  request: ModelCheck,
  now: Date,
  isShut: boolean,
): Pick<ModelHeadroom, 'amount' | 'amountBy'> {
  if (isShut) return NO_ROOM;
  const enforced = applying.filter((rule) => isStrict(rule, request));
  const remains = (rule: ModelRule): number => {
    const { both } = takenBy(orders, rule, request.subjects, now);
    return remainingOf(rule.max, both).amount ?? Infinity;
  };
  const passes = (rule: ModelRule, amount: number): boolean =>
    fits(orders, rule, { ...request, amount }, now);
  const closed = enforced.filter((rule) => !passes(rule, remains(rule)));
  if (closed.length > 0) return { amount: 0, amountBy: closed.map(({ id }) => id) };
  const largest = Math.min(...enforced.map(remains));
  if (largest === Infinity) return { amount: null, amountBy: [] };
  const amountBy = enforced
    .filter((rule) => remains(rule) === largest || !passes(rule, largest))
    .map(({ id }) => id);
  const isPassing = enforced.every((rule) => passes(rule, largest));
  return { amount: isPassing ? largest : 0, amountBy };
}

const NO_ROOM = { amount: 0, amountBy: [] };

/** By how much each enforced maximum over a counter that the order has entered is exceeded. @param rules of which that is known */
export function excessOf(
  orders: readonly ModelOrder[],
  rules: readonly ModelRule[],
  order: ModelOrder,
  now: Date,
): readonly ModelExcess[] {
  return rules
    .filter((rule) => rule.mode === 'enforce' && enters(rule, order.request, now))
    .filter((rule) => countsEnd(rule, 'confirmed', undefined))
    .map((rule) => ({ rule, counter: counterOf(rule, order.request.subjects) }))
    .filter(({ counter }) =>
      order.entries.some(
        (entry) => entry.counter === counter && !entry.lowers && entry.until > now.getTime(),
      ),
    )
    .map(({ rule }) => ({ rule, max: maxAsked(rule, order) }))
    .map((one) => ({ ...one, both: takenBy(orders, one.rule, order.request.subjects, now).both }))
    .filter(({ max, both }) => isAbove(both, max))
    .map(({ rule, max, both }) => ({ rule: rule.id, ...above(both, max) }));
}

/**
 * By how much a maximum is exceeded by all that counts, or by one transaction.
 *
 * @param isCounted whether the transaction is in what counts
 */
export function excessOver(
  orders: readonly ModelOrder[],
  rule: ModelRule,
  request: ModelCheck,
  now: Date,
  isCounted = true,
): readonly ModelExcess[] {
  const ask = addedBy(orders, rule, request, now);
  const taken = takenBy(orders, rule, request.subjects, now).both;
  const both = rule.window === 'transaction' ? ask : isCounted ? taken : plus(taken, ask);
  const max = maxAsked(rule, request);
  return isAbove(both, max) ? [{ rule: rule.id, ...above(both, max) }] : [];
}

function above(sum: ModelSum, { amount = Infinity, count = Infinity }: ModelBound): ModelBound {
  return {
    ...(sum.amount > amount ? { amount: sum.amount - amount } : {}),
    ...(sum.count > count ? { count: sum.count - count } : {}),
  };
}

function remainingOf(max: ModelBound, taken: ModelSum): ModelBound {
  return {
    ...(max.amount === undefined ? {} : { amount: Math.max(0, max.amount - taken.amount) }),
    ...(max.count === undefined ? {} : { count: Math.max(0, max.count - taken.count) }),
  };
}
