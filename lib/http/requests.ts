import * as z from 'zod/mini';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import { BODY_BYTES_MAX, MISTAKES_MAX } from '../shared/bounds.ts';
import type { Envelope } from './envelope.ts';
import { actor } from '../schema/fields.ts';
import {
  expectedFor,
  mistakeAt,
  mistakesOf,
  onePerPlace,
  onlyFields,
  ownField,
} from '../schema/mistakes.ts';
import { component, said } from '../schema/said.ts';
import { LOCAL_CLOCK_HEADER, readHeader } from './envelope.ts';
import { readJsonText } from './json-text.ts';

const REQUEST_EXPECTED = 'a JSON object';

/** Over HTTP the route says it. */
const DIRECT = { operation: z.optional(z.unknown()) };

/** Over HTTP a header says who asks. */
export const WITH_ACTOR = { actor: actor() };

/** The schema of an object with these fields and no others. @param direct fields of a direct invocation, which no error names */
export function requestSchema<
  Shape extends z.core.$ZodLooseShape,
  Direct extends z.core.$ZodLooseShape = Shape,
>(shape: Shape, direct?: Direct) {
  const only = onlyFields(Object.keys(shape));
  return z.strictObject({ ...direct, ...shape } as Shape & Direct, {
    error: ({ code }) => (code === 'unrecognized_keys' ? only : REQUEST_EXPECTED),
  });
}

/** The request of one operation of several. */
export function operationSchema<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return component(id, requestSchema(shape, DIRECT));
}

/** The request of a change. Over HTTP a header says who makes it. */
export function changeSchema<Shape extends z.core.$ZodLooseShape>(
  id: string,
  shape: Shape,
  keywords: Readonly<Record<string, unknown>> = {},
  bytesMax = BODY_BYTES_MAX,
) {
  const schema = requestSchema(shape, { ...DIRECT, actor: actor() });
  return component(id, said(schema, `At most ${bytesMax} bytes.`, keywords));
}

/** A request's schema. Its fields say where each stands over HTTP: `asInvoked`. */
export type RequestSchema<Given> = z.ZodMiniType<Given> & {
  readonly _zod: { readonly def: { readonly shape: z.core.$ZodShape } };
};

/** Refuses fields in a query where the body alone is read: a `dryRun` there would be no dry run. An actor is in the header. */
export function withoutQuery(
  body: unknown,
  envelope: Envelope,
  { _zod }: RequestSchema<unknown>,
): unknown {
  if (envelope.kind === 'direct') return body;
  if (envelope.query.size > 0) refuse(misplaced(Object.fromEntries(envelope.query), [], 'a query'));
  const named = Object.hasOwn(_zod.def.shape, 'actor') ? ownField(body, 'actor') : undefined;
  if (named !== undefined)
    refuse([mistakeAt(['actor'], named, 'no field of a body: send X-Actor')]);
  return body;
}

/** @throws InvalidRequestError with every mistake, if there is any */
export function refuse([first, ...others]: readonly Mistake[]): void {
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
}

/** Names fields in the wrong place. */
function misplaced(fields: object, names: readonly string[], place: string): readonly Mistake[] {
  const expected =
    names.length === 0 ? `no field of ${place}` : `of ${place} only ${names.join(', ')}`;
  const others = Object.entries(fields).filter(([name]) => !names.includes(name));
  return others.map(([name, value], index) =>
    mistakeAt([name], value, expectedFor(name, index < MISTAKES_MAX ? names : [], expected)),
  );
}

/** Reads a request by its schema. @param between mistakes between fields @throws InvalidRequestError with every mistake */
export function readRequest<T>(
  schema: z.ZodMiniType<T>,
  given: unknown,
  between?: (value: unknown) => readonly Mistake[],
): T {
  const result = schema.safeParse(given);
  const found = result.success ? [] : mistakesOf(result.error, given);
  refuse(onePerPlace([...found, ...(between?.(given) ?? [])]));
  if (!result.success) throw new TypeError('a schema that fails says why');
  return result.data;
}

/** A condition: only if there is none yet. */
export const ifNoneMatch = () =>
  z.optional(
    said(
      z.literal('*', { error: '*, for what is not there yet' }),
      '`*`: only where there is none yet. Never beside `If-Match`.',
    ),
  );

/** Finds a change that has both conditions. */
export function bothConditions(value: unknown): readonly Mistake[] {
  const other = ownField(value, 'ifNoneMatch');
  if (other === undefined || ownField(value, 'ifMatch') === undefined) return [];
  return [mistakeAt(['ifNoneMatch'], other, 'either ifMatch or ifNoneMatch')];
}

/** Fields that stand in a header over HTTP. */
export const FIELD_HEADERS: Readonly<Record<string, string>> = {
  actor: 'X-Actor',
  ifMatch: 'If-Match',
  ifNoneMatch: 'If-None-Match',
  language: 'Accept-Language',
};

/** Headers by which a call does something else. A signature must cover those that are there. */
export const DECIDING_HEADERS: readonly string[] = [
  ...Object.values(FIELD_HEADERS).filter((header) => header !== FIELD_HEADERS.language),
  LOCAL_CLOCK_HEADER,
];

/** The fields of a request that stand neither in its path nor in a header. */
export function fieldsBeside({ _zod }: RequestSchema<unknown>, inPath: object = {}) {
  return Object.keys(_zod.def.shape).filter(
    (name) => name !== 'operation' && !(name in FIELD_HEADERS) && !Object.hasOwn(inPath, name),
  );
}

/** Puts fields of the path, query and headers beside those of the body. Each name has one place, and is refused in any other. */
export function asInvoked(
  given: unknown,
  envelope: Envelope,
  takes: RequestSchema<unknown>,
): unknown {
  if (envelope.kind === 'direct') return given;
  const { query, headers, line } = envelope;
  const inPath = Object(envelope.parameters) as object;
  const isAsked = line.method === 'GET';
  const hasBody = !isAsked && line.method !== 'DELETE';
  const body = isAsked ? {} : given;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return given;
  const { shape } = takes._zod.def;
  const names = fieldsBeside(takes, inPath);
  const asked = inQuery(query, hasBody ? {} : shape);
  const isOfSubjects = !hasBody && Object.hasOwn(shape, 'subjects');
  refuse([
    ...misplaced(body, hasBody ? names : [], 'a body'),
    ...(isOfSubjects ? [] : misplaced(asked, hasBody ? [] : names, 'a query')),
  ]);
  const said = isOfSubjects ? withSubjects(asked, shape, names) : asked;
  const value = { ...body, ...(hasBody ? {} : said), ...inHeaders(headers, shape), ...inPath };
  // Names of a query are traps as those of a body are.
  return isAsked ? readJsonText(JSON.stringify(value)) : value;
}

/** A name that stands twice has all of its values. */
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

/** In a query, a name that is no field is the kind of a subject; attributes are `attributes[tier]=silver`. */
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

/** Not who acts: `ActorSource` reads it. A change that takes one condition also gets the other, and refuses it. */
function inHeaders(headers: unknown, shape: z.core.$ZodShape): object {
  const said = Object.entries(FIELD_HEADERS).flatMap(([name, header]) => {
    const known = name === 'ifNoneMatch' ? 'ifMatch' : name;
    const isField = name !== 'actor' && Object.hasOwn(shape, known);
    const value = isField ? readHeader(headers, header) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(said);
}
