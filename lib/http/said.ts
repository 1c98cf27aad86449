import * as z from 'zod/mini';

/** What docs/openapi.json says of a schema beside its shape; one with an id is a component. */
type Said = {
  readonly id?: string;
  readonly description?: string;
  readonly [keyword: string]: unknown;
};

/** What is said of the schemas of requests and answers. */
export const SAID = z.registry<Said>();

/** Says what a schema means where it stands, and what else JSON Schema should say of it. */
export function said<T extends z.ZodMiniType>(schema: T, description: string, more: Said = {}): T {
  SAID.add(schema, { ...SAID.get(schema), ...more, description });
  return schema;
}

/** Makes a schema a component of the document: others refer to it by its name. */
export function component<T extends z.ZodMiniType>(id: string, schema: T): T {
  SAID.add(schema, { ...SAID.get(schema), id });
  return schema;
}

/** Says what a component means where it is used. */
export function called<T extends z.ZodMiniType>(schema: T, description: string): z.ZodMiniLazy<T> {
  return said(
    z.lazy(() => schema),
    description,
  );
}
