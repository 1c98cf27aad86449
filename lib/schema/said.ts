import * as z from 'zod/mini';

/** Keywords in docs/openapi.json beside a schema's shape. One with an id is a component. */
type Keywords = {
  readonly id?: string;
  readonly description?: string;
  readonly [keyword: string]: unknown;
};

/** Keywords of the schemas of requests and answers. */
export const SAID = z.registry<Keywords>();

/** Describes a schema. @param keywords of JSON Schema, where a function of ours decides */
export function said<T extends z.ZodMiniType>(
  schema: T,
  description: string | undefined,
  keywords?: Keywords,
): T {
  const known = { ...SAID.get(schema), ...keywords };
  SAID.add(schema, description === undefined ? known : { ...known, description });
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

/** Refers to a component. */
export function referenceTo(id: string) {
  return { $ref: `#/components/schemas/${id}` };
}
