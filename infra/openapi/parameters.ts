import { ID_LENGTH_MAX } from '../../lib/shared/bounds.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { LANGUAGES } from '../../lib/http/sentences/language.ts';
import { only, referenceTo } from './json-schema.ts';

/** Parameters of several calls, in headers and in the query. */

/** Who acts. */
export const ACTOR_HEADER: JsonObject = {
  name: 'X-Actor',
  in: 'header',
  description: 'The person who acts, in printable ASCII: kept with the change.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: ID_LENGTH_MAX,
    pattern: '^[!-~]([ -~]*[!-~])?$',
  },
  example: 'jane@example.com',
};

/** Why, of a call without a body. */
export const REASON_QUERY: JsonObject = {
  name: 'reason',
  in: 'query',
  description: 'Why: kept with the change.',
  schema: referenceTo('Reason'),
  example: 'asked for by mail',
};

/** How many of a list are told. */
export function pageSize(otherwise: number, most: number): JsonObject {
  return {
    name: 'limit',
    in: 'query',
    description: `How many; ${otherwise} where nothing is said.`,
    schema: { type: 'integer', minimum: 1, maximum: most, default: otherwise },
  };
}

/** In which language sentences are. */
export const LANGUAGE: JsonObject = {
  name: 'Accept-Language',
  in: 'header',
  description:
    'The language of sentences: English (`en`), or Chinese (`zh`) where it is preferred.',
  schema: { type: 'string' },
  example: 'zh-CN, en;q=0.5',
};

/** A header of an answer that has sentences. */
export const CONTENT_LANGUAGE: JsonObject = {
  'Content-Language': {
    description: 'That of sentences.',
    schema: { type: 'string', enum: [...LANGUAGES] },
  },
};

/** Each kind is a parameter of its own: `?user=u-1&merchant=m-1`. */
export const SUBJECTS: JsonObject = {
  name: 'subjects',
  in: 'query',
  required: true,
  style: 'form',
  explode: true,
  description: 'Kinds and ids, each a parameter of its own: `?user=u-1&merchant=m-1`.',
  schema: referenceTo('Subjects'),
  example: { user: 'u-1' },
};

/** What payments say that maxima by attribute depend on. */
export const ATTRIBUTES: JsonObject = {
  name: 'attributes',
  in: 'query',
  style: 'deepObject',
  explode: true,
  description:
    'What the payments in question say, for maxima that depend on it: `?attributes[tier]=silver`. No name of a subject in the query.',
  schema: referenceTo('Attributes'),
  example: { tier: 'silver' },
};

/** The type of the payments in question. */
export const TYPE: JsonObject = {
  name: 'type',
  in: 'query',
  description: 'The type of the payments in question, for maxima that depend on it.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  example: 'PAYMENT',
};

/** Only where there is nothing yet. */
export const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*`: only where there is none yet. Never beside `If-Match`.',
  schema: only('*'),
  example: '*',
};
