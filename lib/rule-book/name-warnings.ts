import type { StoredRule } from '../rule-file/rule-set.ts';
import { isIso } from '../shared/currency.ts';
import { mostLike } from '../shared/similar.ts';

/** Shorter types and currencies of a first set are often alike by right. */
const LIKE_LENGTH_MIN = 5;

/** A name of a rule that may be mistyped. */
export type NamedInRule = {
  readonly what: 'subject kind' | 'type' | 'currency';
  readonly name: string;
};

/** A warning, and the name that it is about, unless that is like another one: who knows that it is used knows better. */
export type Warning = { readonly says: string; readonly name?: NamedInRule };

/**
 * Warns of names that one rule alone has and that were not there before: they may be mistyped, and the rule would
 * apply to nothing. Where there was no rule before, each is new, so it warns of those alone that look like others.
 *
 * @param changed the rules that are new or others than before
 * @param all every rule that there is to be
 * @param before every rule that there is
 */
export function nameWarnings(
  changed: readonly StoredRule[],
  all: readonly StoredRule[],
  before: readonly StoredRule[],
  homeKinds: readonly string[],
): readonly Warning[] {
  return changed.flatMap((rule) => {
    const others = [...before, ...all.filter(({ id }) => id !== rule.id)].flatMap(namesInRule);
    return namesInRule(rule).flatMap(({ what, name }): readonly Warning[] => {
      const known = others.filter((other) => other.what === what).map((other) => other.name);
      // Of such a currency nobody needs to hear twice.
      if (what === 'currency' && !isIso(name)) return [];
      if (known.includes(name) || (what === 'subject kind' && homeKinds.includes(name))) return [];
      // INR and IDR, or P2P and P2M, are two.
      if (before.length === 0 && what !== 'subject kind' && name.length < LIKE_LENGTH_MIN)
        return [];
      const like = mostLike(name, what === 'subject kind' ? [...known, ...homeKinds] : known);
      const alone = `${rule.id}: no other rule has the ${what} ${JSON.stringify(name)}`;
      if (like !== undefined) return [{ says: `${alone}. Did you mean ${JSON.stringify(like)}?` }];
      if (before.length === 0) return [];
      return [{ says: `${alone}. Is it mistyped?`, name: { what, name } }];
    });
  });
}

function namesInRule({
  per,
  currency,
  match,
  counts,
  appliesTo,
}: StoredRule): readonly NamedInRule[] {
  const types = [match, counts, appliesTo].flatMap((scope) => textsIn(fieldOf(scope, 'type')));
  return [
    ...textsIn(per).map((name): NamedInRule => ({ what: 'subject kind', name })),
    ...[...new Set(types)].map((name): NamedInRule => ({ what: 'type', name })),
    ...textsIn(currency).map((name): NamedInRule => ({ what: 'currency', name })),
  ];
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

function textsIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each): each is string => typeof each === 'string');
}
