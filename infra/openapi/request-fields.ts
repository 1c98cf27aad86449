import {
  ATTRIBUTES_MAX,
  ID_LENGTH_MAX,
  ORDERS_PER_CALL_MAX,
  SUBJECTS_MAX,
} from '../../lib/shared/bounds.ts';
import {
  ATTRIBUTE_PATTERN,
  isAttributeName,
  isKind,
  KIND_PATTERN,
} from '../../lib/shared/names.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import * as fields from '../../lib/http/fields.ts';
import { checksSchema, settlementsSchema } from '../../lib/http/many-request.ts';
import { recordFields, recordSchema } from '../../lib/record/record-request.ts';
import { HOLD_PATTERN } from './duration-patterns.ts';
import { INSTANT_PATTERN } from './given-patterns.ts';
import { referenceTo } from './json-schema.ts';
import { means } from './schemas.ts';

/*
 * What the fields of requests mean in JSON Schema, where the schemas that validate cannot say it.
 */

/** An id or other text. Half surrogate pairs are no text in JSON Schema, and need not be named. */
const TEXT: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: ID_LENGTH_MAX,
  pattern: '^[^\\u0000\\uFFFD]*$',
};

const KEPT = '[^\\u0000\\uFFFD]';
/** What ECMAScript calls white space, one by one: other languages call less so. */
const SPACES =
  '\\u0009-\\u000d\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** Names that a pattern admits and Headroom does not: every object has them, or every request. */
function namesTaken(pattern: RegExp, isName: (name: string) => boolean): readonly string[] {
  const known = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'type', 'currency'];
  return known.filter((name) => pattern.test(name) && !isName(name)).sort();
}

/** What a name is written with, and which are none. */
export function nameOf(pattern: RegExp, isName: (name: string) => boolean): JsonObject {
  return { pattern: pattern.source, not: { enum: namesTaken(pattern, isName) } };
}

/** What an attribute may be. */
export const ATTRIBUTE_VALUE: JsonObject = {
  anyOf: [
    referenceTo('Text'),
    { type: 'boolean' },
    { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  ],
};

const listOf = (id: string): JsonObject => ({
  type: 'array',
  minItems: 1,
  maxItems: ORDERS_PER_CALL_MAX,
  items: referenceTo(id),
});

means(fields.text, TEXT);
means(fields.reasonText, { ...TEXT, pattern: `^${KEPT}*[^${SPACES}\\u0000\\uFFFD]${KEPT}*$` });
means(fields.holdDuration, { type: 'string', pattern: HOLD_PATTERN });
means(recordFields.at, {
  type: 'string',
  pattern: INSTANT_PATTERN,
  examples: ['2026-03-02T09:30:00+08:00'],
});
means(fields.subjects, {
  type: 'object',
  minProperties: 1,
  maxProperties: SUBJECTS_MAX,
  propertyNames: nameOf(KIND_PATTERN, isKind),
  additionalProperties: referenceTo('Text'),
  examples: [{ user: 'u-1', card: 'c-9' }],
});
means(fields.attributes, {
  type: 'object',
  maxProperties: ATTRIBUTES_MAX,
  propertyNames: nameOf(ATTRIBUTE_PATTERN, isAttributeName),
  additionalProperties: ATTRIBUTE_VALUE,
  examples: [{ channel: 'app', level: 3, vip: true }],
});
means(checksSchema._zod.def.shape.orders, listOf('CheckOfMany'));
means(settlementsSchema._zod.def.shape.settlements, listOf('Settlement'));
means(recordSchema._zod.def.shape.orders, listOf('Payment'));
