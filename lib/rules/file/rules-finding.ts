import { numbered } from '../../shared/numbered.ts';
import type { OnNoRule } from '../../limits/plan.ts';
import type { Found } from '../../health/finding.ts';
import { fault, ok, warning } from '../../health/finding.ts';
import type { RuleSet } from '../rule-set.ts';
import { readRules } from './rule-list.ts';
import { currencyWarnings } from './rules-currencies.ts';

/** Finds how a set of rules is: whether it can be read, and what it limits. */
export function rulesFinding(
  { revision, rules: kept }: Pick<RuleSet, 'revision' | 'rules'>,
  { onNoRule }: { readonly onNoRule: OnNoRule },
  now: Date,
): Found {
  if (kept.length === 0)
    return fault(
      'none: every check is refused (ON_NO_RULE=refuse), or passes without any limit',
      'npx headroom rules rules.yaml stores some',
    );
  const { rules, mistakes } = readRules(kept.map(({ rule }) => rule));
  const [first, ...more] = mistakes;
  if (first !== undefined) {
    const is = first.value === undefined ? 'is missing' : `is ${first.value}`;
    return fault(
      `not to be read: ${first.path} ${is}${more.length > 0 ? `, and ${more.length} more` : ''}`,
      'store them again (npx headroom rules rules.yaml): checks are INTERNAL until then',
    );
  }
  const inForce = rules.filter(({ mode }) => mode === 'enforce').length;
  const onTrial = rules.filter(({ mode }) => mode === 'shadow').length;
  const says = `${numbered(inForce, 'rule')} in force, ${onTrial} on trial, at revision ${revision}`;
  if (inForce === 0) return warning(says, 'take one in force: nothing is refused');
  const warnings = onNoRule === 'refuse' ? currencyWarnings(rules, now) : [];
  if (warnings.length === 0) return ok(says);
  return warning(
    [says, ...warnings.map((each) => each.says)].join('; '),
    warnings.map(({ todo }) => todo).join('; '),
  );
}
