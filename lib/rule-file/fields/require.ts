import * as z from 'zod/mini';
import type { RuleField } from './rule-field.ts';
import { names } from './scopes.ts';

const schema = z.optional(
  names(
    'Names that an order must have: subject kinds, attributes or `type`. A check without them is a 422 that names them. It concerns the orders that the rule counts, or would count if they had the names. A rule on trial requires nothing, and a record is counted as it is.',
  ),
);

/** The field `require`. */
export const require = {
  schema,
  becomes: (given) => ({ require: given }),
  clauses({ require: needed = [] }, language) {
    if (needed.length === 0) return [];
    return [language === 'en' ? `requires ${needed.join(' and ')}` : `须提供${needed.join('、')}`];
  },
} satisfies RuleField<typeof schema>;
