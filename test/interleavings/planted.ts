/** Every mistake that is planted. */
import * as changing from './changing-mistakes.ts';
import * as excesses from './excess-mistakes.ts';
import * as expiries from './expiry-mistakes.ts';
import * as failures from './failure-mistakes.ts';
import * as levels from './level-mistakes.ts';
import * as mistakes from './mistakes.ts';
import * as pairs from './pair-mistakes.ts';
import * as partial from './partial-mistakes.ts';
import type { Mistake } from './planting.ts';
import * as protocol from './protocol-mistakes.ts';
import * as values from './value-mistakes.ts';

const FILES = [
  ...[mistakes, changing, protocol, excesses, failures, expiries, levels, values, partial, pairs],
] as const;

export const PLANTED: readonly Mistake[] = FILES.flatMap((file) =>
  Object.values(file).filter((one) => typeof one !== 'function'),
);

/** @throws TypeError where there is no such mistake any more */
export function mistakeNamed(name: string): Mistake {
  const found = PLANTED.find((one) => one.name === name);
  if (found === undefined) throw new TypeError(`no planted mistake is called "${name}"`);
  return found;
}
