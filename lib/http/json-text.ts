import {
  BODY_BYTES_MAX,
  JSON_DEPTH_MAX,
  MISTAKES_MAX,
  SHOWN_LENGTH_MAX,
} from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import { isInherited } from '../shared/names.ts';
import type { Path } from '../schema/mistakes.ts';
import { showPath, showText } from '../schema/mistakes.ts';

/**
 * Refuses equal fields and rounded numbers, which JSON.parse takes: two readers of a text must not read two amounts.
 *
 * @throws InvalidRequestError where the text is too long, nested too deeply, no JSON, or ambiguous
 */
export function readJsonText(text: string, bytesMax = BODY_BYTES_MAX): unknown {
  const bytes = Buffer.byteLength(text, 'utf8');
  if (bytes > bytesMax) throw unreadable(`${bytes} bytes`, `at most ${bytesMax} bytes`);
  if (text.trim() === '') throw unreadable(undefined, 'a JSON object');
  try {
    const { hidden, further } = hiddenMistakes(text);
    const value: unknown = JSON.parse(text);
    const [first, ...others] = hidden;
    if (first !== undefined) throw new InvalidRequestError([first, ...others], further);
    return value;
  } catch (error) {
    if (error instanceof InvalidRequestError) throw error;
    throw unreadable(`not JSON: ${showText(text)}`, 'a JSON object');
  }
}

/** The error about a request that is nested deeper than JSON_DEPTH_MAX. */
export function nestedTooDeeply(): InvalidRequestError {
  return unreadable(
    `nested more than ${JSON_DEPTH_MAX} deep`,
    `at most ${JSON_DEPTH_MAX} levels of objects and lists`,
  );
}

function unreadable(value: string | undefined, expected: string): InvalidRequestError {
  return new InvalidRequestError([
    { path: '', ...(value === undefined ? {} : { value }), expected },
  ]);
}

/** An object or a list that is open while a text is scanned. */
type Frame = {
  /** Of an object: names seen, and whether a mistake at each was noted. */
  readonly names?: Map<string, boolean>;
  /** The field or index that is being read. */
  at: string | number;
  expectsName: boolean;
};

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|-?\d[\d.eE+-]*/g;

/**
 * Finds fields that stand twice, names that every object inherits, and numbers that lost digits. Depth has a
 * bound, because a path is as long as it is deep: 64 KiB of brackets were once answered with 4.8 MB.
 */
function hiddenMistakes(text: string) {
  const hidden: Mistake[] = [];
  let further = 0;
  const frames: Frame[] = [];
  const here = (): Path => frames.map(({ at }) => at);
  const note = (mistake: Omit<Mistake, 'path'>): void => {
    const frame = frames.at(-1);
    if (typeof frame?.at === 'string') {
      if (frame.names?.get(frame.at) === true) return;
      frame.names?.set(frame.at, true);
    }
    if (hidden.length < MISTAKES_MAX) hidden.push({ path: showPath(here()), ...mistake });
    else further++;
  };
  for (const [token] of text.matchAll(TOKENS)) {
    const opens = token === '{' || token === '[';
    if (opens && frames.length === JSON_DEPTH_MAX) throw nestedTooDeeply();
    const frame = frames.at(-1);
    if (token === '{') frames.push({ names: new Map(), at: '', expectsName: true });
    else if (token === '[') frames.push({ at: 0, expectsName: false });
    else if (token === '}' || token === ']') frames.pop();
    else if (token === ',') next(frame);
    else if (token.startsWith('"')) {
      if (frame?.expectsName !== true) continue;
      const mistake = nameMistake(frame, String(JSON.parse(token)));
      if (mistake !== undefined) note(mistake);
    } else if (token !== ':' && !isReadExactly(token))
      note({
        value: token.slice(0, SHOWN_LENGTH_MAX),
        expected: 'a number that is read without rounding',
      });
  }
  return { hidden, further };
}

function next(frame: Frame | undefined): void {
  if (frame === undefined) return;
  frame.expectsName = frame.names !== undefined;
  if (typeof frame.at === 'number') frame.at += 1;
}

function nameMistake(frame: Frame, name: string): Omit<Mistake, 'path'> | undefined {
  frame.at = name;
  frame.expectsName = false;
  if (frame.names?.has(name) === true)
    return { value: 'there twice', expected: 'a field that stands once' };
  frame.names?.set(name, false);
  return isInherited(name) ? { value: 'there', expected: 'no field of this name' } : undefined;
}

/** Whether JSON.parse keeps a number exactly; 15 digits always survive. Source: IEEE 754, DBL_DIG of a 64-bit float. */
function isReadExactly(token: string): boolean {
  const read = Number(token);
  if (/^-?\d+(\.0+)?$/.test(token) || !Number.isFinite(read)) return Number.isSafeInteger(read);
  if (!Number.isInteger(read)) return true; // the schema refuses it
  const [mantissa = ''] = token.split(/e/i);
  const digits = significantDigits(mantissa.replace(/[^\d]/g, ''));
  return digits <= 15 && (digits === 0) === (read === 0);
}

/** Digits from the first to the last that is no zero. A pattern that ends with `0+$` is quadratic. */
function significantDigits(digits: string): number {
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  return end - start;
}
