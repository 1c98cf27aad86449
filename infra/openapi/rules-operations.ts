import { VERSIONS_DEFAULT, VERSIONS_MAX } from '../../lib/shared/bounds.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { referenceTo } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { ACTOR_HEADER, IF_NONE_MATCH, pageSize, REASON_QUERY } from './parameters.ts';
import { RULES_EXAMPLES } from './rules-examples.ts';
import { RULE_ID_PATTERN } from './rules-requests.ts';

/** The calls of rules. */

const ONE = '/v1/rules/{id}';
const tag = 'Rules';

const ID: JsonObject = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The rule's id.",
  schema: referenceTo('Text'),
  example: 'transfer-day',
};

/** Of one that may be made: any other id is that of none. */
const NEW_ID: JsonObject = { ...ID, schema: { type: 'string', pattern: RULE_ID_PATTERN } };

const header = (
  name: string,
  description: string,
  example: string,
  schema: JsonObject = { type: 'string' },
): JsonObject => ({ name, in: 'header', description, schema, example });
const IF_MATCH = header(
  'If-Match',
  'For which version the change is, as `ETag` said it; up to ten of them; or `*` for whatever it is now. Otherwise 412, and nothing changes.',
  '"2"',
  { type: 'string', pattern: '^(\\*|"?[0-9]{1,15}"?( *, *"?[0-9]{1,15}"?){0,9})$' },
);
const LANGUAGE = header('Accept-Language', 'Of sentences: English or Chinese.', 'zh-CN');
const DRY_RUN: JsonObject = {
  name: 'dryRun',
  in: 'query',
  description: 'Only says what would change.',
  schema: { type: 'boolean' },
};
const BEFORE: JsonObject = {
  name: 'before',
  in: 'query',
  description: 'Those before this version alone: what `next` of a page says.',
  schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
};
const CONDITIONS = [IF_MATCH, IF_NONE_MATCH];
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
    ...{ method: 'get', path: '/v1/rules', tag, name: 'ListRules' },
    summary: 'All rules',
    description: 'In the form of a rule file, with their versions.',
    answers: 'All rules; `ETag` has the revision of the set.',
    codes: [],
    example: RULES_EXAMPLES.listRules,
    parameters: [LANGUAGE],
    headers: SAID,
  },
  replaceRules: {
    ...{ method: 'put', path: '/v1/rules', tag, name: 'ReplaceRules' },
    mayWait: true,
    summary: 'Puts a whole set in place',
    description: `What is not among them is deleted, where \`drop\` says that this is meant. ${SAYS_VERSION}`,
    answers: 'What became of each rule that is another now.',
    codes: ['CONSENT_REQUIRED', ...CONDITION_CODES],
    example: RULES_EXAMPLES.replaceRules,
    parameters: [...CONDITIONS, ACTOR_HEADER],
    headers: TAGGED,
  },
  findRule: {
    ...{ method: 'get', path: ONE, tag, name: 'FindRule' },
    summary: 'One rule',
    description: 'And who made it so, when and why.',
    answers: 'The rule; `ETag` has its version.',
    codes: ['NO_SUCH_RULE'],
    example: RULES_EXAMPLES.findRule,
    parameters: [ID, LANGUAGE],
    headers: SAID,
  },
  putRule: {
    ...{ method: 'put', path: ONE, tag, name: 'PutRule' },
    mayWait: true,
    summary: 'Makes or changes one rule',
    description: SAYS_VERSION,
    answers: 'What became of it; `ETag` has its version.',
    created: 'The same, of a rule that was not there.',
    codes: ['CONSENT_REQUIRED', ...CONDITION_CODES],
    example: RULES_EXAMPLES.putRule,
    parameters: [NEW_ID, ...CONDITIONS, ACTOR_HEADER],
    headers: TAGGED,
  },
  deleteRule: {
    ...{ method: 'delete', path: ONE, tag, name: 'DeleteRule' },
    mayWait: true,
    summary: 'Deletes one rule',
    description:
      'Its changes are kept. Without `If-Match` it is 428; of a rule that is gone already, 404.',
    answers: 'What became of it.',
    codes: ['NO_SUCH_RULE', ...CONDITION_CODES],
    example: RULES_EXAMPLES.deleteRule,
    parameters: [ID, IF_MATCH, REASON_QUERY, DRY_RUN, ACTOR_HEADER],
  },
  ruleVersions: {
    ...{ method: 'get', path: `${ONE}/versions`, tag, name: 'RuleVersions' },
    summary: 'Every change of a rule, newest first',
    description: 'Of one that was deleted, too. Changes are kept for ever.',
    answers: 'A page of changes.',
    codes: ['NO_SUCH_RULE'],
    example: RULES_EXAMPLES.ruleVersions,
    parameters: [ID, pageSize(VERSIONS_DEFAULT, VERSIONS_MAX), BEFORE],
  },
};
