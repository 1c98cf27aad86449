import * as z from 'zod/mini';
import { differentOnes } from '../../schema/different-ones.ts';
import {
  AMOUNT_MINOR_MAX,
  ATTRIBUTES_MAX,
  DISTINCT_MAX,
  MATCH_VALUES_MAX,
} from '../../shared/bounds.ts';
import { isAttributeName, PROOF_EXPECTED, PROOF_PATTERN } from '../../shared/names.ts';
import { present } from '../../shared/present.ts';
import type { AttributeValue } from '../../shared/request.ts';
import type { ByAttribute, Rule, Scope } from '../../rule/rule.ts';
import type { Quantity } from '../../rule/own-terms.ts';
import {
  ATTRIBUTE_VALUE_EXPECTED,
  attributeValue,
  byForm,
  wholeNumber,
} from '../../schema/fields.ts';
import type { Find, Path, Wrong } from '../../schema/mistakes.ts';
import { referenceTo, said } from '../../schema/said.ts';

const NAMES = 'type, subject kinds or attribute names';
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
const isName = (name: unknown): boolean => name === 'type' || isAttributeName(name);

const isMatchable = (name: unknown): boolean => name === 'proof' || isName(name);

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
    said(z.custom<string>(isName, { error: `one of ${NAMES}` }), undefined, referenceTo('Name')),
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

/** Counts too are bounded as amounts are: far from where sums stop being exact. */
const bound = wholeNumber(0, AMOUNT_MINOR_MAX);
/** The maximum of one value. Its mistake says where values stand: many files have them under `values`. */
const boundOfValue = wholeNumber(
  0,
  AMOUNT_MINOR_MAX,
  undefined,
  ': write each value beside by, with its maximum, such as { by: tier, gold: 500, else: 200 }',
);

type Maximum = { readonly own: number; readonly by?: ByAttribute };

const BY_EXPECTED = `an object of by (${NAMES}), else (the maximum for every other value, and none), and at most ${MATCH_VALUES_MAX} values to a maximum each`;
const byAttribute = z.pipe(
  z
    .catchall(
      z.object(
        { by: z.custom<string>(isName, { error: `one of ${NAMES}` }), else: bound },
        { error: BY_EXPECTED },
      ),
      boundOfValue,
    )
    .check(
      z.refine(
        ({ by: _by, else: _else, ...named }) => Object.keys(named).length <= MATCH_VALUES_MAX,
        { error: BY_EXPECTED },
      ),
    ),
  z.transform(({ by, else: own, ...named }): Maximum => ({ own, by: { by, values: named } })),
);
const sameForAll = z.pipe(
  bound,
  z.transform((own): Maximum => ({ own })),
);

const maximum = said(
  byForm((value) => (typeof value === 'object' && value !== null ? byAttribute : sameForAll)),
  undefined,
  { anyOf: [{ type: 'integer', minimum: 0, maximum: AMOUNT_MINOR_MAX }, referenceTo('MaximumBy')] },
);

type MaximaOfRule = Pick<Rule, 'max' | 'maxBy' | 'distinct'>;

const SUMS_EXPECTED = { error: 'an object with amount, count or both' };

/** `min`: amount, count, or both. */
export const least = z.pipe(
  z.strictObject({ amount: z.optional(bound), count: z.optional(bound) }, SUMS_EXPECTED),
  z.transform(({ amount, count }): Quantity => present({ amountMinor: amount, count })),
);
const DISTINCT_EXPECTED = `an object of one name (${NAMES}) to the most different values of it, such as { card: 3 }`;
const distinct = said(
  z.pipe(
    z
      .record(z.custom<string>(isName), wholeNumber(1, DISTINCT_MAX), { error: DISTINCT_EXPECTED })
      .check(z.refine((value) => Object.keys(value).length === 1, { error: DISTINCT_EXPECTED })),
    z.transform((named) => {
      const [[name, most] = ['', 0]] = Object.entries(named); // of which there is one
      return { name, most };
    }),
  ),
  'The most different values of one name. The value of an order counts while one of its orders does.',
  {
    type: 'object',
    propertyNames: referenceTo('Name'),
    additionalProperties: { type: 'integer', minimum: 1, maximum: DISTINCT_MAX },
    minProperties: 1,
    maxProperties: 1,
  },
);

/** `max`: the same, each by attribute where that is wanted; or different values. */
export const most = z.pipe(
  z.strictObject(
    { amount: z.optional(maximum), count: z.optional(maximum), distinct: z.optional(distinct) },
    { error: 'an object with amount, count or both, or with distinct' },
  ),
  z.transform(({ amount, count, distinct: named }): MaximaOfRule => {
    if (named !== undefined) return { max: { count: named.most }, distinct: named.name };
    const maxBy = present({ amountMinor: amount?.by, count: count?.by });
    return {
      max: present({ amountMinor: amount?.own, count: count?.own }),
      ...(Object.keys(maxBy).length === 0 ? {} : { maxBy }),
    };
  }),
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
