import * as z from 'zod/mini';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { said } from '../../schema/said.ts';
import { isSingleForm } from '../windows/windows.ts';
import type { RuleField } from './rule-field.ts';
import { least, most, wrongPrototypes } from './scopes.ts';

const QUANTITIES = ['amount', 'count'] as const;
const EITHER_SUM = 'an object with amount, count or both';

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
} satisfies RuleField<typeof maxima>;

function* wrongMaximum(find: Find): Generator<Wrong> {
  // A rule for single transactions may have a minimum alone.
  const isMinimum =
    isSingleForm(find('window')) && find('max') === undefined && limits(find, 'min');
  if (!limits(find, 'max') && !isMinimum) yield [['max'], EITHER_SUM];
  yield* wrongPrototypes(find, ['max', 'amount'], ['max', 'count']);
}
