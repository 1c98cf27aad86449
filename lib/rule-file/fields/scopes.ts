import * as z from 'zod/mini';
import { differentOnes } from '../../schema/different-ones.ts';
import { ATTRIBUTES_MAX, MATCH_VALUES_MAX } from '../../shared/bounds.ts';
import { isAttributeName, PROOF_EXPECTED, PROOF_PATTERN } from '../../shared/names.ts';
import type { AttributeValue } from '../../shared/request.ts';
import type { Scope } from '../../rule/rule.ts';
import { ATTRIBUTE_VALUE_EXPECTED, attributeValue } from '../../schema/fields.ts';
import type { Find, Path, Wrong } from '../../schema/mistakes.ts';
import { referenceTo, said } from '../../schema/said.ts';

/** The names that a rule may say. */
export const NAMES = 'type, subject kinds or attribute names';
const MATCH_EXPECTED = `an object of ${NAMES}, or proof, to one value or a list of values; for a currency use the field currency`;
const VALUES_EXPECTED = `1 to ${MATCH_VALUES_MAX} values`;
const valueList = z
  .array(attributeValue, { error: VALUES_EXPECTED })
  .check(
    z.minLength(1, { error: VALUES_EXPECTED }),
    z.maxLength(MATCH_VALUES_MAX, { error: VALUES_EXPECTED }),
  );
const values = z.pipe(
  z.union([attributeValue, valueList], { error: `${ATTRIBUTE_VALUE_EXPECTED}; or a list of such` }),
  z.transform((one): readonly AttributeValue[] => (typeof one === 'object' ? one : [one])),
);
/** Says whether a rule may say a name. */
export const isScopeName = (name: unknown): boolean => name === 'type' || isAttributeName(name);

const isMatchable = (name: unknown): boolean => name === 'proof' || isScopeName(name);

/** Names to values: all of them must have one. */
export const match = z
  .record(z.custom<string>(isMatchable), values, { error: MATCH_EXPECTED })
  .check(
    z.refine((value) => Object.keys(value).length <= ATTRIBUTES_MAX, {
      error: `at most ${ATTRIBUTES_MAX} names`,
    }),
  );

/** Names that an order must have. */
export const names = (description: string) =>
  differentOnes(
    said(
      z.custom<string>(isScopeName, { error: `one of ${NAMES}` }),
      undefined,
      referenceTo('Name'),
    ),
    [1, ATTRIBUTES_MAX],
    `a list of 1 to ${ATTRIBUTES_MAX} different names: ${NAMES}`,
    description,
  );

const scopeSchema = z.pipe(
  z.catchall(z.object({ not: z.optional(match) }, { error: MATCH_EXPECTED }), values).check(
    z.refine((value) => Object.keys(value).every(isMatchable), {
      error: `an object of ${NAMES}, or proof, and not`,
    }),
    z.refine(({ not: _not, ...is }) => Object.keys(is).length <= ATTRIBUTES_MAX, {
      error: `at most ${ATTRIBUTES_MAX} names`,
    }),
  ),
  z.transform(({ not = {}, ...is }): Scope => ({ is, not })),
);

/** What a rule counts, or applies to. */
export const scope = (description: string) =>
  said(
    z.lazy(() => scopeSchema),
    description,
    referenceTo('Scope'),
  );

/** Finds types and proofs of which one is none: a rule that matched it would never apply. */
export function* wrongTypes(find: Find, ...paths: readonly Path[]): Generator<Wrong> {
  for (const path of paths) {
    const proofs = find(...path, 'proof');
    const every: readonly unknown[] = Array.isArray(proofs) ? proofs : [proofs];
    const odd = every.find((value) => value !== undefined && !isProof(value));
    if (odd !== undefined) yield [[...path, 'proof'], PROOF_EXPECTED, odd];
    const given = find(...path, 'type');
    const each: readonly unknown[] = Array.isArray(given) ? given : [given];
    const wrong = each.find((value) => typeof value === 'number' || typeof value === 'boolean');
    if (wrong !== undefined) yield [[...path, 'type'], 'types as text', wrong];
  }
}

function isProof(value: unknown): boolean {
  return typeof value === 'string' && PROOF_PATTERN.test(value);
}

/** Finds the one name that schemas of names do not see: they leave it out without a word. */
export function* wrongPrototypes(find: Find, ...paths: readonly Path[]): Generator<Wrong> {
  for (const path of paths)
    if (find(...path, '__proto__') !== undefined) yield [[...path, '__proto__'], 'no such name'];
}
