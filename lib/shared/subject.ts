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

/** Between the kinds, and the subjects, of a document of several. No kind has it; in such a document ids have it escaped. */
const BESIDE = '|';

/** The kind of the document that subjects of some kinds have together: `user|payee`. Of one kind it is that kind. */
export function kindTogether(kinds: readonly string[]): string {
  return kinds.join(BESIDE);
}

/** The subject kinds of a kind of documents. */
export function kindsIn(kind: string): readonly string[] {
  return kind.split(BESIDE);
}

/** The `_id` of the document of a kind that some subjects have: `user:u-1`, or `user:u-1|payee:p-9`. */
export function documentOf(kind: string, subjects: Subjects): string {
  if (!kind.includes(BESIDE)) return documentId(kind, subjects[kind] ?? '');
  return kindsIn(kind)
    .map((one) => documentId(one, subjects[one] ?? '').replaceAll(BESIDE, `\\${BESIDE}`))
    .join(BESIDE);
}

/** An `_id` of several subjects: each has a colon, so that of one subject is none. */
const OF_SEVERAL = /^(?:[^\\:|]|\\.)*:(?:[^\\:|]|\\.)*(?:\|(?:[^\\:|]|\\.)*:(?:[^\\:|]|\\.)*)+$/s;

/** Reads the `_id` of a document of one subject or several: its kind, and whose it is. */
export function readDocument(document: string): {
  readonly kind: string;
  readonly subjects: Subjects;
} {
  const parts = OF_SEVERAL.test(document)
    ? (document.match(/(?:[^\\|]|\\.)+/gs) ?? [])
    : [document];
  const each = parts.map(readDocumentId);
  return {
    kind: kindTogether(each.map(({ kind }) => kind)),
    subjects: Object.fromEntries(each.map(({ kind, id }) => [kind, id])),
  };
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

/** Kinds of documents in the order in which a check visits them: home, then by document id. */
export function visitOrder(
  subjects: Subjects,
  kinds: Iterable<string>,
  home: string,
): readonly [string, ...string[]] {
  const others = new Set(kinds);
  others.delete(home);
  const idOf = (kind: string): string => documentOf(kind, subjects);
  return [home, ...[...others].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))];
}
