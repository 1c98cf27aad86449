import * as z from 'zod/mini';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { said } from '../../schema/said.ts';
import { COUNTERPARTS } from '../../rule/rule.ts';
import { isSingleForm } from '../../rule/windows/windows.ts';
import type { RuleField } from './rule-field.ts';

const schema = z.optional(
  said(
    z.enum(COUNTERPARTS, { error: COUNTERPARTS.join(' or ') }),
    'How many others the first subject of `per` may meet in one window. `few` has room for some hundreds, in its document. `many` has no bound: each pair has a document of its own. Default: few.',
  ),
);

/** The field `counterparts`. */
export const counterparts = {
  schema,
  becomes: (given) => ({ counterparts: given }),
  otherwise: { counterparts: 'few' },
  *between(find: Find): Generator<Wrong> {
    if (find('counterparts') === undefined) return;
    const per = find('per');
    if (Array.isArray(per) && per.length === 1)
      yield [['counterparts'], 'nothing here: a rule per one kind has no counterparts'];
    else if (isSingleForm(find('window')))
      yield [['counterparts'], 'nothing here: a rule for single transactions counts nothing'];
  },
  counter: (rule) => rule.counterparts,
} satisfies RuleField<typeof schema>;
