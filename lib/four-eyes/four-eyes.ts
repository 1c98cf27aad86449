import { isDeepStrictEqual } from 'node:util';
import { RAISING } from '../rule-file/fields/fields.ts';
import { readStoredRule } from '../rule-file/rule-list.ts';
import { measureOf } from '../rule/measures/measures.ts';
import type { Rule } from '../rule/rule.ts';
import type { RuleChange } from '../changes/rule-change.ts';
import type { TermsWish } from '../changes/terms-change.ts';
import type { TermsEffect } from '../changes/terms-effect.ts';

/** Which changes need a second person: with `raises`, those by which more may pass than before. */
export type FourEyes =
  | { readonly kind: 'none' }
  | { readonly kind: 'raises'; readonly above: Above }
  | { readonly kind: 'all' };

/** By currency, maxima in minor units up to which an amount may be raised by one person. */
type Above = Readonly<Record<string, number>>;

/** Says whether a change of the rules needs a second person. */
export function rulesNeedSecond(fourEyes: FourEyes, changes: readonly RuleChange[]): boolean {
  if (fourEyes.kind === 'none') return false;
  return fourEyes.kind === 'all'
    ? changes.length > 0
    : changes.some((change) => isLooser(change, fourEyes.above));
}

/** Whether more may pass after the change of a rule; yes too where maxima cannot tell, as with another window. */
function isLooser({ before, after }: RuleChange, above: Above): boolean {
  if (before === undefined) return false;
  const was = readStoredRule(before);
  if (was === undefined) return true;
  if (was.mode !== 'enforce') return false;
  const is = after && readStoredRule(after);
  if (after === undefined || is?.mode !== 'enforce') return true;
  // Orders are no different values, nor are those of another name.
  if (measureOf(was).name?.(was) !== measureOf(is).name?.(is)) return true;
  if (RAISING.some((field) => !isDeepStrictEqual(before[field], after[field]))) return true;
  return SUMS.some((sum) => isRaised(was, is, is, sum, above));
}

const SUMS = ['amountMinor', 'count'] as const;
type Limited = (typeof SUMS)[number];

type Maxima = Pick<Rule, 'max' | 'maxBy'>;

function isRaised(was: Maxima, is: Maxima, rule: Rule, sum: Limited, above: Above): boolean {
  const [before, after] = [was.maxBy?.[sum], is.maxBy?.[sum]];
  if (before?.by !== after?.by)
    return isMore(maximaOf(is, sum), maximaOf(was, sum), rule, sum, above);
  const maximumOf = ({ max, maxBy }: Maxima, value?: string): number =>
    own(maxBy?.[sum]?.values, value) ?? max[sum] ?? Infinity;
  const values = Object.keys({ ...before?.values, ...after?.values });
  return [undefined, ...values].some((value) =>
    isMore([maximumOf(is, value)], [maximumOf(was, value)], rule, sum, above),
  );
}

function own(values: Above | undefined, name: string | undefined): number | undefined {
  if (values === undefined || name === undefined) return undefined;
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Says whether a maximum is above one before, and higher than one person may raise it. */
function isMore(
  after: readonly number[],
  before: readonly number[],
  { currency }: Rule,
  sum: Limited,
  above: Above,
): boolean {
  const allowed = (sum === 'count' ? undefined : own(above, currency)) ?? 0;
  return Math.max(...after) > Math.max(allowed, Math.min(...before));
}

/** The maxima of a rule, whatever the transaction; Infinity for none. */
function maximaOf({ max, maxBy }: Maxima, sum: Limited): readonly number[] {
  return [max[sum] ?? Infinity, ...Object.values(maxBy?.[sum]?.values ?? {})];
}

/**
 * Says whether a change of a subject's terms needs a second person: one by which more may pass at any time. A
 * freeze does not, because stopping a thief must not wait, unless it would end another freeze earlier.
 *
 * @param effect undefined where the rule of an override is not there
 */
export function termsNeedSecond(
  fourEyes: FourEyes,
  wish: TermsWish['kind'],
  effect: TermsEffect | undefined,
): boolean {
  if (fourEyes.kind === 'none') return false;
  // One person may change the maximum of a rule that is not in force, so it tells nothing.
  if (effect === undefined || wish === 'unfreeze') return true;
  if (effect.kind === 'freeze') return effect.steps.some(({ before, after }) => before && !after);
  const { rule, steps } = effect;
  if (fourEyes.kind === 'all' || rule.mode !== 'enforce') return true;
  const { above } = fourEyes;
  return steps.some(({ before, after }) =>
    SUMS.some((sum) => isRaised(before, after, rule, sum, above)),
  );
}
