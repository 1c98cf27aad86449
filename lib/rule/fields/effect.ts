import * as z from 'zod/mini';
import { choice, instant } from '../../schema/fields.ts';
import { readInstant } from '../../schema/instant.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { RULE_MODES } from '../rule.ts';
import type { RuleField } from './rule-field.ts';

/* Whether and when a rule is in effect. */

const modes = z.optional(choice(RULE_MODES, 'Default: `enforce`.'));

/** The field `mode`. */
export const mode = {
  schema: modes,
  becomes: (given) => ({ mode: given }),
  otherwise: { mode: 'enforce' },
  raise: 'compared',
} satisfies RuleField<typeof modes>;

const starts = z.optional(instant('The start of the rule.'));

/** The field `from`. */
export const from = {
  schema: starts,
  becomes: (given) => ({ from: given }),
} satisfies RuleField<typeof starts>;

const ends = z.optional(
  instant('The end of the rule, after `from`: the first instant at which it no longer applies.'),
);

/** The field `to`. */
export const to = {
  schema: ends,
  becomes: (given) => ({ to: given }),
  between: wrongEnd,
} satisfies RuleField<typeof ends>;

function* wrongEnd(find: Find): Generator<Wrong> {
  const [start, end] = [readInstant(find('from')), readInstant(find('to'))];
  if (start !== undefined && end !== undefined && start >= end)
    yield [['to'], 'an instant after from'];
}
