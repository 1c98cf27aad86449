import * as z from 'zod/mini';
import { RULES_BYTES_MAX, RULES_MAX, VERSIONS_DEFAULT, VERSIONS_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import type { Condition, Consent } from '../changes/rule-edit.ts';
import { ifNoneMatch, changeSchema, operationSchema } from '../http/requests.ts';
import { flag, pageSize, patternText, reasonText, text, wholeNumber } from '../schema/fields.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { referenceTo, said } from '../schema/said.ts';
import { isRuleId, ruleId } from '../rule-file/fields/id.ts';
import { readRule } from '../rule-file/rule-reading.ts';
import { readRules } from '../rule-file/rule-list.ts';
import { language } from '../http/sentences/language.ts';

const id = text("The rule's id.");

const CONDITION = {
  ifMatch: z.optional(
    patternText(
      /^ *(\*|"?[0-9]{1,15}"?( *, *"?[0-9]{1,15}"?){0,9}) *$/,
      'a version from ETag, such as "12", up to ten of them, or * for any version',
      'The version that you change, from `ETag`; up to ten versions; or `*` for any version. If the rule has another version, the answer is 412 and nothing changes.',
    ),
  ),
  ifNoneMatch: ifNoneMatch(),
};
const WHY = {
  reason: z.optional(reasonText('Why you make the change. Headroom stores it with the change.')),
  dryRun: z.optional(flag('Answers what would change, and changes nothing.')),
  nameSubjects: z.optional(
    flag('Names the subjects whose own maxima the change concerns, up to 100 of each rule.'),
  ),
};
const ANEW = {
  beginAnew: z.optional(flag('Required if the change resets the sum of a rule.')),
};
/** The fields of each call, by its operation. */
export const RULES_TAKE = {
  list: operationSchema('ListRulesRequest', { language: language() }),
  find: operationSchema('FindRuleRequest', { id, language: language() }),
  versions: operationSchema('RuleVersionsRequest', {
    id,
    limit: pageSize(VERSIONS_DEFAULT, VERSIONS_MAX),
    before: z.optional(
      wholeNumber(
        1,
        Number.MAX_SAFE_INTEGER,
        'Only versions before this one. Use `next` of the page before.',
      ),
    ),
  }),
  put: rulesChange('PutRuleRequest', {
    id: ruleId("The rule's id."),
    ...CONDITION,
    rule: said(
      z.unknown(),
      'The rule. You may leave out its `id`, because the path has it.',
      referenceTo('Rule'),
    ),
    ...ANEW,
    ...WHY,
  }),
  delete: rulesChange('DeleteRuleRequest', { id, ...CONDITION, ...WHY }),
  replace: rulesChange('ReplaceRulesRequest', {
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
  }),
};

function rulesChange<Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape) {
  return changeSchema(name, shape, {}, RULES_BYTES_MAX);
}

/** For which state a change is, and what its author means to lose: a proposal keeps nothing else. */
export function meantOf({
  ifMatch,
  ifNoneMatch,
  beginAnew = false,
  drop = false,
}: Partial<z.infer<typeof RULES_TAKE.replace>>): Consent & { readonly condition: Condition } {
  return {
    condition: conditionOf(ifMatch?.trim(), ifNoneMatch),
    ...(beginAnew ? { beginAnew } : {}),
    ...(drop ? { drop } : {}),
  };
}

function conditionOf(ifMatch: string | undefined, ifNoneMatch: string | undefined): Condition {
  if (ifNoneMatch !== undefined) return { kind: 'absent' };
  if (ifMatch === undefined) return { kind: 'unsaid' };
  if (ifMatch === '*') return { kind: 'any' };
  const versions = ifMatch.split(',').map((each) => Number(each.replaceAll(/[" ]/g, '')));
  return { kind: 'versions', versions };
}

/** The rule of a request; where it does not say its id, with that of the path. */
export function ruleWithId(value: unknown): unknown {
  const rule = ownField(value, 'rule');
  const isRule = typeof rule === 'object' && rule !== null && !Array.isArray(rule);
  return isRule ? { id: ownField(value, 'id'), ...rule } : rule;
}

/** Mistakes of the rule that is put. */
export function mistakesOfRule(value: unknown): readonly Mistake[] {
  const id = ownField(value, 'id');
  if (!isRuleId(id)) return []; // that is said already
  const { rule, mistakes } = readRule(ruleWithId(value), ['rule']);
  if (rule === undefined || rule.id === id) return mistakes;
  return [mistakeAt(['rule', 'id'], rule.id, `none, or ${JSON.stringify(id)} as the path says`)];
}

/** Mistakes of the rules that are put, each under its id. */
export function mistakesOfRules(value: unknown): readonly Mistake[] {
  const rules = ownField(value, 'rules');
  // Without any rule every order is refused, or none: that is done one by one, or not at all.
  if (!Array.isArray(rules) || rules.length === 0)
    return [mistakeAt(['rules'], rules, `a list of 1 to ${RULES_MAX} rules`)];
  return readRules(rules).mistakes;
}
