import * as z from 'zod/mini';

/** What docs/openapi.json says of a schema beside its shape; one with an id is a component. */
type Said = {
  readonly id?: string;
  readonly description?: string;
  readonly [keyword: string]: unknown;
};

/** What is said of the schemas of requests and answers. */
export const SAID = z.registry<Said>();

/**
 * Says what a schema means where it stands.
 *
 * @param keywords of JSON Schema: what zod cannot say, for a function of ours decides
 */
export function said<T extends z.ZodMiniType>(
  schema: T,
  description: string | undefined,
  keywords?: Said,
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

/** Where a component stands. */
export function referenceTo(id: string) {
  return { $ref: `#/components/schemas/${id}` };
}
