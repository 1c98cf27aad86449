import * as z from 'zod/mini';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import { BODY_BYTES_MAX } from '../shared/bounds.ts';
import type { Envelope } from './envelope.ts';
import { actor } from './fields.ts';
import { mistakeAt, mistakesOf, onePerPlace, ownField } from './mistakes.ts';
import { component, said } from './said.ts';

const REQUEST_EXPECTED = 'a JSON object';

/** Over HTTP the route says it. */
const DIRECT = { operation: z.optional(z.unknown()) };

/** The schema of an object with these fields and no others. @param direct fields of a direct invocation, which no error names */
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

/** Refuses fields in a query where the body alone is read: a `dryRun` there would be no dry run. */
export function withoutQuery(body: unknown, envelope: Envelope): unknown {
  if (envelope.kind === 'http' && envelope.query.size > 0)
    refuse(misplaced(Object.fromEntries(envelope.query), [], 'a query'));
  return body;
}

/** @throws InvalidRequestError with every mistake, if there is any */
export function refuse([first, ...others]: readonly Mistake[]): void {
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
}

/** Names fields in the wrong place. */
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
