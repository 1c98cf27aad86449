import * as z from 'zod/mini';
import type { Json, JsonObject } from '../../lib/http/json.ts';
import '../../contract/answers.ts';
import { SAID } from '../../lib/http/said.ts';

/**
 * Schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1. zod writes it itself; what is here names
 * schemas, describes them, and says of those that are a function of ours what they mean.
 */

/** What schemas mean that zod cannot look into: a function of ours, or one schema after another. */
const MEANT = new Map<z.core.$ZodType, JsonObject>();

/** Makes a schema a component. */
export function component<T extends z.ZodMiniType>(id: string, description: string, schema: T): T {
  SAID.add(schema, { id, description });
  return schema;
}

/** Says what a schema means that zod cannot look into. */
export function means(schema: z.core.$ZodType, meaning: JsonObject): void {
  MEANT.set(schema, meaning);
}

/**
 * Writes all components.
 *
 * Answers are open: fields may be added to them. Requests are what their schemas say, and refuse fields
 * that nobody knows.
 *
 * @throws Error where a schema means something that nobody said
 */
export function components(): Readonly<Record<string, JsonObject>> {
  const { schemas } = z.toJSONSchema(SAID, {
    target: 'draft-2020-12',
    io: 'input',
    metadata: SAID,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: ({ zodSchema }) => (MEANT.has(zodSchema) ? {} : 'throw'),
    override: ({ zodSchema, jsonSchema }) => {
      const meaning = MEANT.get(zodSchema);
      if (meaning !== undefined) Object.assign(jsonSchema, meaning);
      else if (zodSchema._zod.def.type === 'pipe') throw new Error('say what each pipe means');
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, without(plain(schema), ['$schema', '$id'])]),
  );
}

/** A copy that is nothing but JSON, in the shortest form that means the same. */
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value), shortest) as JsonObject; // JSON gives an object for an object
}

/** What zod writes at length: no fields, names that may be any text, values of any kind, types or null. */
function shortest(name: string, value: unknown): unknown {
  const text = JSON.stringify(value);
  if (name === 'propertyNames' && text === '{"type":"string"}') return undefined;
  if (name === 'properties' && text === '{}') return undefined;
  if (name === 'additionalProperties' && text === '{}') return true;
  if (typeof value !== 'object' || value === null || !('anyOf' in value)) return value;
  const { anyOf, ...rest } = value;
  const [one, other, ...more] = anyOf as readonly { readonly type?: unknown }[]; // so JSON Schema says
  const isNullable = more.length === 0 && other?.type === 'null' && typeof one?.type === 'string';
  return isNullable ? { ...one, ...rest, type: [one.type, 'null'] } : value;
}

/** A copy that lacks some members. */
export function without<Value>(
  members: Readonly<Record<string, Value>>,
  names: readonly string[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

/** A schema with descriptions of its fields. */
export function withFields(
  schema: JsonObject | undefined,
  descriptions: Readonly<Record<string, string>>,
  more: JsonObject = {},
): JsonObject {
  const properties = propertiesOf(schema);
  for (const name of Object.keys(properties))
    if (descriptions[name] === undefined) throw new Error(`nothing is said of field ${name}`);
  const told = Object.entries(properties).map(([name, property]): [string, Json] => [
    name,
    { ...property, description: descriptions[name] ?? '' },
  ]);
  return { ...schema, properties: Object.fromEntries(told), ...more };
}

/** The fields of an object's schema. */
export function propertiesOf(schema: JsonObject | undefined): Readonly<Record<string, JsonObject>> {
  return (schema?.properties ?? {}) as Record<string, JsonObject>; // so JSON Schema says
}
