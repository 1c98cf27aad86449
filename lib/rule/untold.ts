import type { Described } from '../shared/request.ts';
import type { ByAttribute, Rule } from './rule.ts';
import type { Quantity } from './own-terms.ts';
import { valueOf } from './rule.ts';

/** A maximum by an attribute that nobody said; `otherwise` is that of all other values. */
export type UntoldMaximum = ByAttribute & { readonly otherwise: number | undefined };

/** The maxima of a rule that depend on what nobody said. */
export type Untold = { readonly [Sum in keyof Quantity]?: UntoldMaximum };

/**
 * Takes maxima that depend on an attribute that nobody said out of a rule. That of all other values is not
 * taken for them: a customer at half of a higher one would look as if nothing was left.
 *
 * @param rule with the maxima that `ruleFor` chose, under its subject's terms
 */
export function splitUntold(
  rule: Rule,
  described: Described,
): { readonly rule: Rule; readonly untold?: Untold } {
  const untold: Untold = {
    ...untoldOf(rule, 'amountMinor', described),
    ...untoldOf(rule, 'count', described),
  };
  if (Object.keys(untold).length === 0) return { rule };
  const known = Object.entries(rule.max).filter(([sum]) => !Object.hasOwn(untold, sum));
  return { rule: { ...rule, max: Object.fromEntries(known) }, untold };
}

function untoldOf({ max, maxBy }: Rule, sum: keyof Quantity, described: Described): Untold {
  const by = maxBy?.[sum];
  if (by === undefined || valueOf(described, by.by) !== undefined) return {};
  return { [sum]: { ...by, otherwise: max[sum] } };
}
