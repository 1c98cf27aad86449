import * as z from 'zod/mini';
import { fieldsOnly, flag } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { said } from '../../schema/said.ts';
import { isSingleForm } from '../../rule/windows/windows.ts';
import type { RuleField } from './rule-field.ts';

const schema = z.optional(
  said(
    fieldsOnly(
      { amount: z.optional(flag('The amount.')), count: z.optional(flag('The count.')) },
      'an object with amount, count or both, each true or false',
    ),
    'The sums that refunds give back. Default: both.',
  ),
);

/** The field `refunds`. */
export const refunds = {
  schema,
  becomes: ({ amount = true, count = true }) => ({ refunds: { amount, count } }),
  otherwise: { refunds: { amount: true, count: true } },
  between: wrongRefunds,
  // Nobody chose what refunds give back of another outcome.
  counter: ({ refunds: { amount, count }, outcomes }) =>
    [outcomes !== undefined || amount, outcomes !== undefined || count].join(' '),
} satisfies RuleField<typeof schema>;

/** What a rule does not count cannot be given back, or kept. */
function* wrongRefunds(find: Find): Generator<Wrong> {
  if (find('refunds') !== undefined && isSingleForm(find('window')))
    yield [['refunds'], 'nothing here: a rule for single transactions counts nothing'];
  else if (find('refunds', 'amount') !== undefined && find('currency') === undefined)
    yield [['refunds', 'amount'], 'nothing here: a rule without a currency counts only payments'];
}
