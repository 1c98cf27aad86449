import { ID_LENGTH_MAX } from './bounds.ts';

/** What an id or an attribute's text looks like. */
export const TEXT_EXPECTED = `text of 1 to ${ID_LENGTH_MAX} characters, without U+0000, U+FFFD and half surrogate pairs`;

/** U+FFFD is refused: a character that an encoding lost would make different ids look alike. */
export function isText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    hasLength(value) &&
    !/[\0\uFFFD\p{Surrogate}]/u.test(value)
  );
}

/** The form of a reason. */
export const REASON_EXPECTED = `${TEXT_EXPECTED}, not of spaces alone`;

/** Says whether a text is a reason: one of spaces says nothing. */
export function isReason(value: unknown): value is string {
  return isText(value) && /\S/.test(value);
}

/** 𠮷 is one character, and two of JavaScript's code units. */
function hasLength(text: string): boolean {
  if (text.length <= ID_LENGTH_MAX) return true;
  return text.length <= 2 * ID_LENGTH_MAX && Array.from(text).length <= ID_LENGTH_MAX;
}

/** Names that every object has by itself; a field called so is a trap or an attack. */
export function isInherited(name: string): boolean {
  return name in Object.prototype || name === 'prototype';
}

/** The letters of a subject's kind. Not every such name is one: see `isKind`. */
export const KIND_PATTERN = /^[a-z][a-zA-Z0-9]{0,31}$/;

/** The letters of an attribute's name. Not every such name is one: see `isAttributeName`. */
export const ATTRIBUTE_PATTERN = /^[a-z][a-zA-Z0-9]{0,63}$/;

/** The letters of a proof. */
export const PROOF_PATTERN = /^[a-z][a-z0-9-]{0,31}$/;

/** What a proof looks like. */
export const PROOF_EXPECTED =
  'a proof: 1 to 32 lower-case letters, digits and hyphens, beginning with a letter';

/** The letters of a reason code. */
export const REASON_CODE_PATTERN = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** What a reason code looks like. */
export const REASON_CODE_EXPECTED =
  'a reason code: 1 to 32 lower-case letters, digits and hyphens, beginning with a letter or digit';

/** Names that are fields of every request, and what rules call one of its proofs. */
export const RESERVED: readonly string[] = ['type', 'currency', 'proof'];

const IS_NO_FIELD = `and not one of ${RESERVED.join(', ')}, constructor, prototype or the like`;

/** What a subject's kind looks like. */
export const KIND_EXPECTED = `a subject kind: 1 to 32 letters and digits, beginning with a lower-case letter, ${IS_NO_FIELD}`;

/** What an attribute's name looks like. */
export const ATTRIBUTE_EXPECTED = `an attribute name: 1 to 64 letters and digits, beginning with a lower-case letter, ${IS_NO_FIELD}`;

function isPlainName(pattern: RegExp, name: unknown): name is string {
  return (
    typeof name === 'string' && pattern.test(name) && !isInherited(name) && !RESERVED.includes(name)
  );
}

/** Says whether a text is the kind of a subject. */
export function isKind(name: unknown): name is string {
  return isPlainName(KIND_PATTERN, name);
}

/** Says whether a text is the name of an attribute; every subject kind could be one. */
export function isAttributeName(name: unknown): name is string {
  return isPlainName(ATTRIBUTE_PATTERN, name);
}
