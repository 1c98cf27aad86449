import type { Quantity, Rule } from './rule.ts';

/** Says whether a quantity is above a maximum of a rule for single transactions. */
export function aboveSingle({ max }: Rule, { amountMinor = 0, count = 0 }: Quantity): boolean {
  return amountMinor > (max.amountMinor ?? Infinity) || count > (max.count ?? Infinity);
}

/** Says whether a quantity is outside a rule for single transactions. */
export function outsideSingle(rule: Rule, asks: Quantity): boolean {
  const { amountMinor = 0, count = 0 } = asks;
  const { min } = rule;
  const isBelow = amountMinor < (min.amountMinor ?? 0) || count < (min.count ?? 0);
  return isBelow || aboveSingle(rule, asks);
}
