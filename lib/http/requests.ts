import * as z from 'zod/mini';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { Envelope } from './envelope.ts';
import type { ParsedText } from './json-text.ts';
import { EXACT } from './json-text.ts';
import { mistakeAt, mistakesOf, onePerPlace } from './mistakes.ts';

/**
 * Names the fields that stand where nobody looks for them: a `dryRun` in the query of a check would be
 * no dry run.
 *
 * @param names those that may stand there
 * @param place where they stand: `a query`
 */
export function misplaced(
  fields: readonly (readonly [string, unknown])[],
  names: readonly string[],
  place: string,
): readonly Mistake[] {
  const expected =
    names.length === 0 ? `no field of ${place}` : `of ${place} only ${names.join(', ')}`;
  return fields.flatMap(([name, value]) =>
    names.includes(name) ? [] : [mistakeAt([name], value, expected)],
  );
}

/** A request whose call has no query, with what stands there as mistakes. */
export function withoutQuery(request: ParsedText, envelope: Envelope): ParsedText {
  if (envelope.kind === 'direct') return request;
  const fields = new Map(envelope.query); // of a name that stands twice, one is enough
  return { ...request, mistakes: [...request.mistakes, ...misplaced([...fields], [], 'a query')] };
}

/** A whole number that stands in a query, where everything is text; any other text as it is. */
export function wholeNumberIn(text: string): number | string {
  return /^\d{1,16}$/.test(text) ? Number(text) : text;
}

/** What every request's schema is, so that what it expects of an object is said once. */
const REQUEST_EXPECTED = 'a JSON object';

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

/**
 * Reads a request by its schema.
 *
 * @param between what is wrong between fields, each of which may be right
 * @throws InvalidRequestError with every mistake, up to MISTAKES_MAX, and how many more there are
 */
export function readRequest<T>(
  schema: z.ZodMiniType<T>,
  text: ParsedText,
  between: (value: unknown) => readonly Mistake[],
): T {
  const [hidden, ...othersHidden] = text.mistakes;
  // Of such a text nothing would be told but what it hides.
  if (hidden !== undefined && text.further > 0)
    throw new InvalidRequestError([hidden, ...othersHidden], text.further);
  const result = schema.safeParse(text.value);
  const found = result.success ? [] : mistakesOf(result.error, text.value);
  const [first, ...others] = joined(text.mistakes, [...found, ...between(text.value)]);
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
