import { ID_LENGTH_MAX } from './bounds.ts';

/** No control character, no end of line, no letter that turns others around, and no half of a pair of UTF-16. */
const KEPT = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFFFD]+$/u;

/** What names a person. */
export const PERSON_EXPECTED = `one person in 1 to ${ID_LENGTH_MAX} characters, none of them a control character, without spaces around it`;

/** Whether a text may name a person. Its length is in units of UTF-16. */
export function isPerson(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length <= ID_LENGTH_MAX &&
    KEPT.test(text) &&
    text === text.trim()
  );
}

/** Who did something that is kept with its author. */
export type Actor = {
  /**
   * `application`: signed the call. `principal`: API Gateway let it through. `invocation`: IAM let it
   * invoke the function, and does not say who it is. `command`: somebody at a command line. `local`:
   * a call that nobody authenticated, as under `npm start`.
   */
  readonly kind: 'application' | 'principal' | 'invocation' | 'command' | 'local';
  /** An application's id, a principal's ARN or subject, a user of the machine; else the kind itself. */
  readonly id: string;
  /** The person on whose behalf it acts, as it says: `X-Actor`. */
  readonly person?: string;
};

/** Who changes something, when, and why. */
export type Authorship = {
  readonly at: Date;
  readonly by: Actor;
  readonly reason?: string;
  /** The second person, where the change needed one. */
  readonly approvedBy?: Actor;
};

/** Who gave a subject terms of its own, when, and why. */
export type Reasoned = Authorship & { readonly reason: string };

/** Says whether one person may have done both. Letters and spaces of names do not count; an application that names nobody may act for anybody. */
export function mayBeSame(one: Actor, other: Actor): boolean {
  if (one.person !== undefined && other.person !== undefined) {
    if (folded(one.person) === folded(other.person)) return true;
  }
  if (one.kind !== other.kind || one.id !== other.id) return false;
  return one.kind === 'principal' || one.person === undefined || other.person === undefined;
}

function folded(person: string): string {
  const seen = person.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  return seen.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Names an actor in a sentence: `application desk for jane@example.com`. */
export function actorText({ kind, id, person }: Actor): string {
  const named = kind === id ? kind : `${kind} ${id}`;
  return person === undefined ? named : `${named} for ${person}`;
}
