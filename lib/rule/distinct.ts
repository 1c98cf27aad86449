import type { Described } from '../shared/request.ts';
import { digestOf } from '../shared/digest.ts';
import { distinctOf, nameDigest } from './counter.ts';
import type { Rule } from './rule.ts';
import { valueOf } from './rule.ts';

/*
 * Rules that count different values. A value is stored as a digest, and never told.
 */

/** Digests of values, by the `nameDigest` of what has them. */
export type Values = Readonly<Record<string, string>>;

/** The values of an order that some rules count; undefined where they count none. */
export function valuesOf(rules: readonly Rule[], request: Described): Values | undefined {
  let values: Record<string, string> | undefined;
  for (const { distinct } of rules) {
    const value = distinct === undefined ? undefined : valueDigest(distinct, request);
    if (distinct !== undefined && value !== undefined)
      (values ??= {})[nameDigest(distinct)] = value;
  }
  return values;
}

/** Characters of a value's digest: 60 bits, where one counter has some hundred values at most. */
const DIGEST_LENGTH = 10;

/** The digest of what an order has under a name; undefined where it has nothing. `1` and `"1"` are one value. */
export function valueDigest(name: string, request: Described): string | undefined {
  const value = valueOf(request, name);
  return value === undefined ? undefined : digestOf(String(value)).slice(0, DIGEST_LENGTH);
}

/** The value that a counter counts; undefined where it counts none. */
export function valueIn(counter: string, values: Values): string | undefined {
  const name = distinctOf(counter);
  return name === undefined ? undefined : values[name];
}

/** The values that some counters count, in the order of these; undefined where they count none. */
export function valuesIn(
  counters: readonly { readonly counter: string }[],
  values: Values | undefined,
): Values | undefined {
  if (values === undefined) return undefined;
  const counted = counters.flatMap(({ counter }) => {
    const value = valueIn(counter, values);
    return value === undefined ? [] : [[distinctOf(counter) ?? '', value] as const];
  });
  return counted.length === 0 ? undefined : Object.fromEntries(counted);
}
