import * as z from 'zod/mini';
import { RULES_BYTES_MAX, RULES_MAX, VERSIONS_DEFAULT, VERSIONS_MAX } from '../shared/bounds.ts';
import { ifNoneMatch } from './conditions.ts';
import {
  flag,
  languageText,
  pageSize,
  patternText,
  reasonText,
  text,
  wholeNumber,
} from './fields.ts';
import { changeSchema, operationSchema } from './routed.ts';
import { ruleId } from '../rules/file/rule.ts';
import { referenceTo, said } from './said.ts';

/** What the calls of rules take. */

const VERSIONS_EXPECTED =
  'a version from ETag, such as "12", up to ten of them, or * for any version';
const id = text("The rule's id.");

/** What says for which state a change is meant. */
const CONDITION = {
  ifMatch: z.optional(
    patternText(
      /^ *(\*|"?[0-9]{1,15}"?( *, *"?[0-9]{1,15}"?){0,9}) *$/,
      VERSIONS_EXPECTED,
      'The version that you change, from `ETag`; up to ten versions; or `*` for any version. If the rule has another version, the answer is 412 and nothing changes.',
    ),
  ),
  ifNoneMatch: ifNoneMatch(),
};
/** What says why, and whether anything is to be stored. */
const WHY = {
  reason: z.optional(reasonText('Why you make the change. Headroom stores it with the change.')),
  dryRun: z.optional(flag('Answers what would change, and changes nothing.')),
};
/** What says that a loss is meant. */
const ANEW = {
  beginAnew: z.optional(flag('Required if the change resets the sum of a rule.')),
};
/** What lists all rules. */
export const listRulesSchema = operationSchema('ListRulesRequest', { language: languageText() });
/** What finds a rule. */
export const findRuleSchema = operationSchema('FindRuleRequest', { id, language: languageText() });
/** What pages through the changes of a rule. */
export const ruleVersionsSchema = operationSchema('RuleVersionsRequest', {
  id,
  limit: pageSize(VERSIONS_DEFAULT, VERSIONS_MAX),
  before: z.optional(
    wholeNumber(
      1,
      Number.MAX_SAFE_INTEGER,
      'Only versions before this one. Use `next` of the page before.',
    ),
  ),
});
/** What puts a rule. */
export const putRuleSchema = changeSchema(
  'PutRuleRequest',
  {
    id: ruleId("The rule's id."),
    ...CONDITION,
    rule: said(
      z.unknown(),
      'The rule. You may leave out its `id`, because the path has it.',
      referenceTo('Rule'),
    ),
    ...ANEW,
    ...WHY,
  },
  {},
  RULES_BYTES_MAX,
);
/** What deletes a rule. */
export const deleteRuleSchema = changeSchema(
  'DeleteRuleRequest',
  { id, ...CONDITION, ...WHY },
  {},
  RULES_BYTES_MAX,
);
/** What puts a whole set in place. */
export const replaceRulesSchema = changeSchema(
  'ReplaceRulesRequest',
  {
    ...CONDITION,
    rules: said(z.unknown(), 'The whole set of rules, each with its `id`.', {
      type: 'array',
      items: { ...referenceTo('Rule'), required: ['id'] },
      minItems: 1,
      maxItems: RULES_MAX,
    }),
    ...ANEW,
    drop: z.optional(flag('Required if the set leaves out stored rules: Headroom deletes them.')),
    ...WHY,
  },
  {},
  RULES_BYTES_MAX,
);
