import { countMaxOf } from './measures/measures.ts';
import { isDeepStrictEqual } from 'node:util';
import { NEVER } from '../shared/bounds.ts';
import { present } from '../shared/present.ts';
import type { Period } from './zoned.ts';
import type { LaterMaximum, OverrideInForce, Rule } from './rule.ts';
import type { Freeze, Override, Quantity, Terms, Validity } from './own-terms.ts';
import { isWithin, overrideName } from './rule.ts';

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

/** A subject's overrides of a rule, from the lowest to the uppermost: those over and to come too. */
export function overridesOf(
  terms: Terms | undefined,
  rule: Pick<Rule, 'id' | 'namedAs'>,
): readonly Override[] {
  const name = overrideName(rule);
  return (terms?.overrides ?? []).filter((one) => one.rule === name);
}

/** A rule under a subject's terms at an instant, and what they make of its maximum later. */
export function underTerms(rule: Rule, terms: Terms | undefined, at: Date): Rule {
  const layers = overridesOf(terms, rule);
  if (layers.length === 0) return rule;
  const { maxBy: _maxBy, ...same } = rule;
  const { top, ...maxima } = maximaUnder(rule, layers, at);
  const later = laterMaxima(rule, layers, at);
  return {
    ...same,
    ...maxima,
    ...(top === undefined ? {} : { override: overrideInForce(top, rule, later[0]?.from) }),
    ...(later.length === 0 ? {} : { later }),
  };
}

function overrideInForce(
  { until: _until, ...top }: Override,
  { max: own }: Rule,
  until: Date | undefined,
): OverrideInForce {
  return { ...top, ...present({ until }), own };
}

/** The maxima of a rule under layers at an instant: of each sum that of the uppermost that says it. */
function maximaUnder(
  rule: Rule,
  layers: readonly Override[],
  at: Date,
): Pick<Rule, 'max' | 'maxBy'> & { readonly top?: Override } {
  const within = layers.filter((one) => isWithin(one, at));
  const top = within.at(-1);
  const { max, maxBy } = rule;
  if (top === undefined) return { max, ...present({ maxBy }) };
  const own = within.reduce<Override['max']>(
    (below, { max: above }) => ({ ...below, ...above }),
    {},
  );
  return {
    top,
    max: maxUnder(rule, own),
    ...present({ maxBy: withoutOverridden(maxBy, own) }),
  };
}

/** What the maxima are later, at each instant at which they become others. */
function laterMaxima(rule: Rule, layers: readonly Override[], at: Date): readonly LaterMaximum[] {
  const changes: LaterMaximum[] = [];
  let last = onlyMaxima(maximaUnder(rule, layers, at));
  for (const from of turnsAfter(layers, at)) {
    const next = onlyMaxima(maximaUnder(rule, layers, from));
    if (!isDeepStrictEqual(next, last)) changes.push({ from, ...next });
    last = next;
  }
  return changes;
}

function onlyMaxima({ max, maxBy }: Pick<Rule, 'max' | 'maxBy'>): Pick<Rule, 'max' | 'maxBy'> {
  return { max, ...present({ maxBy }) };
}

/** Instants after another at which some stretches begin or end, each once, in the order of time. */
export function turnsAfter(stretches: readonly Validity[], at: Date): readonly Date[] {
  const instants = stretches
    .flatMap(({ from, until }) => [from, until])
    .flatMap((instant) => (instant === undefined || instant <= at ? [] : [instant.getTime()]));
  return [...new Set(instants)].sort((one, other) => one - other).map((ms) => new Date(ms));
}

/**
 * The maximum in place of a rule's, which may have changed since: without a currency it limits counts alone;
 * each payment of an exact window, and each different value, has a place of its own, so that its count is bounded.
 */
function maxUnder(rule: Rule, own: Override['max']): Quantity {
  const { max, currency } = rule;
  const { amountMinor = max.amountMinor, count: asked = max.count } = own;
  const most = countMaxOf(rule);
  const count = most === undefined ? asked : Math.min(asked ?? most, most);
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

/** When the last of some terms is over; undefined where there are none. */
export function endOfTerms({ freeze, overrides }: Omit<Terms, 'version'>): Date | undefined {
  const all = [...overrides, ...(freeze === undefined ? [] : [freeze])];
  if (all.length === 0) return undefined;
  return new Date(Math.max(...all.map(({ until }) => (until ?? NEVER).getTime())));
}
