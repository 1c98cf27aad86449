import type * as z from 'zod/mini';
import { MISTAKES_MAX, SHOWN_LENGTH_MAX, SHOWN_PATH_LENGTH_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import { mostLike } from '../shared/similar.ts';

/** Names of fields and indexes of lists, from the outermost inwards. */
export type Path = readonly PropertyKey[];

/** Finds what stands at a path of a value, if anything does. */
export type Find = (...path: Path) => unknown;

/** A place, what is expected there, and what is wrong if it is not all that stands there. */
export type Wrong = readonly [path: Path, expected: string, value?: unknown];

/** Cuts a text that is too long at its bound in code units, or one before. */
export function shorten(text: string, lengthMax = SHOWN_LENGTH_MAX): string {
  if (text.length <= lengthMax) return text;
  const isInCharacter = (text.codePointAt(lengthMax - 1) ?? 0) > 0xffff;
  return `${text.slice(0, isInCharacter ? lengthMax - 1 : lengthMax)}…`;
}

/** Names of an object's fields that are shown. */
const NAMES_SHOWN_MAX = 3;

/** Says what an object has: `an object with "amount", "min", "max" and 2 more`, `an empty object`. */
function objectText(names: readonly string[]): string {
  if (names.length === 0) return 'an empty object';
  const shown = names.slice(0, NAMES_SHOWN_MAX).map((name) => JSON.stringify(shorten(name)));
  const more = names.length - shown.length;
  return `an object with ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Writes a value, shortened; of lists only how long they are, of objects what they have. */
function showValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return showText(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return objectText(Object.keys(value));
  return typeof value === 'number' || typeof value === 'bigint'
    ? shorten(String(value))
    : JSON.stringify(value);
}

/** Writes a text in quotation marks, and how long it is where it is cut. */
export function showText(text: string): string {
  const shown = JSON.stringify(shorten(text));
  if (text.length <= SHOWN_LENGTH_MAX) return shown;
  const pairs = text.match(/[\u{10000}-\u{10FFFF}]/gu) ?? []; // 𠮷 is one character
  return `${shown} (${text.length - pairs.length} characters)`;
}

/** Needs no quotation marks in a path: a name, or a rule by its id. */
const PLAIN = /^[\w-]{1,80}$|^rules\[[a-z0-9-]{1,64}\]$/;

/** Writes a path: `subjects.user`, `rules[2].id`, `rules[user-day].max`, `subjects["a b"]`. A long one is cut. */
export function showPath(path: Path): string {
  let shown = '';
  for (const part of path) {
    if (shown.length > SHOWN_PATH_LENGTH_MAX) break;
    shown += showPart(part, shown === '');
  }
  return shorten(shown, SHOWN_PATH_LENGTH_MAX);
}

function showPart(part: PropertyKey, isFirst: boolean): string {
  if (typeof part === 'number') return `[${part}]`;
  const name = String(part);
  if (!PLAIN.test(name)) return `[${JSON.stringify(shorten(name))}]`;
  return isFirst ? name : `.${name}`;
}

/** Makes a mistake of the value at a path. */
export function mistakeAt(path: Path, value: unknown, expected: string): Mistake {
  const shown = showValue(value);
  return { path: showPath(path), ...(shown === undefined ? {} : { value: shown }), expected };
}

/** An object's own field; undefined of anything else. */
export function ownField(value: unknown, name: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<PropertyKey, unknown>>)[name]; // it has the field
}

/** Names each place and each unknown field that a schema found. @param at the path of the input itself */
export function mistakesOf(error: z.core.$ZodError, input: unknown, at: Path = []): Mistake[] {
  return error.issues.flatMap(innermost).flatMap((issue) => {
    const value = issue.path.reduce<unknown>(ownField, input);
    if (issue.code !== 'unrecognized_keys')
      return mistakeAt([...at, ...issue.path], value, issue.message);
    return issue.keys.map((key, index) => {
      const likely = index < MISTAKES_MAX ? fieldsIn(issue.message) : [];
      const expected = expectedFor(key, likely, issue.message);
      return mistakeAt([...at, ...issue.path, key], ownField(value, key), expected);
    });
  });
}

const ONLY = 'only the fields ';

/** Says of a field that nobody knows which ones there are. */
export function onlyFields(names: readonly string[]): string {
  return names.length === 0 ? 'no field' : `${ONLY}${names.join(', ')}`;
}

/** The fields that `onlyFields` has said. */
function fieldsIn(only: string): readonly string[] {
  return only.startsWith(ONLY) ? only.slice(ONLY.length).split(', ') : [];
}

/** What is expected in the place of a field that nobody knows: the one that is most likely meant, and all that may be. */
export function expectedFor(name: string, fields: readonly string[], only: string): string {
  const like = mostLike(name, fields);
  return like === undefined ? only : `${like} instead (${only})`;
}

/** Of a list in the place of one or a list: the elements that are wrong, if nothing else is. */
function innermost(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inside =
    issue.errors.find((form) => form.every(({ path: [first] }) => typeof first === 'number')) ?? [];
  if (inside.length === 0) return [issue];
  return inside.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

/** Leaves one mistake for each place, in order. */
export function onePerPlace(mistakes: readonly Mistake[]): Mistake[] {
  const places = new Map<string, Mistake>();
  for (const mistake of mistakes) if (!places.has(mistake.path)) places.set(mistake.path, mistake);
  return [...places.values()];
}
