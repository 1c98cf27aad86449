import * as z from 'zod/mini';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import { BODY_BYTES_MAX } from '../shared/bounds.ts';
import type { Envelope } from './envelope.ts';
import { actor } from './fields.ts';
import { readHeader } from './headers.ts';
import type { ParsedText } from './json-text.ts';
import { EXACT, readJsonText } from './json-text.ts';
import { mistakeAt, mistakesOf, onePerPlace } from './mistakes.ts';
import { component, said } from './said.ts';

/** What every request's schema is, so that what it expects of an object is said once. */
const REQUEST_EXPECTED = 'a JSON object';

/** What only a direct invocation has: over HTTP the route says it. */
const DIRECT = { operation: z.optional(z.unknown()) };

/**
 * The schema of a request: an object with these fields and no others.
 *
 * @param direct fields that are not named where another stands: over HTTP they stand elsewhere
 */
export function requestSchema<
  Shape extends z.core.$ZodLooseShape,
  Direct extends z.core.$ZodLooseShape = Shape,
>(shape: Shape, direct?: Direct) {
  const names = Object.keys(shape);
  const only = names.length === 0 ? 'no field' : `only the fields ${names.join(', ')}`;
  return z.strictObject({ ...direct, ...shape } as Shape & Direct, {
    error: ({ code }) => (code === 'unrecognized_keys' ? only : REQUEST_EXPECTED),
  });
}

/** What an operation takes of those fields, and no other, however it is called. */
export function operationSchema<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return component(id, requestSchema(shape, DIRECT));
}

/** What a change takes, which somebody makes; over HTTP a header says who. */
export function changeSchema<Shape extends z.core.$ZodLooseShape>(
  id: string,
  shape: Shape,
  keywords: Readonly<Record<string, unknown>> = {},
  bytesMax = BODY_BYTES_MAX,
) {
  const schema = requestSchema(shape, { ...DIRECT, actor: actor() });
  return component(id, said(schema, `At most ${bytesMax} bytes.`, keywords));
}

/** The schema of a request, by whose fields it is found out where each stands over HTTP. */
export type RequestSchema<Given> = z.ZodMiniType<Given> & {
  readonly _zod: { readonly def: { readonly shape: z.core.$ZodShape } };
};

/** Fields that stand in a header over HTTP. */
export const FIELD_HEADERS: Readonly<Record<string, string>> = {
  actor: 'X-Actor',
  ifMatch: 'If-Match',
  ifNoneMatch: 'If-None-Match',
  language: 'Accept-Language',
};

/** The fields of a request that stand in its body or its query: neither in its path nor in a header. */
export function fieldsBeside({ _zod }: RequestSchema<unknown>, inPath: object = {}) {
  return Object.keys(_zod.def.shape).filter(
    (name) => name !== 'operation' && !(name in FIELD_HEADERS) && !Object.hasOwn(inPath, name),
  );
}

/**
 * A call over HTTP as a direct invocation would say it: what stands in its path, its query and its headers
 * stands beside the fields of its body. Each name has one place, and is refused in any other: a `dryRun`
 * in the query of a check would be no dry run.
 */
export function asInvoked(
  request: ParsedText,
  envelope: Envelope,
  takes: RequestSchema<unknown>,
): ParsedText {
  if (envelope.kind === 'direct') return request;
  const { query, headers, line } = envelope;
  const inPath = Object(envelope.parameters) as object;
  const isAsked = line.method === 'GET';
  const hasBody = !isAsked && line.method !== 'DELETE';
  if (line.method === 'POST' && query.size + Object.keys(inPath).length === 0) return request;
  const body = isAsked ? {} : request.value;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return request;
  const { shape } = takes._zod.def;
  const names = fieldsBeside(takes, inPath);
  const asked = inQuery(query, hasBody ? {} : shape);
  const isOfSubjects = !hasBody && Object.hasOwn(shape, 'subjects');
  const elsewhere = [
    ...misplaced(body, hasBody ? names : [], 'a body'),
    ...(isOfSubjects ? [] : misplaced(asked, hasBody ? [] : names, 'a query')),
  ];
  const said = isOfSubjects ? withSubjects(asked, shape, names) : asked;
  const value = { ...body, ...(hasBody ? {} : said), ...inHeaders(headers, shape), ...inPath };
  // Names of a query are traps as those of a body are.
  const read = isAsked ? readJsonText(JSON.stringify(value)) : { ...request, value };
  return { ...read, mistakes: [...read.mistakes, ...elsewhere] };
}

/** Names the fields that stand where nobody looks for them. */
function misplaced(fields: object, names: readonly string[], place: string): readonly Mistake[] {
  const expected =
    names.length === 0 ? `no field of ${place}` : `of ${place} only ${names.join(', ')}`;
  const others = Object.entries(fields).filter(([name]) => !names.includes(name));
  return others.map(([name, value]) => mistakeAt([name], value, expected));
}

/** What a query says; of what stands twice, all of it. */
function inQuery(query: URLSearchParams, shape: z.core.$ZodShape): object {
  const asked = [...new Set(query.keys())].map((name): readonly [string, unknown] => {
    const [value = '', ...more] = query.getAll(name);
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return [name, more.length === 0 ? fromText(field, value) : [value, ...more]];
  });
  return Object.fromEntries(asked);
}

/** A number, or true or false, where the field is one; any other text as it is. */
function fromText(field: z.core.$ZodType | undefined, text: string): unknown {
  if (field === undefined) return text;
  const { def } = (field as z.core.$ZodTypes)._zod; // every schema is one of zod's
  if (def.type === 'optional') return fromText(def.innerType, text);
  if (def.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  const form = def.type === 'number' ? /^\d{1,16}$/ : /^\d+(\.\d+)?$/;
  const isNumber = (def.type === 'number' || def.type === 'literal') && form.test(text);
  return isNumber ? Number(text) : text;
}

/** In a query whatever is no field is the kind of a subject; attributes are `attributes[tier]=silver`. */
function withSubjects(asked: object, shape: z.core.$ZodShape, names: readonly string[]): object {
  const attributes: [string, unknown][] = [];
  const subjects: [string, unknown][] = [];
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(asked) as readonly [string, unknown][]) {
    const attribute = shape.attributes && /^attributes\[(.*)\]$/s.exec(name)?.[1];
    if (attribute !== undefined) attributes.push([attribute, value]);
    else (name !== 'subjects' && names.includes(name) ? fields : subjects).push([name, value]);
  }
  const isNobody = subjects.length === 0 && shape.subjects?._zod.optin === 'optional';
  return {
    ...(isNobody ? {} : { subjects: Object.fromEntries(subjects) }),
    ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
    ...Object.fromEntries(fields),
  };
}

/**
 * What headers say; who acts is read elsewhere. A change that takes one condition is told the other, too,
 * and refuses it.
 */
function inHeaders(headers: unknown, shape: z.core.$ZodShape): object {
  const said = Object.entries(FIELD_HEADERS).flatMap(([name, header]) => {
    const known = name === 'ifNoneMatch' ? 'ifMatch' : name;
    const isField = name !== 'actor' && Object.hasOwn(shape, known);
    const value = isField ? readHeader(headers, header) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(said);
}

/**
 * Reads a request by its schema.
 *
 * @param between what is wrong between fields, each of which may be right
 * @throws InvalidRequestError with every mistake, up to MISTAKES_MAX, and how many more there are
 */
export function readRequest<T>(
  schema: z.ZodMiniType<T>,
  text: ParsedText,
  between?: (value: unknown) => readonly Mistake[],
): T {
  const [hidden, ...othersHidden] = text.mistakes;
  // Of such a text nothing would be told but what it hides.
  if (hidden !== undefined && text.further > 0)
    throw new InvalidRequestError([hidden, ...othersHidden], text.further);
  const result = schema.safeParse(text.value);
  const found = result.success ? [] : mistakesOf(result.error, text.value);
  const [first, ...others] = joined(text.mistakes, [...found, ...(between?.(text.value) ?? [])]);
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
  if (!result.success) throw new TypeError('a schema that fails says why');
  return result.data;
}

/** Both kinds of mistakes, one for each place; a rounded number is shown as it was written. */
function joined(hidden: readonly Mistake[], found: readonly Mistake[]): readonly Mistake[] {
  const written = new Map(hidden.map((mistake) => [mistake.path, mistake]));
  const shown = found.map((mistake) => {
    const other = written.get(mistake.path);
    if (other?.expected !== EXACT || other.value === undefined) return other ?? mistake;
    return { ...mistake, value: other.value };
  });
  return onePerPlace([...shown, ...hidden]);
}
