import * as z from 'zod/mini';
import { said } from './said.ts';

/** A list of different ones. @param error what it is expected to be */
export function differentOnes<One extends z.ZodMiniType>(
  one: One,
  [least, most]: readonly [least: number, most: number],
  error: string,
  description?: string,
) {
  const list = z.array(one, { error }).check(
    ...(least === 0 ? [] : [z.minLength(least, { error })]),
    z.maxLength(most, { error }),
    z.refine((all: readonly unknown[]) => new Set(all).size === all.length, { error }),
  );
  return said(list, description, { uniqueItems: true });
}
