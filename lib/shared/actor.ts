import { ID_LENGTH_MAX } from './bounds.ts';

/** No control character, no end of line, no letter that turns others around, and no half of a pair of UTF-16. */
const KEPT = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFFFD]+$/u;

/** What names a person. */
export const PERSON_EXPECTED = `one person in 1 to ${ID_LENGTH_MAX} characters, some of them visible and none a control character, without spaces around it`;

/** Whether a text may name a person. Its length is in units of UTF-16. */
export function isPerson(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length <= ID_LENGTH_MAX &&
    KEPT.test(text) &&
    text === text.trim() &&
    folded(text) !== ''
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

/** Says whether one person may have done both. Capitals, spaces and what nobody sees do not count; an application that names nobody may act for anybody. */
export function mayBeSame(one: Actor, other: Actor): boolean {
  if (one.person !== undefined && other.person !== undefined) {
    if (folded(one.person) === folded(other.person)) return true;
  }
  if (one.kind !== other.kind || one.id !== other.id) return false;
  return one.kind === 'principal' || one.person === undefined || other.person === undefined;
}

/** Spaces of every kind, letters without a shape, and the Braille pattern without dots. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu;

/** A name as people are compared by: two spellings of one name are one text. */
export function folded(person: string): string {
  const seen = person.normalize('NFKC').replaceAll(UNSEEN, '');
  // Some small letters have one capital: ß and ss, dotless i and i. The capital ẞ is its own.
  return seen.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

/** Names an actor in a sentence: `application desk for jane@example.com`. */
export function actorText({ kind, id, person }: Actor): string {
  const named = kind === id ? kind : `${kind} ${id}`;
  return person === undefined ? named : `${named} for ${person}`;
}
