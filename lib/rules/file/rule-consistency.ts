import { EXACT_COUNT_MAX } from '../../shared/bounds.ts';
import type { Mistake } from '../../shared/errors.ts';
import { readInstant } from '../../http/instant.ts';
import type { Path } from '../../http/mistakes.ts';
import { mistakeAt, ownField } from '../../http/mistakes.ts';

const QUANTITIES = ['amount', 'count'] as const;
const SCOPES = ['match', 'counts', 'appliesTo'] as const;

/**
 * Names what is wrong between the fields of a rule, each of which may be right.
 *
 * @param rule what was given, not yet known to be a rule: what is wrong by itself is named elsewhere
 * @param at where it stands
 */
export function mistakesBetween(rule: object, at: Path): readonly Mistake[] {
  return [
    ...maximum(rule, at),
    ...minimum(rule, at),
    ...currency(rule, at),
    ...exact(rule, at),
    ...effect(rule, at),
    ...refunds(rule, at),
    ...scopes(rule, at),
    ...types(rule, at),
    ...traps(rule, at),
  ];
}

function quantityAt(rule: object, bound: 'min' | 'max', name: string): unknown {
  return ownField(ownField(rule, bound), name);
}

function limits(rule: object, bound: 'min' | 'max'): boolean {
  return QUANTITIES.some((name) => quantityAt(rule, bound, name) !== undefined);
}

/** A rule for single transactions may have a minimum alone. */
function maximum(rule: object, at: Path): readonly Mistake[] {
  const max = ownField(rule, 'max');
  const single = ownField(rule, 'window') === 'transaction';
  if (limits(rule, 'max') || (single && max === undefined && limits(rule, 'min'))) return [];
  return [mistakeAt([...at, 'max'], max, 'an object with amount, count or both')];
}

function minimum(rule: object, at: Path): readonly Mistake[] {
  const min = ownField(rule, 'min');
  if (min === undefined) return [];
  const path = [...at, 'min'];
  if (ownField(rule, 'window') !== 'transaction')
    return [mistakeAt(path, min, 'nothing here: a minimum is for window: transaction only')];
  if (!limits(rule, 'min')) return [mistakeAt(path, min, 'an object with amount, count or both')];
  return QUANTITIES.flatMap((name) => {
    const least = quantityAt(rule, 'min', name);
    const most = quantityAt(rule, 'max', name);
    if (typeof least !== 'number' || typeof most !== 'number' || least <= most) return [];
    return [mistakeAt([...path, name], least, `at most max.${name}, ${most}`)];
  });
}

function currency(rule: object, at: Path): readonly Mistake[] {
  const amounts = (['min', 'max'] as const).some(
    (bound) => quantityAt(rule, bound, 'amount') !== undefined,
  );
  if (!amounts || ownField(rule, 'currency') !== undefined) return [];
  return [mistakeAt([...at, 'currency'], undefined, 'a currency, because the rule limits amounts')];
}

/** Each event of an exact window is kept by itself, so their number must have an end. */
function exact(rule: object, at: Path): readonly Mistake[] {
  if (ownField(ownField(rule, 'window'), 'step') !== 'exact') return [];
  const count = quantityAt(rule, 'max', 'count');
  if (typeof count === 'number' && count >= 1 && count <= EXACT_COUNT_MAX) return [];
  const expected = `a whole number from 1 to ${EXACT_COUNT_MAX}, because the window is exact`;
  return [mistakeAt([...at, 'max', 'count'], count, expected)];
}

function effect(rule: object, at: Path): readonly Mistake[] {
  const from = readInstant(ownField(rule, 'from'));
  const to = readInstant(ownField(rule, 'to'));
  if (from === undefined || to === undefined || from < to) return [];
  return [mistakeAt([...at, 'to'], ownField(rule, 'to'), 'an instant after from')];
}

/** What a rule does not count cannot be given back, or kept. */
function refunds(rule: object, at: Path): readonly Mistake[] {
  const given = ownField(rule, 'refunds');
  if (given === undefined) return [];
  const path = [...at, 'refunds'];
  if (ownField(rule, 'window') === 'transaction')
    return [mistakeAt(path, given, 'nothing here: a rule for single transactions counts nothing')];
  const amount = ownField(given, 'amount');
  if (amount === undefined || ownField(rule, 'currency') !== undefined) return [];
  const expected = 'nothing here: a rule without a currency counts only payments';
  return [mistakeAt([...path, 'amount'], amount, expected)];
}

/** What is counted and what is asked about are said once, and only where they can differ. */
function scopes(rule: object, at: Path): readonly Mistake[] {
  const [match, counts, appliesTo] = SCOPES.map((name) => ownField(rule, name));
  if (match !== undefined && (counts ?? appliesTo) !== undefined)
    return [mistakeAt([...at, 'match'], match, 'either match, or counts and appliesTo')];
  if (counts !== undefined && ownField(rule, 'window') === 'transaction') {
    const expected = 'nothing here: a rule for single transactions counts nothing; use appliesTo';
    return [mistakeAt([...at, 'counts'], counts, expected)];
  }
  if (appliesTo === undefined || ownField(ownField(rule, 'window'), 'step') !== 'exact') return [];
  const expected = 'nothing here: a rule with an exact window applies to everything that it counts';
  return [mistakeAt([...at, 'appliesTo'], appliesTo, expected)];
}

/** A type is always text; a rule that matched another would never apply. */
function types(rule: object, at: Path): readonly Mistake[] {
  return matchedPlaces(rule).flatMap(([path, matched]) => {
    const given = ownField(matched, 'type');
    const values: readonly unknown[] = Array.isArray(given) ? given : [given];
    const wrong = values.find((value) => typeof value === 'number' || typeof value === 'boolean');
    return wrong === undefined ? [] : [mistakeAt([...at, ...path, 'type'], wrong, 'types as text')];
  });
}

/** The one name that schemas of names do not see: they leave it out without a word. */
function traps(rule: object, at: Path): readonly Mistake[] {
  const trap = '__proto__';
  const bounds = QUANTITIES.map((name): [Path, unknown] => [
    ['max', name],
    quantityAt(rule, 'max', name),
  ]);
  const titles: [Path, unknown] = [['title'], ownField(rule, 'title')];
  return [...matchedPlaces(rule), titles, ...bounds].flatMap(([path, names]) => {
    const value = ownField(names, trap);
    return value === undefined ? [] : [mistakeAt([...at, ...path, trap], value, 'no such name')];
  });
}

/** Everything that names what values are matched with, and where it stands. */
function matchedPlaces(rule: object): readonly (readonly [Path, unknown])[] {
  return SCOPES.flatMap((name): readonly (readonly [Path, unknown])[] => {
    const scope = ownField(rule, name);
    const matched: readonly [Path, unknown] = [[name], scope];
    return name === 'match' ? [matched] : [matched, [[name, 'not'], ownField(scope, 'not')]];
  });
}
