import * as z from 'zod/mini';
import { AMOUNT_MINOR_MAX, ATTRIBUTES_MAX, MATCH_VALUES_MAX } from '../../shared/bounds.ts';
import { isAttributeName } from '../../shared/names.ts';
import { present } from '../../shared/present.ts';
import type { AttributeValue } from '../../shared/request.ts';
import type { ByAttribute, Matched, Quantity, Rule, Scope } from '../rule.ts';
import { ATTRIBUTE_VALUE_EXPECTED, attributeValue, wholeNumber } from '../../http/fields.ts';
import { referenceTo, said } from '../../http/said.ts';

/** The fields of a rule that say which transactions it is about: `match`, `counts`, `appliesTo`, `max` by attribute. */

const NAMES = 'type, subject kinds or attribute names';
const MATCH_EXPECTED = `an object of ${NAMES} to one value or a list of values; for a currency use the field currency`;
const VALUES_EXPECTED = `1 to ${MATCH_VALUES_MAX} values`;
const valueList = z
  .array(attributeValue, { error: VALUES_EXPECTED })
  .check(
    z.minLength(1, { error: VALUES_EXPECTED }),
    z.maxLength(MATCH_VALUES_MAX, { error: VALUES_EXPECTED }),
  );
const values = z.union([attributeValue, valueList], {
  error: `${ATTRIBUTE_VALUE_EXPECTED}; or a list of such`,
});
const isName = (name: unknown): boolean => name === 'type' || isAttributeName(name);

/** Names to values: all of them must have one. */
export const match = z.record(z.custom<string>(isName), values, { error: MATCH_EXPECTED }).check(
  z.refine((value) => Object.keys(value).length <= ATTRIBUTES_MAX, {
    error: `at most ${ATTRIBUTES_MAX} names`,
  }),
);

/** Names with values, and under `not` names with values of which none may be. */
const scopeSchema = z
  .catchall(z.object({ not: z.optional(match) }, { error: MATCH_EXPECTED }), values)
  .check(
    z.refine((value) => Object.keys(value).every(isName), {
      error: `an object of ${NAMES}, and not`,
    }),
    z.refine(
      (value) => Object.keys(value).filter((name) => name !== 'not').length <= ATTRIBUTES_MAX,
      {
        error: `at most ${ATTRIBUTES_MAX} names`,
      },
    ),
  );

/** What a rule counts, or applies to. */
export const scope = (description: string) =>
  said(
    z.lazy(() => scopeSchema),
    description,
    referenceTo('Scope'),
  );

/** Maxima are bounded as amounts are, counts too: far from where sums stop being exact. */
const bound = wholeNumber(0, AMOUNT_MINOR_MAX);
/** The maximum of one value. Its mistake says where values stand: many files have them under `values`. */
const boundOfValue = wholeNumber(
  0,
  AMOUNT_MINOR_MAX,
  undefined,
  ': write each value beside by, with its maximum, such as { by: tier, gold: 500, else: 200 }',
);

const BY_EXPECTED = `an object of by (${NAMES}), else (the maximum for every other value, and none), and at most ${MATCH_VALUES_MAX} values to a maximum each`;
const byAttribute = z
  .catchall(
    z.object(
      { by: z.custom<string>(isName, { error: `one of ${NAMES}` }), else: bound },
      { error: BY_EXPECTED },
    ),
    boundOfValue,
  )
  .check(
    z.refine((value) => Object.keys(valuesOf(value)).length <= MATCH_VALUES_MAX, {
      error: BY_EXPECTED,
    }),
  );

/** A maximum: a whole number, or one for each value of an attribute. The form decides which is read. */
const maximum = said(
  z.pipe(
    z.unknown().check(({ value, issues }) => {
      const schema = typeof value === 'object' && value !== null ? byAttribute : bound;
      const { error } = schema.safeParse(value);
      for (const { path, message } of error?.issues ?? [])
        issues.push({ code: 'custom', path: [...path], message, input: value });
    }),
    z.custom<number | z.infer<typeof byAttribute>>(),
  ),
  undefined,
  { anyOf: [{ type: 'integer', minimum: 0, maximum: AMOUNT_MINOR_MAX }, referenceTo('MaximumBy')] },
);

/** `min`: amount, count, or both. */
export const least = z.strictObject(
  { amount: z.optional(bound), count: z.optional(bound) },
  { error: 'an object with amount, count or both' },
);
/** `max`: the same, each by attribute where that is wanted. */
export const most = z.strictObject(
  { amount: z.optional(maximum), count: z.optional(maximum) },
  { error: 'an object with amount, count or both' },
);

const EVERYTHING: Scope = { is: {}, not: {} };

/** What a rule counts and what it applies to: `match` is short for a rule that applies to all it counts. */
export function scopesOf(given: {
  readonly match?: z.infer<typeof match> | undefined;
  readonly counts?: z.infer<typeof scopeSchema> | undefined;
  readonly appliesTo?: z.infer<typeof scopeSchema> | undefined;
}): Pick<Rule, 'counts' | 'appliesTo'> {
  const counts = given.match ? { is: matchedOf(given.match), not: {} } : scopeOf(given.counts);
  return { counts, appliesTo: scopeOf(given.appliesTo) };
}

function scopeOf(given: z.infer<typeof scopeSchema> | undefined): Scope {
  if (given === undefined) return EVERYTHING;
  const { not = {}, ...is } = given;
  return { is: matchedOf(is), not: matchedOf(not) };
}

function matchedOf(given: Readonly<Record<string, z.infer<typeof values>>>): Matched {
  const lists = Object.entries(given).map(([name, value]): [string, readonly AttributeValue[]] => [
    name,
    typeof value === 'object' ? value : [value],
  ]);
  return Object.fromEntries(lists);
}

/** A minimum, in the words of the domain. */
export function leastOf({ amount, count }: z.infer<typeof least> = {}): Quantity {
  return present({ amountMinor: amount, count });
}

/** A maximum, in the words of the domain. */
export function mostOf({ amount, count }: z.infer<typeof most> = {}): Pick<Rule, 'max' | 'maxBy'> {
  const max = present({ amountMinor: otherwise(amount), count: otherwise(count) });
  const maxBy = present({ amountMinor: byOf(amount), count: byOf(count) });
  return { max, ...(Object.keys(maxBy).length === 0 ? {} : { maxBy }) };
}

type Given = number | z.infer<typeof byAttribute> | undefined;

function otherwise(given: Given): number | undefined {
  return typeof given === 'object' ? given.else : given;
}

function byOf(given: Given): ByAttribute | undefined {
  return typeof given === 'object' ? { by: given.by, values: valuesOf(given) } : undefined;
}

/** The values that have a maximum of their own; `else` is `max` itself. */
function valuesOf(given: object): Readonly<Record<string, number>> {
  const named = Object.entries(given).filter(([name]) => name !== 'by' && name !== 'else');
  return Object.fromEntries(named);
}
