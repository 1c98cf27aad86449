import * as z from 'zod/mini';
import { RULES_BYTES_MAX, RULES_MAX, VERSIONS_DEFAULT, VERSIONS_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import type { Condition, Consent } from './rule-edit.ts';
import { ifNoneMatch } from '../http/conditions.ts';
import { flag, pageSize, patternText, reasonText, text, wholeNumber } from '../http/fields.ts';
import { mistakeAt, ownField } from '../http/mistakes.ts';
import { changeSchema, operationSchema } from '../http/requests.ts';
import { referenceTo, said } from '../http/said.ts';
import { isRuleId, readRule, ruleId } from './file/rule.ts';
import { readRules } from './file/rule-list.ts';
import { language } from '../http/sentences/language.ts';

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
export const listRulesSchema = operationSchema('ListRulesRequest', { language: language() });
/** What finds a rule. */
export const findRuleSchema = operationSchema('FindRuleRequest', { id, language: language() });
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

/** For which state a change is. */
export function conditionOf(given: {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}): Condition {
  const { ifMatch, ifNoneMatch } = given;
  if (ifNoneMatch !== undefined) return { kind: 'absent' };
  if (ifMatch === undefined) return { kind: 'unsaid' };
  if (ifMatch.trim() === '*') return { kind: 'any' };
  const numbers = ifMatch.split(',').map((each) => Number(each.replaceAll(/[" ]/g, '')));
  return { kind: 'versions', versions: numbers };
}

/** What is not meant is left out: a proposal keeps the rest. */
export function meantOf(given: {
  readonly beginAnew?: boolean | undefined;
  readonly drop?: boolean | undefined;
}): Consent {
  const { beginAnew = false, drop = false } = given;
  return { ...(beginAnew ? { beginAnew } : {}), ...(drop ? { drop } : {}) };
}

/** The rule of a request; where it does not say its id, with that of the path. */
export function ruleWithId(value: unknown): unknown {
  const rule = ownField(value, 'rule');
  const isRule = typeof rule === 'object' && rule !== null && !Array.isArray(rule);
  return isRule ? { id: ownField(value, 'id'), ...rule } : rule;
}

/** What is wrong with the rule that is put. */
export function mistakesOfRule(value: unknown): readonly Mistake[] {
  const id = ownField(value, 'id');
  if (!isRuleId(id)) return []; // that is said already
  const { rule, mistakes } = readRule(ruleWithId(value), ['rule']);
  if (rule === undefined || rule.id === id) return mistakes;
  return [mistakeAt(['rule', 'id'], rule.id, `none, or ${JSON.stringify(id)} as the path says`)];
}

/** What is wrong with the rules that are put, each under its id. */
export function mistakesOfRules(value: unknown): readonly Mistake[] {
  const rules = ownField(value, 'rules');
  // Without any rule every order is refused, or none: that is done one by one, or not at all.
  if (!Array.isArray(rules) || rules.length === 0)
    return [mistakeAt(['rules'], rules, `a list of 1 to ${RULES_MAX} rules`)];
  return readRules(rules).mistakes;
}
