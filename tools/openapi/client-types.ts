import type { Json, JsonObject } from './json.ts';

/**
 * The client's types, made of the document's components. A test writes them into the client, as it writes
 * docs/openapi.json.
 */

type Schemas = Readonly<Record<string, JsonObject>>;

/** Components that the client has no need of, or has in a form of its own. */
const LEFT_OUT: readonly string[] = [
  'GatewayMessage',
  'ListRulesRequest',
  'FindProposalRequest',
  'PutRuleRequest',
  'DeleteRuleRequest',
  'ReplaceRulesRequest',
];

/** Types of which TypeScript knows more than JSON Schema says. */
const KNOWN: Readonly<Record<string, (type: string) => string>> = {
  Problem: (type) => `PerCode<${type}>`,
  // It may have fields of a later version; those of this one are known.
  StoredRule: () => 'Rule & { readonly id: string }',
};

const HEAD = `/*
 * The requests and answers of Headroom. tools/openapi/client-types.ts makes them of docs/openapi.json: change the
 * schemas in contract/ or lib/, then run \`npx vitest run test/openapi -u\`.
 */

/** Exactly one of several: members of the others are not there. */
type OneOf<Options, Names extends PropertyKey = Options extends unknown ? keyof Options : never> =
  Options extends unknown
    ? Options & Partial<Readonly<Record<Exclude<Names, keyof Options>, never>>>
    : never;

/** A member of a union for each code, by which TypeScript tells them apart. */
type PerCode<Of> = Of extends { readonly code: infer Code extends string }
  ? { [One in Code]: Omit<Of, 'code'> & { readonly code: One } }[Code]
  : never;
`;

/**
 * Writes a type for each component.
 *
 * @param schemas all components, requests as a direct invocation says them
 * @param codes all codes of problems, which the client has as values, too
 */
export function clientTypes(schemas: Schemas, codes: readonly string[]): string {
  const inOrder = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1));
  const written = inOrder.filter(([id, schema]) => !LEFT_OUT.includes(id) && !isPlain(schema));
  const types = written.map(([id, schema]) => {
    const type = typeOf(schema, schemas);
    return `${commentOf(id, schema)}export type ${id} = ${KNOWN[id]?.(type) ?? type};`;
  });
  const values = `/** Every code of a problem that this version knows. */
export const PROBLEM_CODES = ${JSON.stringify(codes)} as const;`;
  return [HEAD, ...types, values].join('\n\n');
}

/** A text or a number is written where it is used. */
function isPlain({ type }: JsonObject): boolean {
  return type === 'string' || type === 'integer' || type === 'number';
}

function typeOf(schema: JsonObject, schemas: Schemas): string {
  const { $ref, type, oneOf, anyOf } = schema;
  if (typeof $ref === 'string') return referred($ref, schemas);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const values = listOf(schema.enum);
  if (values.length > 0) return union(values.map((one) => JSON.stringify(one)));
  const options = listOf(oneOf ?? anyOf).map((one) => typeOf(objectOf(one), schemas));
  if (options.length > 0) {
    const isExclusive = oneOf !== undefined && schema.discriminator === undefined;
    return isExclusive ? `OneOf<${union(options)}>` : union(options);
  }
  if (typeof type !== 'string')
    return union(listOf(type).map((one) => typeOf({ ...schema, type: one }, schemas)));
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${typeOf(objectOf(schema.items), schemas)})[]`;
    case 'object':
      return objectType(schema, schemas);
    default:
      return type; // JSON Schema and TypeScript call it the same
  }
}

function referred(reference: string, schemas: Schemas): string {
  const id = reference.split('/').at(-1) ?? '';
  const schema = objectOf(schemas[id]);
  return isPlain(schema) ? typeOf(schema, schemas) : id;
}

/** An object's own fields; where others may be there, too, a name may be any of them. */
function objectType(schema: JsonObject, schemas: Schemas): string {
  const { additionalProperties: others } = schema;
  // The client's methods say the operation.
  const { operation: _operation, ...properties } = objectOf(schema.properties);
  const isRequest = others === false;
  const fields = Object.entries(isRequest ? properties : objectOf(schema.properties));
  const types = fields.map(([, field]) => typeOf(objectOf(field), schemas));
  const other = others === true ? 'unknown' : typeOf(objectOf(others), schemas);
  const isOpen = others !== undefined && others !== false;
  if (isOpen && fields.length === 0) return `Readonly<Record<string, ${other}>>`;
  if (fields.length === 0) return 'Readonly<Record<string, never>>';
  const isTaken = others !== undefined; // of a request, where undefined is as good as nothing
  const lines = fields.map(([name, field], index) => {
    const isThere = listOf(schema.required).includes(name);
    const orUndefined = isTaken && !isThere ? ' | undefined' : '';
    const key = `readonly ${JSON.stringify(name)}${isThere ? '' : '?'}`;
    return `${comment(objectOf(field))}${key}: ${types[index] ?? ''}${orUndefined};`;
  });
  const any = union([other, ...types, 'undefined']);
  const rest = isOpen ? [`readonly [name: string]: ${any};`] : [];
  return `{\n${[...lines, ...rest].join('\n')}\n}`;
}

/** One of several types, each once; where any text may stand, no text in particular. */
function union(types: readonly string[]): string {
  const isAny = types.includes('string');
  const kept = types.filter((type) => !(isAny && type.startsWith('"')));
  return [...new Set(kept)].join(' | ');
}

/** Describes a type; for a request it also names the call. */
function commentOf(id: string, { description }: JsonObject): string {
  const call = id.endsWith('Request') ? id.slice(0, -'Request'.length) : '';
  const takes =
    call === '' ? '' : `What \`${call.charAt(0).toLowerCase()}${call.slice(1)}\` takes.`;
  return comment({
    description: `${takes} ${typeof description === 'string' ? description : ''}`.trim(),
  });
}

const LINE = 96;

/** Its description, as a doc comment. */
function comment({ description }: JsonObject): string {
  if (typeof description !== 'string' || description === '') return '';
  const lines = [''];
  for (const word of description.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length > LINE) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.length === 1 ? `/** ${description} */\n` : `/**\n * ${lines.join('\n * ')}\n */\n`;
}

function objectOf(value: Json | undefined): JsonObject {
  return (value ?? {}) as JsonObject; // as JSON Schema says
}

function listOf(value: Json | undefined): readonly Json[] {
  return (value ?? []) as readonly Json[]; // as JSON Schema says
}
