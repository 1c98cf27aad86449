import type { CallId } from '../../contract/calls.ts';
import type { JsonObject } from './json.ts';
import { TERMS_TAKE } from '../../lib/terms/terms-request.ts';
import type { Operation } from './operation.ts';
import { TERMS_EXAMPLES } from './terms-examples.ts';

/** The calls of subjects' terms. */

const tag = 'Terms of a subject';

const TAGGED: JsonObject = {
  ETag: {
    description: 'The version of the terms, for `If-Match`. `"none"` if there are no terms.',
    schema: { type: 'string' },
  },
};
const AS_THEY_STAND = 'The terms now.';
const AT_ONCE = 'It applies to every check that begins after the answer.';
const REPEATED = 'A repeat finds nothing to end, so its answer is 404 `NO_SUCH_TERMS`.';

/** By operationId. */
export const TERMS_OPERATIONS = {
  terms: {
    tag,
    takes: TERMS_TAKE.terms,
    summary: 'Whether a subject is frozen, and its overrides',
    description:
      'Includes future overrides. A subject without terms gets an empty answer, not 404.',
    answers: AS_THEY_STAND,
    codes: [],
    example: TERMS_EXAMPLES.terms,
    headers: TAGGED,
  },
  termsChanges: {
    tag,
    takes: TERMS_TAKE.changes,
    summary: 'Every change of them, newest first',
    description:
      'Lists each change, its author, its time and its reason. Headroom never deletes changes.',
    answers: 'A page of changes.',
    codes: [],
    example: TERMS_EXAMPLES.termsChanges,
  },
  findOverride: {
    tag,
    takes: TERMS_TAKE.findOverride,
    summary: 'Its overrides of one rule',
    description: 'Lists present and future overrides.',
    answers: 'At least one override.',
    codes: ['NO_SUCH_TERMS'],
    example: TERMS_EXAMPLES.findOverride,
  },
  override: {
    tag,
    takes: TERMS_TAKE.override,
    mayWait: true,
    summary: 'Gives a subject a maximum of its own',
    description: `Gives one subject its own maximum. With \`until\` it lies above the others of the rule, which are in force again at its end. Without \`until\` it takes their place. A sum that it does not say stays as it is. ${AT_ONCE} A repeat takes the place of the first.`,
    answers: AS_THEY_STAND,
    codes: ['TERMS_REFUSED', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.override,
    headers: TAGGED,
  },
  endOverride: {
    tag,
    takes: TERMS_TAKE.endOverride,
    mayWait: true,
    summary: 'Ends an override of one rule, or all',
    description: `The maximum below it is in force again: that of another override, or of the rule. ${AT_ONCE} ${REPEATED}`,
    answers: AS_THEY_STAND,
    codes: ['NO_SUCH_TERMS', 'TERMS_REFUSED', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.endOverride,
    headers: TAGGED,
  },
  freeze: {
    tag,
    takes: TERMS_TAKE.freeze,
    mayWait: true,
    summary: 'Freezes a subject',
    description: `Headroom refuses every new check of the subject, with the reason \`frozen\`. You may still confirm open holds. ${AT_ONCE} A repeat stores the same freeze again.`,
    answers: AS_THEY_STAND,
    codes: ['TERMS_REFUSED', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.freeze,
    headers: TAGGED,
  },
  unfreeze: {
    tag,
    takes: TERMS_TAKE.unfreeze,
    mayWait: true,
    summary: 'Ends its freeze',
    description: `${AT_ONCE} ${REPEATED}`,
    answers: AS_THEY_STAND,
    codes: ['NO_SUCH_TERMS', 'TERMS_CHANGED'],
    example: TERMS_EXAMPLES.unfreeze,
    headers: TAGGED,
  },
} satisfies Readonly<Partial<Record<CallId, Operation>>>;
