import { UsageError } from './command-error.ts';

/** Reads a number of an option. @throws UsageError where it is none */
export function readNumber(name: string, text: string): number {
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new UsageError(`${name} is ${JSON.stringify(text)}, expected a whole number.`);
}

/** Reads a maximum, which may be none: null. @throws UsageError where it is neither */
export function readMaximum(name: string, text: string): number | null {
  if (text === 'none') return null;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new UsageError(`${name} is ${JSON.stringify(text)}, expected a whole number, or none.`);
}
