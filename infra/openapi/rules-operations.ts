import type { JsonObject } from '../../lib/http/json.ts';
import {
  deleteRuleSchema,
  findRuleSchema,
  listRulesSchema,
  putRuleSchema,
  replaceRulesSchema,
  ruleVersionsSchema,
} from '../../lib/http/rules-schemas.ts';
import type { Operation } from './operation.ts';
import { RULES_EXAMPLES } from './rules-examples.ts';

/** The calls of rules. */

const ONE = '/v1/rules/{id}';
const tag = 'Rules';
const CONDITION_CODES = ['RULE_CHANGED', 'VERSION_REQUIRED'] as const;

const answered = (description: string): JsonObject => ({
  description,
  schema: { type: 'string' },
});
const TAGGED: JsonObject = { ETag: answered('The version, for `If-Match`: `"2"`.') };
const SAID: JsonObject = {
  ...TAGGED,
  'Content-Language': answered('Of sentences: `en` or `zh`.'),
};
const SAYS_VERSION =
  'Without `If-Match` and `If-None-Match` it is good where there is none yet; elsewhere 428. A repeat of what was changed already, by the same `If-Match`, answers `"changed": false`.';

/** By operationId. */
export const RULES_OPERATIONS: Readonly<Record<string, Operation>> = {
  listRules: {
    ...{ method: 'get', path: '/v1/rules', tag, takes: listRulesSchema },
    summary: 'All rules',
    description: 'In the form of a rule file, with their versions.',
    answers: 'All rules; `ETag` has the revision of the set.',
    codes: [],
    example: RULES_EXAMPLES.listRules,
    headers: SAID,
  },
  replaceRules: {
    ...{ method: 'put', path: '/v1/rules', tag, takes: replaceRulesSchema },
    mayWait: true,
    summary: 'Puts a whole set in place',
    description: `What is not among them is deleted, where \`drop\` says that this is meant. ${SAYS_VERSION}`,
    answers: 'What became of each rule that is another now.',
    codes: ['CONSENT_REQUIRED', ...CONDITION_CODES],
    example: RULES_EXAMPLES.replaceRules,
    headers: TAGGED,
  },
  findRule: {
    ...{ method: 'get', path: ONE, tag, takes: findRuleSchema },
    summary: 'One rule',
    description: 'And who made it so, when and why.',
    answers: 'The rule; `ETag` has its version.',
    codes: ['NO_SUCH_RULE'],
    example: RULES_EXAMPLES.findRule,
    headers: SAID,
  },
  putRule: {
    ...{ method: 'put', path: ONE, tag, takes: putRuleSchema },
    mayWait: true,
    summary: 'Makes or changes one rule',
    description: SAYS_VERSION,
    answers: 'What became of it; `ETag` has its version.',
    created: 'The same, of a rule that was not there.',
    codes: ['CONSENT_REQUIRED', ...CONDITION_CODES],
    example: RULES_EXAMPLES.putRule,
    headers: TAGGED,
  },
  deleteRule: {
    ...{ method: 'delete', path: ONE, tag, takes: deleteRuleSchema },
    mayWait: true,
    summary: 'Deletes one rule',
    description:
      'Its changes are kept. Without `If-Match` it is 428; of a rule that is gone already, 404.',
    answers: 'What became of it.',
    codes: ['NO_SUCH_RULE', ...CONDITION_CODES],
    example: RULES_EXAMPLES.deleteRule,
  },
  ruleVersions: {
    ...{ method: 'get', path: `${ONE}/versions`, tag, takes: ruleVersionsSchema },
    summary: 'Every change of a rule, newest first',
    description: 'Of one that was deleted, too. Changes are kept for ever.',
    answers: 'A page of changes.',
    codes: ['NO_SUCH_RULE'],
    example: RULES_EXAMPLES.ruleVersions,
  },
};
