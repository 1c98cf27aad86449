import type { AttributeValue, Subjects } from '../packages/client/src/index.ts';
import { UsageError } from './command-error.ts';

/** Reads a number of an option. @throws UsageError where it is none */
export function readNumber(name: string, text: string): number {
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new UsageError(`${name} is ${JSON.stringify(text)}, expected a whole number.`);
}

/** Reads a number of an option that must not be 0. @throws UsageError where it is none, or 0 */
export function readPositive(name: string, text: string): number {
  const number = readNumber(name, text);
  if (number >= 1) return number;
  throw new UsageError(`${name} is "${number}", expected a whole number from 1 on.`);
}

/** Reads a maximum, which may be none: null. @throws UsageError where it is neither */
export function readMaximum(name: string, text: string): number | null {
  if (text === 'none') return null;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new UsageError(`${name} is ${JSON.stringify(text)}, expected a whole number, or none.`);
}

/**
 * Reads subjects as documents are called: `user:u-1 merchant:m-1`.
 *
 * @throws UsageError for a text without a kind, or a kind that stands twice
 */
export function readSubjects(words: readonly string[]): Subjects {
  const subjects = new Map<string, string>();
  for (const word of words) {
    const [, kind, id] = /^([^:]+):(.+)$/s.exec(word) ?? [];
    if (kind === undefined || id === undefined)
      throw new UsageError(
        `${JSON.stringify(word)} is no subject; expected its kind and its id, such as user:u-1.`,
      );
    if (subjects.has(kind)) throw new UsageError(`There are two subjects of kind ${kind}.`);
    subjects.set(kind, id);
  }
  return Object.fromEntries(subjects);
}

/** Reads attributes, each as `name=value`. @throws UsageError for what is none */
export function readAttributes(words: readonly string[]): Record<string, AttributeValue> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`--attribute is ${JSON.stringify(word)}, expected name=value.`);
      return [name, attributeOf(value)];
    }),
  );
}

/** Reads an attribute: whole numbers, true and false are no texts, unless they stand in quotation marks. */
export function attributeOf(text: string): AttributeValue {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}
