import type { CallId } from '../../contract/calls.ts';
import type { JsonObject } from './json.ts';
import { RULES_TAKE } from '../../lib/rule-book/rules-request.ts';
import type { Operation } from './operation.ts';
import { RULES_EXAMPLES } from './rules-examples.ts';

/** The calls of rules. */

const tag = 'Rules';
const CONDITION_CODES = ['RULE_CHANGED', 'VERSION_REQUIRED'] as const;

const answered = (description: string): JsonObject => ({
  description,
  schema: { type: 'string' },
});
const TAGGED: JsonObject = { ETag: answered('The version, for `If-Match`: `"2"`.') };
const SAID: JsonObject = {
  ...TAGGED,
  'Content-Language': answered('The language of sentences: `en` or `zh`.'),
};
const SAYS_VERSION =
  'You may leave out `If-Match` and `If-None-Match` if there is none yet. Otherwise the answer is 428. A repeat with the same `If-Match` answers `"changed": false`.';

/** By operationId. */
export const RULES_OPERATIONS = {
  listRules: {
    tag,
    takes: RULES_TAKE.list,
    summary: 'All rules',
    description: 'Lists all rules in the form of a rule file, with their versions.',
    answers: 'All rules. `ETag` has the revision of the set.',
    codes: [],
    example: RULES_EXAMPLES.listRules,
    headers: SAID,
  },
  replaceRules: {
    tag,
    takes: RULES_TAKE.replace,
    mayWait: true,
    summary: 'Replaces all rules',
    description: `Stores a whole set of rules. With \`drop\` it deletes stored rules that the set leaves out. ${SAYS_VERSION}`,
    answers: 'The change of each rule.',
    codes: ['CONSENT_REQUIRED', ...CONDITION_CODES],
    example: RULES_EXAMPLES.replaceRules,
    headers: TAGGED,
  },
  findRule: {
    tag,
    takes: RULES_TAKE.find,
    summary: 'One rule',
    description: 'Shows one rule, and who last changed it, when and why.',
    answers: 'The rule. `ETag` has its version.',
    codes: ['NO_SUCH_RULE'],
    example: RULES_EXAMPLES.findRule,
    headers: SAID,
  },
  putRule: {
    tag,
    takes: RULES_TAKE.put,
    mayWait: true,
    summary: 'Makes or changes one rule',
    description: SAYS_VERSION,
    answers: 'The change. `ETag` has the version of the rule.',
    created: 'The rule is new. `ETag` has its version.',
    codes: ['CONSENT_REQUIRED', ...CONDITION_CODES],
    example: RULES_EXAMPLES.putRule,
    headers: TAGGED,
  },
  deleteRule: {
    tag,
    takes: RULES_TAKE.delete,
    mayWait: true,
    summary: 'Deletes one rule',
    description:
      'Deletes the rule. Its history stays. Without `If-Match` the answer is 428. If the rule is already deleted, it is 404.',
    answers: 'The change.',
    codes: ['NO_SUCH_RULE', ...CONDITION_CODES],
    example: RULES_EXAMPLES.deleteRule,
  },
  ruleVersions: {
    tag,
    takes: RULES_TAKE.versions,
    summary: 'Every change of a rule, newest first',
    description: 'Also for a deleted rule. Headroom never deletes changes.',
    answers: 'A page of changes.',
    codes: ['NO_SUCH_RULE'],
    example: RULES_EXAMPLES.ruleVersions,
  },
} satisfies Readonly<Partial<Record<CallId, Operation>>>;
