import * as z from 'zod/mini';
import { BODY_BYTES_MAX, OVERRIDE_DELAY_DAYS_MAX } from '../../lib/shared/bounds.ts';
import { isKind, KIND_PATTERN } from '../../lib/shared/names.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { freezeSchema, overrideSchema } from '../../lib/rules/terms/terms-request.ts';
import { DURATION_PATTERN } from './duration-patterns.ts';
import { GIVEN_INSTANT } from './given-patterns.ts';
import { referenceTo } from './json-schema.ts';
import { nameOf } from './request-fields.ts';
import { component, means, withFields } from './schemas.ts';

/** What the calls of subjects' terms take. */

const shape = overrideSchema._zod.def.shape;
means(shape.kind, { type: 'string', ...nameOf(KIND_PATTERN, isKind) });
means(shape.from._zod.def.innerType, GIVEN_INSTANT);
means(shape.effectiveAfter._zod.def.innerType, { type: 'string', pattern: DURATION_PATTERN });
means(shape.max, { minProperties: 1 });

/** What stands in the path and in a header. */
const ELSEWHERE = {
  kind: true,
  id: true,
  operation: true,
  actor: true,
  ifMatch: true,
  ifNoneMatch: true,
} as const;
const BODY = `At most ${BODY_BYTES_MAX} bytes.`;
component('Kind', 'What a subject is.', shape.kind);
component('OverrideRequest', BODY, z.omit(overrideSchema, { ...ELSEWHERE, rule: true }));
component('FreezeRequest', BODY, z.omit(freezeSchema, ELSEWHERE));

const INSTANT = 'RFC 3339 with its zone, at most milliseconds, from 1970 to 9998';
const REASON = 'Why. It is kept with the change, and told to callers of check.';

/** Its components, each field described. */
export function termsRequests(
  all: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  return {
    OverrideRequest: withFields(
      all.OverrideRequest,
      {
        max: 'In place of that of the rule: `amount` in minor units, `count`, or both; null for none. What is absent stays that of the rule.',
        from: `When it begins; at once where nothing is said. ${INSTANT}.`,
        effectiveAfter: `In place of \`from\`: how long after the call it begins, an ISO 8601 duration of at most P${OVERRIDE_DELAY_DAYS_MAX}D.`,
        until: `The first instant at which it is over, after \`from\`; where nothing is said it goes on until it is ended. ${INSTANT}.`,
        reason: REASON,
      },
      { not: { required: ['from', 'effectiveAfter'] } },
    ),
    FreezeRequest: withFields(all.FreezeRequest, {
      until: `The first instant at which it is over; where nothing is said it goes on until it is ended. ${INSTANT}.`,
      reason: REASON,
    }),
  };
}

/** In a path: which subject. */
export const SUBJECT_PARAMETERS: readonly JsonObject[] = [
  {
    name: 'kind',
    in: 'path',
    required: true,
    description: 'What the subject is.',
    schema: referenceTo('Kind'),
    example: 'user',
  },
  {
    name: 'id',
    in: 'path',
    required: true,
    description:
      'Which one, percent-encoded. Not one called `.` or `..`, which every URL loses: it is changed by direct invocation.',
    schema: referenceTo('Text'),
    example: 'u-1',
  },
];
