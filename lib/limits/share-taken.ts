import type { Rule } from '../rule/rule.ts';
import type { RuleReport } from './report.ts';

/** How much of a maximum is taken, of amount or count the larger: 0 of nothing, 1 of all of it. */
export function shareTaken({
  rule,
  used = {},
  held = {},
}: Pick<RuleReport, 'used' | 'held'> & { readonly rule: Pick<Rule, 'max'> }): number {
  const share = (taken: number, max: number | undefined): number => {
    if (max === undefined) return 0;
    if (max === 0) return taken < 0 ? 0 : 1;
    return taken / max;
  };
  return Math.max(
    share((used.amountMinor ?? 0) + (held.amountMinor ?? 0), rule.max.amountMinor),
    share((used.count ?? 0) + (held.count ?? 0), rule.max.count),
  );
}
