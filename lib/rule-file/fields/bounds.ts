import * as z from 'zod/mini';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { ownField } from '../../schema/mistakes.ts';
import { said } from '../../schema/said.ts';
import { isSingleForm } from '../../rule/windows/windows.ts';
import type { RuleField } from './rule-field.ts';
import { least, most, wrongPrototypes } from './scopes.ts';

const QUANTITIES = ['amount', 'count'] as const;
const EITHER_SUM = 'an object with amount, count or both';
const EITHER_MAXIMUM = `${EITHER_SUM}, or with distinct`;

function limits(find: Find, bound: string): boolean {
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
  else if (find('min') !== undefined && !limits(find, 'min')) yield [['min'], EITHER_SUM];
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
    isSingleForm(find('window')) && find('max') === undefined && limits(find, 'min');
  const isDistinct = find('max', 'distinct') !== undefined;
  if (isDistinct) yield* wrongDistinct(find);
  else if (!limits(find, 'max') && !isMinimum) yield [['max'], EITHER_MAXIMUM];
  yield* wrongPrototypes(find, ['max', 'amount'], ['max', 'count'], ['max', 'distinct']);
}

function* wrongDistinct(find: Find): Generator<Wrong> {
  const window = find('window');
  const path = ['max', 'distinct'];
  if (limits(find, 'max'))
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
