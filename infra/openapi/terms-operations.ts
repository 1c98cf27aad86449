import { VERSIONS_DEFAULT, VERSIONS_MAX } from '../../lib/shared/bounds.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { GIVEN_INSTANT, GIVEN_PLACE } from './given-patterns.ts';
import { referenceTo } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { ACTOR_HEADER, IF_NONE_MATCH, pageSize, REASON_QUERY } from './parameters.ts';
import { TERMS_EXAMPLES } from './terms-examples.ts';
import { SUBJECT_PARAMETERS } from './terms-requests.ts';

/** The calls of subjects' terms. */

const SUBJECT = '/v1/subjects/{kind}/{id}';
const OVERRIDE = `${SUBJECT}/overrides/{rule}`;
const tag = 'Terms of a subject';

const RULE: JsonObject = {
  name: 'rule',
  in: 'path',
  required: true,
  description: "The rule's id.",
  schema: referenceTo('Text'),
  example: 'user-day',
};
const BEFORE: JsonObject = {
  name: 'before',
  in: 'query',
  description:
    'What `next` of the page before says, unchanged; or an instant, for those before it alone.',
  schema: { anyOf: [GIVEN_PLACE, GIVEN_INSTANT] },
};

const IF_MATCH: JsonObject = {
  name: 'If-Match',
  in: 'header',
  description:
    'For which version of the terms the change is, as `ETag` said it; `"none"` where there are none. Otherwise 412, and nothing changes. One version: no list of them, no `*`. Whatever they are where nothing is said.',
  schema: { type: 'string', pattern: '^("[A-Za-z0-9_-]{1,64}"|[A-Za-z0-9_-]{1,64})$' },
  example: '"8f14e45f-ceea-467f-a0e6-1d4c2b7a9c55"',
};
const TAGGED: JsonObject = {
  ETag: {
    description: 'The version of the terms, for `If-Match`; `"none"` where there are none.',
    schema: { type: 'string' },
  },
};
const OF_RULE = [...SUBJECT_PARAMETERS, RULE];
const AS_THEY_STAND = 'The terms as they stand now.';
const AT_ONCE = 'It holds for every check that begins after the answer.';
const REPEATED =
  'A repeat after an answer that was lost finds nothing to end: 404 `NO_SUCH_TERMS`.';

/** By operationId. */
export const TERMS_OPERATIONS: Readonly<Record<string, Operation>> = {
  terms: {
    ...{ method: 'get', path: `${SUBJECT}/terms`, tag, name: 'Terms' },
    summary: 'Whether a subject is frozen, and its overrides',
    description: 'Those to come, too. A subject that nobody gave terms has none: no 404.',
    answers: AS_THEY_STAND,
    codes: [],
    example: TERMS_EXAMPLES.terms,
    headers: TAGGED,
    parameters: SUBJECT_PARAMETERS,
  },
  termsChanges: {
    ...{ method: 'get', path: `${SUBJECT}/changes`, tag, name: 'TermsChanges' },
    summary: 'Every change of them, newest first',
    description: 'Who changed what, when and why. Changes are kept for ever.',
    answers: 'A page of changes.',
    codes: [],
    example: TERMS_EXAMPLES.termsChanges,
    parameters: [...SUBJECT_PARAMETERS, pageSize(VERSIONS_DEFAULT, VERSIONS_MAX), BEFORE],
  },
  findOverride: {
    ...{ method: 'get', path: OVERRIDE, tag, name: 'FindOverride' },
    summary: 'Its overrides of one rule',
    description: 'In force and to come.',
    answers: 'At least one.',
    codes: ['NO_SUCH_TERMS'],
    example: TERMS_EXAMPLES.findOverride,
    parameters: OF_RULE,
  },
  override: {
    ...{ method: 'put', path: OVERRIDE, tag, name: 'Override' },
    mayWait: true,
    summary: 'Gives a subject a maximum of its own',
    description: `In place of that of the rule, from an instant to another. One that is in force ends where it begins. ${AT_ONCE} A repeat puts the same in its place.`,
    answers: AS_THEY_STAND,
    codes: ['TERMS_REFUSED', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.override,
    headers: TAGGED,
    parameters: [...OF_RULE, IF_MATCH, IF_NONE_MATCH, ACTOR_HEADER],
  },
  endOverride: {
    ...{ method: 'delete', path: OVERRIDE, tag, name: 'EndOverride' },
    mayWait: true,
    summary: 'Ends its overrides of one rule',
    description: `The rule holds again as it is; overrides to come go, too. ${AT_ONCE} ${REPEATED}`,
    answers: AS_THEY_STAND,
    codes: ['NO_SUCH_TERMS', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.endOverride,
    headers: TAGGED,
    parameters: [...OF_RULE, { ...REASON_QUERY, required: true }, IF_MATCH, ACTOR_HEADER],
  },
  freeze: {
    ...{ method: 'put', path: `${SUBJECT}/freeze`, tag, name: 'Freeze' },
    mayWait: true,
    summary: 'Freezes a subject',
    description: `Every new check of it is refused, with the reason \`frozen\`; what is held may be confirmed. ${AT_ONCE} A repeat puts the same in its place.`,
    answers: AS_THEY_STAND,
    codes: ['TERMS_REFUSED', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.freeze,
    headers: TAGGED,
    parameters: [...SUBJECT_PARAMETERS, IF_MATCH, IF_NONE_MATCH, ACTOR_HEADER],
  },
  unfreeze: {
    ...{ method: 'delete', path: `${SUBJECT}/freeze`, tag, name: 'Unfreeze' },
    mayWait: true,
    summary: 'Ends its freeze',
    description: `${AT_ONCE} ${REPEATED}`,
    answers: AS_THEY_STAND,
    codes: ['NO_SUCH_TERMS', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.unfreeze,
    headers: TAGGED,
    parameters: [
      ...SUBJECT_PARAMETERS,
      { ...REASON_QUERY, required: true },
      IF_MATCH,
      ACTOR_HEADER,
    ],
  },
};
