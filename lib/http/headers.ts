import { ownField } from './mistakes.ts';

/** Gives a header of a call, whose names have no case; undefined where there is none. */
export function readHeader(headers: unknown, name: string): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const own = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase());
  return own === undefined ? undefined : ownField(headers, own);
}
