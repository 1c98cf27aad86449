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
  'a version as ETag says it, such as "12", several of them, or * for whatever it is now';
const id = text("The rule's id.");

/** What says for which state a change is meant. */
const CONDITION = {
  ifMatch: z.optional(
    patternText(
      /^ *(\*|"?[0-9]{1,15}"?( *, *"?[0-9]{1,15}"?){0,9}) *$/,
      VERSIONS_EXPECTED,
      'For which version the change is, as `ETag` said it; up to ten of them; or `*` for whatever it is now. Otherwise 412, and nothing changes.',
    ),
  ),
  ifNoneMatch: ifNoneMatch(),
};
/** What says why, and whether anything is to be stored. */
const WHY = {
  reason: z.optional(reasonText('Why: kept with the change.')),
  dryRun: z.optional(flag('Only says what would change.')),
};
/** What says that a loss is meant. */
const ANEW = {
  beginAnew: z.optional(
    flag('Needed where the sum of a rule is reset: it begins at zero, or in another counter.'),
  ),
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
      'Those before this version alone: what `next` of a page says.',
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
      'Its `id` may be left out; it is that of the path.',
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
    rules: said(z.unknown(), 'All that there are to be, each with its `id`.', {
      type: 'array',
      items: { ...referenceTo('Rule'), required: ['id'] },
      minItems: 1,
      maxItems: RULES_MAX,
    }),
    ...ANEW,
    drop: z.optional(
      flag('Needed where rules that are there are not among these: they are deleted.'),
    ),
    ...WHY,
  },
  {},
  RULES_BYTES_MAX,
);
