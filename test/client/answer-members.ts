import * as z from 'zod';

/** A part of a JSON Schema. */
type Part = {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly $ref?: string;
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: unknown;
};

/** Every member that a schema knows, by its path, and every value of those with few: `rules[].mode=shadow`. */
export function membersOf(schema: z.ZodType): ReadonlySet<string> {
  return membersOfPart(z.toJSONSchema(schema) as Part); // what JSON Schema's own types call a part
}

/**
 * The same of a JSON Schema.
 *
 * @param root where its references point to
 */
export function membersOfPart(schema: Part, root: object = {}): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (part: Part, path: string): void => {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      found.add(`${path}.${name}`);
      visit(member, `${path}.${name}`);
    }
    if (part.items !== undefined) visit(part.items, `${path}[]`);
    for (const each of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) visit(each, path);
    if (part.$ref !== undefined) visit(partAt(root, part.$ref), path);
    const values = [...(part.enum ?? []), ...('const' in part ? [part.const] : [])];
    for (const value of values) found.add(`${path}=${String(value)}`);
    if ([part.type].flat().includes('null')) found.add(`${path}=null`);
    if (part.type === 'boolean' && values.length === 0)
      for (const value of ['true', 'false']) found.add(`${path}=${value}`);
  };
  visit(schema, '');
  return found;
}

/** What a reference points to: `#/components/schemas/Check`. */
function partAt(root: object, reference: string): Part {
  const names = reference.split('/').slice(1);
  return names.reduce<object>(
    (at, name) => (at as Readonly<Record<string, object>>)[name] ?? {},
    root,
  );
}

/** The same of an answer: what it has. */
export function membersIn(answer: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const each of value as unknown[]) visit(each, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        found.add(`${path}.${name}`);
        visit(member, `${path}.${name}`);
      }
    else found.add(`${path}=${String(value)}`);
  };
  visit(answer, '');
  return found;
}
