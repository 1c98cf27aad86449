import type * as z from 'zod/mini';
import type { Envelope } from './envelope.ts';
import { readHeader } from './envelope.ts';
import { readJsonText } from './json-text.ts';
import type { RequestSchema } from './requests.ts';
import { misplaced, refuse } from './requests.ts';

/** Fields that stand in a header over HTTP. */
export const FIELD_HEADERS: Readonly<Record<string, string>> = {
  actor: 'X-Actor',
  ifMatch: 'If-Match',
  ifNoneMatch: 'If-None-Match',
  language: 'Accept-Language',
};

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
