import * as z from 'zod/mini';
import {
  AMOUNT_MINOR_MAX,
  ATTRIBUTES_MAX,
  ID_LENGTH_MAX,
  LANGUAGE_LENGTH_MAX,
  MATCH_VALUES_MAX,
  SUBJECTS_MAX,
  TITLE_LANGUAGES_MAX,
} from '../../lib/shared/bounds.ts';
import {
  ATTRIBUTE_PATTERN,
  isAttributeName,
  isKind,
  KIND_PATTERN,
  PROOF_PATTERN,
  RESERVED,
} from '../../lib/shared/names.ts';
import type { JsonObject } from './json.ts';
import { WINDOW_FORMS } from '../../lib/rule-file/fields/window.ts';
import { LANGUAGE } from '../../lib/rule-file/fields/title.ts';
import { INSTANT_FORM } from '../../lib/schema/instant.ts';
import { component, referenceTo, said } from '../../lib/schema/said.ts';
import { DURATION_PATTERN, HOLD_PATTERN, STALE_PATTERN } from './duration-patterns.ts';

/** The checks that our own functions make of callers' values, in JSON Schema. */

const KEPT = '[^\\u0000\\uFFFD]';
/** The white space of ECMAScript, one by one: other languages call less so. */
const SPACES =
  '\\u0009-\\u000d\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** An id or other text. Half surrogate pairs are no text in JSON Schema, and need not be named. */
const TEXT = { type: 'string', minLength: 1, maxLength: ID_LENGTH_MAX };

/** The characters of a name, and the words that are none: every object has them, or every request. */
function nameOf(pattern: RegExp, isName: (name: string) => boolean): JsonObject {
  const known = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', ...RESERVED];
  const taken = known.filter((name) => pattern.test(name) && !isName(name)).sort();
  return { pattern: pattern.source, not: { enum: taken } };
}

const YEAR = '(19[7-9][0-9]|[2-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])';
const DATE = `${YEAR}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])`;
const TIME = '[Tt]([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\\.[0-9]+)?';
const ZONE = '([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])';

/** `type`, a subject kind or an attribute: every kind could be an attribute. */
const NAME = nameOf(ATTRIBUTE_PATTERN, (name) => name === 'type' || isAttributeName(name));
const whole = { type: 'integer', minimum: 0, maximum: AMOUNT_MINOR_MAX };
/** A value, or a list of values of which one must be. */
const oneOrMore = (value: JsonObject): JsonObject => ({
  anyOf: [value, { type: 'array', items: value, minItems: 1, maxItems: MATCH_VALUES_MAX }],
});
/** The names that a rule may match: also one of the order's proofs. */
const MATCHED = nameOf(
  ATTRIBUTE_PATTERN,
  (name) => ['type', 'proof'].includes(name) || isAttributeName(name),
);
const matched = (description: string, more: JsonObject, rest: JsonObject): JsonObject => ({
  type: 'object',
  description,
  propertyNames: MATCHED,
  properties: {
    type: oneOrMore(referenceTo('Text')),
    proof: oneOrMore({ type: 'string', pattern: PROOF_PATTERN.source }),
    ...more,
  },
  additionalProperties: referenceTo('MatchedValue'),
  ...rest,
});

component(
  'WindowOfRule',
  said(z.union(WINDOW_FORMS), 'The window over which the maximum of a rule counts.'),
);

/** Components to which schemas of requests refer. */
export const GIVEN: Readonly<Record<string, JsonObject>> = {
  Text: {
    ...TEXT,
    pattern: `^${KEPT}*$`,
    description: 'An id or other text, stored as it is.',
  },
  Reason: {
    ...TEXT,
    pattern: `^${KEPT}*[^${SPACES}\\u0000\\uFFFD]${KEPT}*$`,
    description: 'The reason for a change. It must not be only spaces.',
  },
  Kind: { type: 'string', ...nameOf(KIND_PATTERN, isKind), description: 'A kind of subject.' },
  Name: { type: 'string', ...NAME, description: '`type`, a subject kind or an attribute.' },
  Subjects: {
    type: 'object',
    minProperties: 1,
    maxProperties: SUBJECTS_MAX,
    propertyNames: nameOf(KIND_PATTERN, isKind),
    additionalProperties: referenceTo('Text'),
    examples: [{ user: 'u-1', card: 'c-9' }],
    description: 'The subjects that limits count for: kinds to ids.',
  },
  AttributeValue: {
    anyOf: [
      referenceTo('Text'),
      { type: 'boolean' },
      { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    ],
    description:
      'A value that rules may match. The text "1", the number 1 and true are three values.',
  },
  Attributes: {
    type: 'object',
    maxProperties: ATTRIBUTES_MAX,
    propertyNames: nameOf(ATTRIBUTE_PATTERN, isAttributeName),
    additionalProperties: referenceTo('AttributeValue'),
    examples: [{ channel: 'app', level: 3, vip: true }],
    description: 'Attributes that rules may match, beside type and subjects.',
  },
  Instant: {
    type: 'string',
    format: 'date-time',
    pattern: `^${DATE}${TIME}${ZONE}$`,
    examples: ['2026-03-02T09:30:00+08:00'],
    description: `${INSTANT_FORM}. The day must exist in its month.`,
  },
  Date: { type: 'string', format: 'date', pattern: `^${DATE}$`, description: 'A day.' },
  TimeZone: {
    type: 'string',
    pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
    examples: ['Asia/Shanghai'],
    description: 'A name of the IANA database. An offset such as +08:00 is not allowed.',
  },
  Place: {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'The end of a page. Give it back unchanged.',
  },
  PlaceOrInstant: {
    anyOf: [referenceTo('Place'), referenceTo('Instant')],
    description: 'The end of a page, or an instant.',
  },
  Hold: {
    type: 'string',
    pattern: HOLD_PATTERN,
    description: 'The time for which Headroom holds the amount.',
  },
  Staleness: {
    type: 'string',
    pattern: STALE_PATTERN,
    description: 'The age that an answer may have.',
  },
  Duration: {
    type: 'string',
    pattern: DURATION_PATTERN,
    description: 'An ISO 8601 duration. The description of each field states its bounds.',
  },
  Titles: {
    type: 'object',
    propertyNames: { pattern: LANGUAGE.source, maxLength: LANGUAGE_LENGTH_MAX },
    additionalProperties: referenceTo('Text'),
    maxProperties: TITLE_LANGUAGES_MAX,
    description: 'Texts by language.',
  },
  MatchedValue: {
    description: 'A value, or a list of values.',
    ...oneOrMore(referenceTo('AttributeValue')),
  },
  Matched: matched(
    'Names to a value, or to a list of values of which one must match. A name is `type`, a subject kind or an attribute. Values of `type` are texts.',
    {},
    { maxProperties: ATTRIBUTES_MAX },
  ),
  Scope: matched(
    'Names and values as in `Matched`. Under `not`: values that the order must not have.',
    { not: referenceTo('Matched') },
    {
      if: { required: ['not'] },
      then: { maxProperties: ATTRIBUTES_MAX + 1 },
      else: { maxProperties: ATTRIBUTES_MAX },
    },
  ),
  MaximumBy: {
    type: 'object',
    description: 'A maximum for each value of `by`, and `else` for every other.',
    properties: {
      by: { type: 'string', ...NAME, description: '`type`, a subject kind or an attribute.' },
      else: whole,
    },
    required: ['by', 'else'],
    additionalProperties: whole,
    maxProperties: MATCH_VALUES_MAX + 2,
  },
  Settlement: {
    description: 'A confirm or a rollback.',
    oneOf: [referenceTo('ConfirmOfMany'), referenceTo('RollbackOfMany')],
    discriminator: {
      propertyName: 'status',
      mapping: {
        SUCCESS: '#/components/schemas/ConfirmOfMany',
        FAIL: '#/components/schemas/RollbackOfMany',
      },
    },
  },
};
