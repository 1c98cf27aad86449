import * as z from 'zod/mini';
import {
  AMOUNT_MINOR_MAX,
  OVERRIDE_DELAY_DAYS_MAX,
  VERSIONS_DEFAULT,
  VERSIONS_MAX,
} from '../shared/bounds.ts';
import type { ChangesQuery } from '../rules/terms/terms-change.ts';
import { ifNoneMatch } from './conditions.ts';
import {
  durationFrom,
  instant,
  kind,
  pageSize,
  patternText,
  reasonText,
  text,
  textOf,
  wholeNumber,
} from './fields.ts';
import { INSTANT_EXPECTED, readInstant } from './instant.ts';
import { PLACE_EXPECTED, readPlace } from './page.ts';
import { changeSchema, operationSchema } from './routed.ts';
import { said } from './said.ts';

/** What the calls of subjects' terms take. */

const DAY_MS = 86_400_000;
const INSTANT = 'RFC 3339 with its zone, at most milliseconds, from 1970 to 9998';
const bound = z.optional(z.nullable(wholeNumber(0, AMOUNT_MINOR_MAX)));
const MAX_EXPECTED = `an object with amount, count or both: minor units and a number, each from 0 to ${AMOUNT_MINOR_MAX}, or null for none`;
const max = said(
  z
    .strictObject(
      { amount: bound, count: bound },
      {
        error: ({ code }) =>
          code === 'unrecognized_keys' ? 'only amount and count' : MAX_EXPECTED,
      },
    )
    .check(
      z.refine((value) => value.amount !== undefined || value.count !== undefined, {
        error: MAX_EXPECTED,
      }),
    ),
  'In place of that of the rule: `amount` in minor units, `count`, or both; null for none. What is absent stays that of the rule.',
  { minProperties: 1 },
);

const SUBJECT = {
  kind: kind('What the subject is.'),
  id: text(
    'Which one, percent-encoded in a path. Not one called `.` or `..`, which every URL loses: it is changed by direct invocation.',
  ),
};
const rule = text("The rule's id.");
const reason = reasonText('Why. It is kept with the change, and told to callers of check.');

/** For which terms a change is: their version, as ETag says it or without quotes. */
const ifMatch = z.optional(
  patternText(
    /^ *("[A-Za-z0-9_-]{1,64}"|[A-Za-z0-9_-]{1,64}) *$/,
    'a version as ETag says it, or "none" where there are no terms',
    'For which version of the terms the change is, as `ETag` said it; `"none"` where there are none. Otherwise 412, and nothing changes. One version: no list of them, no `*`. Whatever they are where nothing is said.',
  ),
);

/** Whose terms are asked for. */
export const subjectSchema = said(
  operationSchema('Subject', SUBJECT),
  'Whose terms: a kind and an id.',
);
/** Whose overrides are asked for, and of which rule. */
export const findOverrideSchema = operationSchema('FindOverrideRequest', { ...SUBJECT, rule });
/** Whose changes are asked for. */
export const termsChangesSchema = operationSchema('TermsChangesRequest', {
  ...SUBJECT,
  limit: pageSize(VERSIONS_DEFAULT, VERSIONS_MAX),
  before: z.optional(
    textOf(
      'PlaceOrInstant',
      (value) => readBefore(value) !== undefined,
      `${PLACE_EXPECTED}, or ${INSTANT_EXPECTED}`,
      'What `next` of the page before says, unchanged; or an instant, for those before it alone.',
    ),
  ),
});
/** What an override takes. */
export const overrideSchema = changeSchema(
  'OverrideRequest',
  {
    ...SUBJECT,
    rule,
    max,
    from: z.optional(instant(`When it begins; at once where nothing is said. ${INSTANT}.`)),
    effectiveAfter: z.optional(
      durationFrom(
        'Duration',
        [0, OVERRIDE_DELAY_DAYS_MAX * DAY_MS],
        `an ISO 8601 duration of at most P${OVERRIDE_DELAY_DAYS_MAX}D, such as PT24H`,
        `In place of \`from\`: how long after the call it begins, an ISO 8601 duration of at most P${OVERRIDE_DELAY_DAYS_MAX}D.`,
      ),
    ),
    until: z.optional(
      instant(
        `The first instant at which it is over, after \`from\`; where nothing is said it goes on until it is ended. ${INSTANT}.`,
      ),
    ),
    reason,
    ifMatch,
    ifNoneMatch: ifNoneMatch(),
  },
  { not: { required: ['from', 'effectiveAfter'] } },
);
/** What a freeze takes. */
export const freezeSchema = changeSchema('FreezeRequest', {
  ...SUBJECT,
  until: z.optional(
    instant(
      `The first instant at which it is over; where nothing is said it goes on until it is ended. ${INSTANT}.`,
    ),
  ),
  reason,
  ifMatch,
  ifNoneMatch: ifNoneMatch(),
});
/** What ends an override. */
export const endOverrideSchema = changeSchema('EndOverrideRequest', {
  ...{ ...SUBJECT, rule, reason, ifMatch },
});
/** What ends a freeze. */
export const unfreezeSchema = changeSchema('UnfreezeRequest', { ...SUBJECT, reason, ifMatch });

/** Reads where a page ended, or an instant of the caller's. */
export function readBefore(value: unknown): ChangesQuery['before'] {
  const at = readInstant(value);
  return at === undefined ? readPlace(value) : { at };
}
