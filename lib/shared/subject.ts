import type { OrderName, Subjects } from './request.ts';

const SPECIAL = /[\\:]/;

/** Joins parts into one text; different lists never give the same text. */
export function joinParts(parts: readonly string[]): string {
  return parts.map(escaped).join(':');
}

function escaped(part: string): string {
  if (!SPECIAL.test(part)) return part;
  return part.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
}

/** A user, a merchant, a card. */
export type Subject = { readonly kind: string; readonly id: string };

/** The `_id` of a subject's document: `user:u-1`. */
export function documentId(kind: string, id: string): string {
  return `${escaped(kind)}:${escaped(id)}`;
}

/** Reads the `_id` of a subject's document. */
export function readDocumentId(document: string): Subject {
  const [, kind = '', id = ''] = /^((?:[^\\:]|\\.)*):(.*)$/s.exec(document) ?? [];
  const unescaped = (part: string): string => part.replaceAll(/\\(.)/gs, '$1');
  return { kind: unescaped(kind), id: unescaped(id) };
}

/** The id of a hold. It names the application, so that orders of two never meet. */
export function holdId(order: OrderName): string {
  return `${escaped(order.appId)}:${escaped(order.orderId)}`;
}

/** What the ids of all holds of an application begin with: `shop:` of `shop:o-1`. */
export function appPrefix(id: string): string {
  const [prefix = ''] = /^(?:[^\\:]|\\.)*:/s.exec(id) ?? [];
  return prefix;
}

/** Returns the kind whose document decides about the order: the first of `homeKinds`, else of the alphabet. Rules never move it. */
export function homeKind(subjects: Subjects, homeKinds: readonly string[]): string {
  for (const kind of homeKinds) if (Object.hasOwn(subjects, kind)) return kind;
  const [home] = Object.keys(subjects).sort();
  if (home === undefined) throw new RangeError('a request has at least one subject');
  return home;
}

/** Kinds in the order in which a check visits their documents: home, then by document id. */
export function visitOrder(
  subjects: Subjects,
  kinds: Iterable<string>,
  home: string,
): readonly [string, ...string[]] {
  const others = new Set(kinds);
  others.delete(home);
  const idOf = (kind: string): string => documentId(kind, subjects[kind] ?? '');
  return [home, ...[...others].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))];
}
