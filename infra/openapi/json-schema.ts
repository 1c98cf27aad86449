import { COUNTER_SUM_MAX } from '../../lib/shared/bounds.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { SPAN_PATTERN } from './duration-patterns.ts';

/** Words for the schemas of answers, in JSON Schema 2020-12. */

type Fields = Readonly<Record<string, JsonObject>>;

/** Where a component stands. */
export function referenceTo(id: string): JsonObject {
  return { $ref: `#/components/schemas/${id}` };
}

/** A component, described for the place where it stands. */
export function called(id: string, description: string): JsonObject {
  return { ...referenceTo(id), description };
}

/** An object that has the fields of `always`, and may have those of `maybe`; others may be added. */
export function object(description: string, always: Fields, maybe: Fields = {}): JsonObject {
  const required = Object.keys(always);
  return {
    type: 'object',
    description,
    properties: { ...always, ...maybe },
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Any text. */
export function text(description: string): JsonObject {
  return { type: 'string', description };
}

/** One of some texts. */
export function oneOf(values: readonly string[], description: string): JsonObject {
  return { type: 'string', enum: values, description };
}

/** One text only. */
export function only(value: string | boolean): JsonObject {
  return { type: typeof value, const: value };
}

/** True or false. */
export function flag(description: string): JsonObject {
  return { type: 'boolean', description };
}

/** A whole number, as large as sums may grow. */
export function sum(description: string): JsonObject {
  return { type: 'integer', minimum: 0, maximum: COUNTER_SUM_MAX, description };
}

/** RFC 3339, in UTC, with milliseconds. */
export function instant(description: string): JsonObject {
  return { type: 'string', format: 'date-time', description };
}

/** A length of time as answers write it. */
export const SPAN: JsonObject = { type: 'string', pattern: SPAN_PATTERN };

/** An ISO 8601 duration, of an answer. */
export function duration(description: string): JsonObject {
  return { ...SPAN, description };
}

/** A list. */
export function list(items: JsonObject, description: string): JsonObject {
  return { type: 'array', items, description };
}

/** What may be null, too. */
export function nullable({ type = '', ...schema }: JsonObject): JsonObject {
  return { type: [type, 'null'], ...schema };
}
