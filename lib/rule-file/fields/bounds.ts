import * as z from 'zod/mini';
import type { Quantity } from '../../rule/own-terms.ts';
import type { ByAttribute, Rule } from '../../rule/rule.ts';
import { byForm, fieldsOnly, wholeNumber } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { ownField } from '../../schema/mistakes.ts';
import { referenceTo, said } from '../../schema/said.ts';
import { isSingleForm } from '../../rule/windows/windows.ts';
import { AMOUNT_MINOR_MAX, DISTINCT_MAX, MATCH_VALUES_MAX } from '../../shared/bounds.ts';
import { present } from '../../shared/present.ts';
import type { RuleField } from './rule-field.ts';
import { isScopeName, NAMES, wrongPrototypes } from './scopes.ts';

const QUANTITIES = ['amount', 'count'] as const;
const EITHER_SUM = 'an object with amount, count or both';
const EITHER_MAXIMUM = `${EITHER_SUM}, or with distinct`;

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
        { by: z.custom<string>(isScopeName, { error: `one of ${NAMES}` }), else: bound },
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

/** `min`: amount, count, or both. */
const least = z.pipe(
  fieldsOnly({ amount: z.optional(bound), count: z.optional(bound) }, EITHER_SUM),
  z.transform(({ amount, count }): Quantity => present({ amountMinor: amount, count })),
);
const DISTINCT_EXPECTED = `an object of one name (${NAMES}) to the most different values of it, such as { card: 3 }`;
const distinct = said(
  z.pipe(
    z
      .record(z.custom<string>(isScopeName), wholeNumber(1, DISTINCT_MAX), {
        error: DISTINCT_EXPECTED,
      })
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
const most = z.pipe(
  fieldsOnly(
    { amount: z.optional(maximum), count: z.optional(maximum), distinct: z.optional(distinct) },
    EITHER_MAXIMUM,
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

function isBounded(find: Find, bound: string): boolean {
  return QUANTITIES.some((name) => find(bound, name) !== undefined);
}

const minima = z.optional(
  said(least, 'The minimum, at most `max`. Only for `window: transaction`.', { minProperties: 1 }),
);

/** The field `min`. */
export const min = {
  schema: minima,
  becomes: (given) => ({ min: given }),
  otherwise: { min: {} },
  between: wrongMinimum,
} satisfies RuleField<typeof minima>;

function* wrongMinimum(find: Find): Generator<Wrong> {
  if (find('min') !== undefined && !isSingleForm(find('window')))
    yield [['min'], 'nothing here: a minimum is for window: transaction only'];
  else if (find('min') !== undefined && !isBounded(find, 'min')) yield [['min'], EITHER_SUM];
  else
    for (const name of QUANTITIES) {
      const [lower, upper] = [find('min', name), find('max', name)];
      if (typeof lower === 'number' && typeof upper === 'number' && lower > upper)
        yield [['min', name], `at most max.${name}, ${upper}`];
    }
}

const maxima = z.optional(
  said(most, 'The maximum: minor units, and a number. Required unless the rule has `min`.', {
    minProperties: 1,
  }),
);

/** The field `max`. */
export const max = {
  schema: maxima,
  becomes: (given) => given,
  otherwise: { max: {} },
  between: wrongMaximum,
  raise: 'compared',
  counter: ({ distinct = '' }) => distinct,
} satisfies RuleField<typeof maxima>;

function* wrongMaximum(find: Find): Generator<Wrong> {
  // A rule for single transactions may have a minimum alone.
  const isMinimum =
    isSingleForm(find('window')) && find('max') === undefined && isBounded(find, 'min');
  const isDistinct = find('max', 'distinct') !== undefined;
  if (isDistinct) yield* wrongDistinct(find);
  else if (!isBounded(find, 'max') && !isMinimum) yield [['max'], EITHER_MAXIMUM];
  yield* wrongPrototypes(find, ['max', 'amount'], ['max', 'count'], ['max', 'distinct']);
}

function* wrongDistinct(find: Find): Generator<Wrong> {
  const window = find('window');
  const path = ['max', 'distinct'];
  if (isBounded(find, 'max'))
    yield [path, 'nothing here, or nothing else in max: a rule counts orders or different values'];
  if (isSingleForm(window) || ownField(window, 'rolling') !== undefined)
    yield [path, 'nothing here, or window: lifetime, since or one of the calendar'];
  if (find('currency') !== undefined)
    yield [['currency'], 'nothing here: different values have no currency'];
  const names = Object.keys(find(...path) ?? {});
  const per: unknown = find('per');
  const own = names.find((name) => Array.isArray(per) && per.includes(name));
  if (own !== undefined)
    yield [path, `another name than ${own}: the rule counts per ${own}, which has one value`];
  const since: unknown = find('window', 'since', 'attribute');
  if (typeof since === 'string' && names.includes(since))
    yield [path, `another name than ${since}: each window begins with one, which has one value`];
}
