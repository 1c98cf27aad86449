import { measureOf } from './measures/measures.ts';
import type { Subjects } from '../shared/request.ts';
import type { Rule } from './rule.ts';
import type { Window } from './windows/windows.ts';
import { sinceOf } from './windows/windows.ts';

/** Subject kinds that no rule knows, most likely mistyped, and those that are known. */
export type UnknownKinds = {
  readonly unknown: readonly string[];
  readonly known: readonly string[];
};

/**
 * Finds the subject kinds that no rule counts for, or matches; undefined where every kind is known.
 *
 * @param others kinds that are known without a rule: those of homes, and those that may be frozen
 */
export function unknownKindsIn(
  subjects: Subjects,
  rules: readonly Rule[],
  others: readonly string[],
): UnknownKinds | undefined {
  const known = new Set([...others, ...rules.flatMap(({ per }) => per)]);
  const named = new Set(rules.flatMap(namesIn));
  const unknown = Object.keys(subjects).filter((kind) => !known.has(kind) && !named.has(kind));
  return unknown.length === 0 ? undefined : { unknown, known: [...known].sort() };
}

function attributeOf(window: Window): readonly string[] {
  const since = sinceOf(window);
  return since === undefined ? [] : [since.attribute];
}

/** The names of subject kinds and attributes that a rule says: it matches, requires or counts them, or depends on them. */
export function namesIn(rule: Rule): readonly string[] {
  const { counts, appliesTo, maxBy, require = [], window } = rule;
  const matched = [counts, appliesTo].flatMap(({ is, not }) => [
    ...Object.keys(is),
    ...Object.keys(not),
  ]);
  const chosenBy = [maxBy?.amountMinor, maxBy?.count].flatMap((one) => one?.by ?? []);
  return [
    ...matched,
    ...chosenBy,
    ...measureOf(rule).names(rule),
    ...require,
    ...attributeOf(window),
  ];
}
