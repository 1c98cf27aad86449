import * as z from 'zod/mini';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import { BODY_BYTES_MAX } from '../shared/bounds.ts';
import type { Envelope } from './envelope.ts';
import { actor } from './fields.ts';
import type { ParsedText } from './json-text.ts';
import { EXACT } from './json-text.ts';
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

/** A request that its body says alone: a `dryRun` in the query of a check would be no dry run. */
export function withoutQuery(request: ParsedText, envelope: Envelope): ParsedText {
  if (envelope.kind === 'direct' || envelope.query.size === 0) return request;
  const elsewhere = misplaced(Object.fromEntries(envelope.query), [], 'a query');
  return { ...request, mistakes: [...request.mistakes, ...elsewhere] };
}

/** Names the fields that stand where nobody looks for them. */
export function misplaced(
  fields: object,
  names: readonly string[],
  place: string,
): readonly Mistake[] {
  const expected =
    names.length === 0 ? `no field of ${place}` : `of ${place} only ${names.join(', ')}`;
  const others = Object.entries(fields).filter(([name]) => !names.includes(name));
  return others.map(([name, value]) => mistakeAt([name], value, expected));
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
  // An error about such a text would show only what it must hide.
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
