import { patternText } from '../../schema/fields.ts';
import type { RuleField } from './rule-field.ts';

const ID = /^[a-z][a-z0-9-]{0,63}$/;

const RULE_ID_EXPECTED =
  'an id as text: a lower-case letter, then up to 63 lower-case letters, digits, hyphens';

/** Says whether a text can be a rule's id. */
export function isRuleId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** Names a rule. */
export const ruleId = (description: string) => patternText(ID, RULE_ID_EXPECTED, description);

const schema = ruleId('Its name.');

/** The field `id`. */
export const id = {
  schema,
  becomes: (given) => ({ id: given }),
} satisfies RuleField<typeof schema>;
