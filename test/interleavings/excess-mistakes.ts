/** Rules of what becomes of orders above a maximum, each left out once. */
import type { Rule } from '../../lib/rule/rule.ts';
import type { Mistake } from './planting.ts';
import { foundIn, without } from './planting.ts';

/** Rules that some process takes for others. */
function taking(name: string, other: (rule: Rule) => Rule): Mistake {
  return { name, rules: (known) => ({ ...known, all: known.all.map(other) }) };
}

export const TELLING_REFUSES = foundIn(
  { documents: 1, changes: ['excesses'], from: 39 },
  taking('a rule that only tells refuses', (rule) =>
    rule.onExceed === 'notify' ? without(rule, 'onExceed') : rule,
  ),
);

export const TELLING_IS_SILENT = foundIn(
  { documents: 1, changes: ['excesses'], from: 39 },
  taking('a rule that only tells is silent', (rule) =>
    rule.onExceed === 'notify' ? { ...without(rule, 'onExceed'), mode: 'shadow' } : rule,
  ),
);

export const NO_PROOF_ASKED = foundIn(
  { documents: 1, changes: ['excesses'], from: 8 },
  taking('no proof is asked for', (rule) =>
    typeof rule.onExceed === 'object' ? { ...rule, onExceed: 'notify' } : rule,
  ),
);

export const NO_PROOF_HELPS = foundIn(
  { documents: 1, changes: ['excesses'], from: 8 },
  taking('no proof helps', (rule) =>
    typeof rule.onExceed === 'object' ? without(rule, 'onExceed') : rule,
  ),
);
