import * as z from 'zod/mini';
import type { Json, JsonObject } from '../../lib/edge/answers.ts';

/**
 * Schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1. zod writes it itself; what is here names
 * schemas, describes them, and says of those that are a function of ours what they mean.
 */

/** What the document says of a schema beside its shape. One with an id is a component of that name. */
type Said = { readonly id?: string; readonly description?: string };

/** Of all schemas of the document. */
export const SAID = z.registry<Said>();

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

/** A copy that is nothing but JSON. */
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject; // JSON gives an object for an object
}

/** A copy that lacks some members. */
export function without<Value extends Json>(
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
