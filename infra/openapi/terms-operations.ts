import type { JsonObject } from '../../lib/http/json.ts';
import {
  endOverrideSchema,
  findOverrideSchema,
  freezeSchema,
  overrideSchema,
  subjectSchema,
  termsChangesSchema,
  unfreezeSchema,
} from '../../lib/http/terms-schemas.ts';
import type { Operation } from './operation.ts';
import { TERMS_EXAMPLES } from './terms-examples.ts';

/** The calls of subjects' terms. */

const SUBJECT = '/v1/subjects/{kind}/{id}';
const OVERRIDE = `${SUBJECT}/overrides/{rule}`;
const tag = 'Terms of a subject';

const TAGGED: JsonObject = {
  ETag: {
    description: 'The version of the terms, for `If-Match`; `"none"` where there are none.',
    schema: { type: 'string' },
  },
};
const AS_THEY_STAND = 'The terms as they stand now.';
const AT_ONCE = 'It holds for every check that begins after the answer.';
const REPEATED =
  'A repeat after an answer that was lost finds nothing to end: 404 `NO_SUCH_TERMS`.';

/** By operationId. */
export const TERMS_OPERATIONS: Readonly<Record<string, Operation>> = {
  terms: {
    ...{ method: 'get', path: `${SUBJECT}/terms`, tag, takes: subjectSchema },
    summary: 'Whether a subject is frozen, and its overrides',
    description: 'Those to come, too. A subject that nobody gave terms has none: no 404.',
    answers: AS_THEY_STAND,
    codes: [],
    example: TERMS_EXAMPLES.terms,
    headers: TAGGED,
  },
  termsChanges: {
    ...{ method: 'get', path: `${SUBJECT}/changes`, tag, takes: termsChangesSchema },
    summary: 'Every change of them, newest first',
    description: 'Who changed what, when and why. Changes are kept for ever.',
    answers: 'A page of changes.',
    codes: [],
    example: TERMS_EXAMPLES.termsChanges,
  },
  findOverride: {
    ...{ method: 'get', path: OVERRIDE, tag, takes: findOverrideSchema },
    summary: 'Its overrides of one rule',
    description: 'In force and to come.',
    answers: 'At least one.',
    codes: ['NO_SUCH_TERMS'],
    example: TERMS_EXAMPLES.findOverride,
  },
  override: {
    ...{ method: 'put', path: OVERRIDE, tag, takes: overrideSchema },
    mayWait: true,
    summary: 'Gives a subject a maximum of its own',
    description: `In place of that of the rule, from an instant to another. One that is in force ends where it begins. ${AT_ONCE} A repeat puts the same in its place.`,
    answers: AS_THEY_STAND,
    codes: ['TERMS_REFUSED', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.override,
    headers: TAGGED,
  },
  endOverride: {
    ...{ method: 'delete', path: OVERRIDE, tag, takes: endOverrideSchema },
    mayWait: true,
    summary: 'Ends its overrides of one rule',
    description: `The rule holds again as it is; overrides to come go, too. ${AT_ONCE} ${REPEATED}`,
    answers: AS_THEY_STAND,
    codes: ['NO_SUCH_TERMS', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.endOverride,
    headers: TAGGED,
  },
  freeze: {
    ...{ method: 'put', path: `${SUBJECT}/freeze`, tag, takes: freezeSchema },
    mayWait: true,
    summary: 'Freezes a subject',
    description: `Every new check of it is refused, with the reason \`frozen\`; what is held may be confirmed. ${AT_ONCE} A repeat puts the same in its place.`,
    answers: AS_THEY_STAND,
    codes: ['TERMS_REFUSED', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.freeze,
    headers: TAGGED,
  },
  unfreeze: {
    ...{ method: 'delete', path: `${SUBJECT}/freeze`, tag, takes: unfreezeSchema },
    mayWait: true,
    summary: 'Ends its freeze',
    description: `${AT_ONCE} ${REPEATED}`,
    answers: AS_THEY_STAND,
    codes: ['NO_SUCH_TERMS', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.unfreeze,
    headers: TAGGED,
  },
};
