import * as z from 'zod/mini';
import { DIGITS_MAX } from '../../shared/bounds.ts';
import { isoDigits } from '../../shared/currency.ts';
import { currencyCode, wholeNumber } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import type { RuleField } from './rule-field.ts';

const codes = z.optional(
  currencyCode('The currency of the amounts. Required if the rule limits amounts.'),
);

/** The field `currency`. */
export const currency = {
  schema: codes,
  becomes: (given) => ({ currency: given }),
  between: neededCurrency,
  counter: (rule) => rule.currency ?? '',
} satisfies RuleField<typeof codes>;

function* neededCurrency(find: Find): Generator<Wrong> {
  const hasAmount = ['min', 'max'].some((bound) => find(bound, 'amount') !== undefined);
  if (hasAmount && find('currency') === undefined)
    yield [['currency'], 'a currency, because the rule limits amounts'];
}

const numbers = z.optional(
  wholeNumber(
    0,
    DIGITS_MAX,
    'The digits after the point, for a currency of which ISO 4217 has none, such as 6 for USDT. All rules of the currency have the same. A rule file says them once, in `currencies`. Default: 0.',
  ),
);

/** The field `digits`. */
export const digits = {
  schema: numbers,
  becomes: (given) => ({ digits: given }),
  between: wrongDigits,
} satisfies RuleField<typeof numbers>;

/** Nobody may say otherwise than ISO 4217 how many digits a currency has. */
function* wrongDigits(find: Find): Generator<Wrong> {
  const code = find('currency');
  if (find('digits') === undefined) return;
  if (code === undefined) yield [['digits'], 'nothing here: the rule has no currency'];
  if (typeof code !== 'string') return;
  const known = isoDigits(code);
  if (known !== undefined) yield [['digits'], `nothing here: ISO 4217 says ${known} for ${code}`];
}
