import type { Reasoned } from '../../shared/actor.ts';
import { EXACT_COUNT_MAX, NEVER } from '../../shared/bounds.ts';
import { present } from '../../shared/present.ts';
import type { Period } from '../../windows/calendar.ts';
import type { Override, Quantity, Rule, Validity } from '../rule.ts';
import { isOver, isWithin, isExact } from '../rule.ts';

/** Every new check of the subject is refused. */
export type Freeze = Validity & Reasoned;

/** A subject's own terms, as they stand in its document. */
export type Terms = {
  /** Another one after each change: no two terms of a document ever have the same. */
  readonly version: string;
  readonly freeze?: Freeze;
  /** Of one rule, none begins before another ends. */
  readonly overrides: readonly Override[];
};

/** The version of terms: `none` where a subject has no terms. */
export function versionOf(terms: Terms | undefined): string {
  return terms?.version ?? 'none';
}

/** The longest time around an instant that lies in a stretch throughout, or not at all. */
export function periodAround(stretch: Validity, at: Date): Period {
  const { from = new Date(0), until = NEVER } = stretch;
  if (at < from) return { start: new Date(0), until: from };
  return at < until ? { start: from, until } : { start: until, until: NEVER };
}

/** The freeze that is in force at an instant, if any. */
export function freezeAt(terms: Terms | undefined, at: Date): Freeze | undefined {
  const freeze = terms?.freeze;
  return freeze !== undefined && isWithin(freeze, at) ? freeze : undefined;
}

/** A subject's overrides of a rule: those over and to come too. */
export function overridesOf(
  terms: Terms | undefined,
  { id }: Pick<Rule, 'id'>,
): readonly Override[] {
  return (terms?.overrides ?? []).filter((one) => one.rule === id);
}

/** Those of them that are not over. */
export function overridesFrom(
  terms: Terms | undefined,
  rule: Pick<Rule, 'id'>,
  now: Date,
): readonly Override[] {
  return overridesOf(terms, rule).filter((one) => !isOver(one, now));
}

/** A rule under a subject's terms at an instant. */
export function underTerms(rule: Rule, terms: Terms | undefined, at: Date): Rule {
  const override = overridesOf(terms, rule).find((one) => isWithin(one, at));
  if (override === undefined) return rule;
  const { maxBy, ...same } = rule;
  return {
    ...same,
    max: maxUnder(rule, override.max),
    ...present({ maxBy: withoutOverridden(maxBy, override.max) }),
    override: { ...override, own: rule.max },
  };
}

/**
 * The maximum in place of a rule's, which may have changed since: without a currency it limits counts alone;
 * with an exact window EXACT_COUNT_MAX at most, since each payment has a bucket of its own.
 */
function maxUnder({ max, window, currency }: Rule, own: Override['max']): Quantity {
  const { amountMinor = max.amountMinor, count: asked = max.count } = own;
  const count = isExact(window) ? Math.min(asked ?? EXACT_COUNT_MAX, EXACT_COUNT_MAX) : asked;
  const hasAmount = amountMinor !== undefined && amountMinor !== null && currency !== undefined;
  return present({ amountMinor: hasAmount ? amountMinor : undefined, count: count ?? undefined });
}

function withoutOverridden(maxBy: Rule['maxBy'], max: Override['max']): Rule['maxBy'] {
  const left = present({
    amountMinor: max.amountMinor === undefined ? maxBy?.amountMinor : undefined,
    count: max.count === undefined ? maxBy?.count : undefined,
  });
  return Object.keys(left).length === 0 ? undefined : left;
}

/** Overrides without those of a rule at all, or from an instant on: one in force ends there. */
export function withoutOverrides(
  overrides: readonly Override[],
  rule: string,
  from?: Date,
): readonly Override[] {
  return overrides.flatMap((one): readonly Override[] => {
    if (one.rule !== rule) return [one];
    if (from === undefined) return [];
    if (isOver(one, from)) return [one];
    return one.from === undefined || one.from < from ? [{ ...one, until: from }] : [];
  });
}

/** When the last of some terms is over; undefined where there are none. */
export function endOf({ freeze, overrides }: Omit<Terms, 'version'>): Date | undefined {
  const all = [...overrides, ...(freeze === undefined ? [] : [freeze])];
  if (all.length === 0) return undefined;
  return new Date(Math.max(...all.map(({ until }) => (until ?? NEVER).getTime())));
}
