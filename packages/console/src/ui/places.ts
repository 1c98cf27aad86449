import type { StoredRule } from '@headroom-limits/client';

/** Where a text that somebody looks for may lead. */
export type Place =
  | { readonly to: '/payment'; readonly search: { readonly order: string } }
  | { readonly to: '/subject'; readonly search: { readonly kind: string; readonly id: string } }
  | { readonly to: '/rules'; readonly search: { readonly id: string } };

/** Kinds that are offered where no rule can be read. */
const KINDS = ['user', 'merchant', 'card'] as const;

/** So many rules and kinds are offered at once. */
const OFFERED_MAX = 5;

/**
 * Gives the places of a text, the likeliest first. A text alone does not say what it names: `u-1` may be an
 * order, or the id of a subject of any kind. `user:u-1` and `user u-1` are the user.
 */
export function placesOf(
  asked: string,
  rules: readonly Pick<StoredRule, 'id' | 'per' | 'title'>[],
): readonly Place[] {
  const known = [...new Set(rules.flatMap(({ per }) => per))];
  const kinds = known.length === 0 ? KINDS : known;
  const [, kind = '', id = ''] = /^([A-Za-z][\w-]*)[:\s]\s*(\S.*)$/u.exec(asked) ?? [];
  const isSubject = kinds.some((each) => each === kind);
  const order: Place = { to: '/payment', search: { order: asked } };
  const subjects = isSubject ? [[kind, id] as const] : kinds.map((each) => [each, asked] as const);
  const places = subjects
    .slice(0, OFFERED_MAX)
    .map(([ofKind, itsId]): Place => ({ to: '/subject', search: { kind: ofKind, id: itsId } }));
  const named = rules
    .filter((rule) => namesOf(rule).some((name) => name.includes(asked.toLowerCase())))
    .map((rule): Place => ({ to: '/rules', search: { id: rule.id } }));
  const exact = named.filter(({ search }) => 'id' in search && search.id === asked);
  const others = named.filter((each) => !exact.includes(each)).slice(0, OFFERED_MAX);
  return [...exact, ...(isSubject ? [...places, order] : [order, ...places]), ...others];
}

function namesOf({ id, title = {} }: Pick<StoredRule, 'id' | 'title'>): readonly string[] {
  const titles = typeof title === 'string' ? [title] : Object.values(title);
  return [id, ...titles].map((name) => name.toLowerCase());
}
