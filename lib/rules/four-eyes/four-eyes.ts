import type { Override } from '../override.ts';
import { isWithin } from '../override.ts';
import type { Quantity, Rule } from '../rule.ts';
import type { RuleReader } from '../generation.ts';
import type { RuleChange } from '../rule-change.ts';
import type { StoredRule } from '../rule-set.ts';
import { isSameJson } from '../rule-set.ts';
import type { Terms } from '../terms/terms.ts';
import { overridesFrom } from '../terms/terms.ts';
import type { TermsEdit } from '../terms/terms-change.ts';

/** Which changes need a second person. */
export type FourEyes =
  | { readonly kind: 'none' }
  | {
      /** Those by which more may pass than before. */
      readonly kind: 'raises';
      /** By currency, maxima in minor units up to which an amount may be raised by one person. */
      readonly above: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'all' };

/** The least and the most that a maximum allows, whatever the transaction; Infinity where there is none. */
type Range = { readonly least: number; readonly most: number };
type Ranges = { readonly amountMinor: Range; readonly count: Range };

/** Says whether a change of the rules needs a second person. */
export function rulesNeedSecond(
  fourEyes: FourEyes,
  changes: readonly RuleChange[],
  read: RuleReader,
): boolean {
  if (fourEyes.kind === 'none') return false;
  return fourEyes.kind === 'all'
    ? changes.length > 0
    : changes.some((change) => isLooser(change, fourEyes.above, read));
}

/**
 * Whether more may pass after the change of a rule. If a comparison of maxima cannot show that, as with
 * another window, the answer is yes.
 */
function isLooser(
  { before, after }: RuleChange,
  above: Readonly<Record<string, number>>,
  read: RuleReader,
): boolean {
  if (before === undefined) return false;
  const was = read(before);
  if (was === undefined) return true;
  if (was.mode !== 'enforce') return false;
  if (after === undefined) return true;
  const is = read(after);
  if (is?.mode !== 'enforce') return true;
  if (!isSameJson(withoutMaximum(before), withoutMaximum(after))) return true;
  return isRaised(was, is, above);
}

/** The fields of a rule but for its maximum and its name. */
function withoutMaximum(rule: StoredRule): object {
  return { ...rule, title: undefined, max: undefined, mode: undefined };
}

function isRaised(was: Rule, is: Rule, above: Readonly<Record<string, number>>): boolean {
  return (['amountMinor', 'count'] as const).some((what) => {
    const [before, after] = [was.maxBy?.[what], is.maxBy?.[what]];
    const allowed = what === 'count' ? 0 : allowedIn(is, above);
    if (before?.by !== after?.by)
      return isMore(rangesOf(is)[what].most, rangesOf(was)[what].least, allowed);
    const values = new Set([
      ...Object.keys(before?.values ?? {}),
      ...Object.keys(after?.values ?? {}),
    ]);
    const valueOf = (rule: Rule, value: string): number =>
      own(rule.maxBy?.[what]?.values, value) ?? rule.max[what] ?? Infinity;
    const elseRaised = isMore(is.max[what] ?? Infinity, was.max[what] ?? Infinity, allowed);
    return (
      elseRaised ||
      [...values].some((value) => isMore(valueOf(is, value), valueOf(was, value), allowed))
    );
  });
}

function own(
  values: Readonly<Record<string, number>> | undefined,
  name: string,
): number | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

function isMore(after: number, before: number, allowed: number): boolean {
  return after > before && after > allowed;
}

function allowedIn({ currency }: Rule, above: Readonly<Record<string, number>>): number {
  return (currency === undefined ? undefined : own(above, currency)) ?? 0;
}

function rangesOf({ max, maxBy }: Pick<Rule, 'max' | 'maxBy'>): Ranges {
  const of = (what: keyof Quantity): Range => {
    const all = [max[what] ?? Infinity, ...Object.values(maxBy?.[what]?.values ?? {})];
    return { least: Math.min(...all), most: Math.max(...all) };
  };
  return { amountMinor: of('amountMinor'), count: of('count') };
}

/**
 * Says whether a change of a subject's terms needs a second person. A freeze never does, because
 * stopping a thief must not wait. One that would end another freeze earlier is no freeze but its end.
 *
 * @param rule of an override; undefined where there is no rule of the name
 */
export function termsNeedSecond(
  fourEyes: FourEyes,
  before: Terms | undefined,
  edit: TermsEdit,
  rule: Rule | undefined,
  now: Date,
): boolean {
  if (fourEyes.kind === 'none') return false;
  switch (edit.kind) {
    case 'freeze': {
      const freeze = before?.freeze;
      if (freeze === undefined || !isWithin(freeze, now) || edit.until === undefined) return false;
      return freeze.until === undefined || edit.until < freeze.until;
    }
    case 'unfreeze':
      return true;
    case 'override':
    case 'endOverride': {
      // The maximum of a rule that is not in force is whatever one person says.
      if (fourEyes.kind === 'all' || rule?.mode !== 'enforce') return true;
      const overrides = overridesFrom(before, rule, now);
      const lowest = lowestOf(rule, overrides);
      const allowed = allowedIn(rule, fourEyes.above);
      return maximaAfter(rule, overrides, edit).some(
        ({ amountMinor, count }) =>
          isMore(amountMinor.most, lowest.amountMinor, allowed) ||
          isMore(count.most, lowest.count, 0),
      );
    }
  }
}

/**
 * What a change puts in the place of overrides: its own maximum, and the rule's from then on where it is
 * over before what it takes the place of would have been.
 */
function maximaAfter(
  rule: Rule,
  overrides: readonly Override[],
  edit: Extract<TermsEdit, { readonly kind: 'override' | 'endOverride' }>,
): readonly Ranges[] {
  if (edit.kind === 'endOverride') return overrides.length === 0 ? [] : [rangesOf(rule)];
  const { max, until: end } = edit.override;
  const isShorter =
    end !== undefined && overrides.some(({ until }) => until === undefined || end < until);
  return [overridden(rule, max), ...(isShorter ? [rangesOf(rule)] : [])];
}

type Maxima = { readonly amountMinor?: number | null; readonly count?: number | null };

function overridden(rule: Rule, max: Maxima): Ranges {
  const own = rangesOf(rule);
  const of = (what: keyof Quantity): Range => {
    const bound = max[what];
    if (bound === undefined) return own[what];
    return { least: bound ?? Infinity, most: bound ?? Infinity };
  };
  return { amountMinor: of('amountMinor'), count: of('count') };
}

/** The lowest maxima that the subject has of a rule, now or to come: what a raise is measured by. */
function lowestOf(rule: Rule, overrides: readonly Override[]): Required<Quantity> {
  const all = [rangesOf(rule), ...overrides.map(({ max }) => overridden(rule, max))];
  return {
    amountMinor: Math.min(...all.map(({ amountMinor }) => amountMinor.least)),
    count: Math.min(...all.map(({ count }) => count.least)),
  };
}
