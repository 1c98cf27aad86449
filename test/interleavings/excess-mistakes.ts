/** Rules of what becomes of orders above a maximum, each left out once. */
import type { Rule } from '../../lib/rule/rule.ts';
import type { Mistake } from './mistakes.ts';
import { without } from './mistakes.ts';

/** Rules that some process takes for others. */
function taking(name: string, other: (rule: Rule) => Rule): Mistake {
  return { name, rules: (known) => ({ ...known, all: known.all.map(other) }) };
}

export const TELLING_REFUSES = taking('a rule that only tells refuses', (rule) =>
  rule.onExceed === 'notify' ? without(rule, 'onExceed') : rule,
);

export const TELLING_IS_SILENT = taking('a rule that only tells is silent', (rule) =>
  rule.onExceed === 'notify' ? { ...without(rule, 'onExceed'), mode: 'shadow' } : rule,
);

export const NO_PROOF_ASKED = taking('no proof is asked for', (rule) =>
  typeof rule.onExceed === 'object' ? { ...rule, onExceed: 'notify' } : rule,
);

export const NO_PROOF_HELPS = taking('no proof helps', (rule) =>
  typeof rule.onExceed === 'object' ? without(rule, 'onExceed') : rule,
);
