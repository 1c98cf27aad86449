import { BODY_BYTES_MAX } from '../domain/bounds.ts';
import type { Mistake } from '../domain/errors.ts';
import { InvalidRequestError } from '../domain/errors.ts';
import { isInherited } from './fields.ts';
import type { Path } from './mistakes.ts';
import { MISTAKES_MAX, showPath, showText } from './mistakes.ts';

/** What is expected of a number, when nothing more is known of its place. */
export const EXACT = 'a number that is read without rounding';

/** A parsed text, with what its parsed value no longer shows. */
export type ParsedText = {
  readonly value: unknown;
  /** Fields that stand twice, names that every object inherits, numbers that lost digits. */
  readonly mistakes: readonly Mistake[];
};

/**
 * Reads a request's JSON.
 *
 * JSON.parse keeps the last of two equal fields, and rounds numbers without a word; where money is
 * concerned two readers of one text must not read two amounts. So both are mistakes here.
 *
 * @throws InvalidRequestError where the text is too long, or no JSON
 */
export function readJsonText(text: string, bytesMax = BODY_BYTES_MAX): ParsedText {
  const bytes = Buffer.byteLength(text, 'utf8');
  if (bytes > bytesMax) throw unreadable(`${bytes} bytes`, `at most ${bytesMax} bytes`);
  if (text.trim() === '') throw unreadable(undefined, 'a JSON object');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(`not JSON: ${showText(text)}`, 'a JSON object');
  }
  return { value, mistakes: hiddenMistakes(text) };
}

function unreadable(value: string | undefined, expected: string): InvalidRequestError {
  return new InvalidRequestError([
    { path: '', ...(value === undefined ? {} : { value }), expected },
  ]);
}

/** An object or a list that is open while a text is scanned. */
type Frame = {
  /** Names seen; a list has none. */
  readonly names?: Set<string>;
  /** The field or index that is being read. */
  at: string | number;
  expectsName: boolean;
};

/** Strings, numbers and structure of a text that is known to be JSON. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|-?\d[\d.eE+-]*/g;

function hiddenMistakes(text: string): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  const frames: Frame[] = [];
  const here = (): Path => frames.map(({ at }) => at);
  for (const [token] of text.matchAll(TOKENS)) {
    const frame = frames.at(-1);
    if (mistakes.length >= MISTAKES_MAX) break;
    if (token === '{') frames.push({ names: new Set(), at: '', expectsName: true });
    else if (token === '[') frames.push({ at: 0, expectsName: false });
    else if (token === '}' || token === ']') frames.pop();
    else if (token === ',') next(frame);
    else if (token.startsWith('"')) {
      if (frame?.expectsName !== true) continue;
      const mistake = nameMistake(frame, String(JSON.parse(token)));
      if (mistake !== undefined) mistakes.push({ path: showPath(here()), ...mistake });
    } else if (token !== ':' && !isExact(token))
      mistakes.push({ path: showPath(here()), value: token.slice(0, 80), expected: EXACT });
  }
  return mistakes;
}

function next(frame: Frame | undefined): void {
  if (frame === undefined) return;
  frame.expectsName = frame.names !== undefined;
  if (typeof frame.at === 'number') frame.at += 1;
}

/** Enters a field's name; says what is wrong where the name is a mistake. */
function nameMistake(frame: Frame, name: string): Omit<Mistake, 'path'> | undefined {
  frame.at = name;
  frame.expectsName = false;
  if (frame.names?.has(name) === true)
    return { value: 'there twice', expected: 'a field that stands once' };
  frame.names?.add(name);
  return isInherited(name) ? { value: 'there', expected: 'no field of this name' } : undefined;
}

/**
 * Says whether a number's text means exactly the number that JSON.parse makes of it, as far as whole
 * numbers go: 15 significant digits always survive.
 * Source: IEEE 754, DBL_DIG of a 64-bit float.
 */
function isExact(token: string): boolean {
  const read = Number(token);
  if (/^-?\d+$/.test(token) || !Number.isFinite(read)) return Number.isSafeInteger(read);
  if (!Number.isInteger(read)) return true; // no whole number: the schema says so, with the value
  const [mantissa = ''] = token.split(/e/i);
  const digits = mantissa.replace(/[^\d]/g, '').replace(/^0+|0+$/g, '');
  return digits.length <= 15 && (digits === '') === (read === 0);
}
