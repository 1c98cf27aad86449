import * as z from 'zod/mini';
import {
  AMOUNT_MINOR_MAX,
  DAY_MS,
  OVERRIDE_DELAY_DAYS_MAX,
  VERSIONS_DEFAULT,
  VERSIONS_MAX,
} from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import type { ChangesQuery } from './terms-book.ts';
import { bothConditions, ifNoneMatch, changeSchema, operationSchema } from '../http/requests.ts';
import {
  durationFrom,
  fieldsOnly,
  flag,
  instant,
  kind,
  pageSize,
  patternText,
  readBy,
  reasonText,
  text,
  wholeNumber,
} from '../schema/fields.ts';
import { INSTANT_FORM, INSTANT_EXPECTED, readInstant } from '../schema/instant.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { PLACE_EXPECTED, readRowPlace } from '../http/page.ts';
import { said } from '../schema/said.ts';

const bound = z.optional(z.nullable(wholeNumber(0, AMOUNT_MINOR_MAX)));
const MAX_EXPECTED = `an object with amount, count or both: minor units and a number, each from 0 to ${AMOUNT_MINOR_MAX}, or null for none`;
const max = said(
  fieldsOnly({ amount: bound, count: bound }, MAX_EXPECTED).check(
    z.refine((value) => value.amount !== undefined || value.count !== undefined, {
      error: MAX_EXPECTED,
    }),
  ),
  "The subject's own maximum: `amount` in minor units, `count`, or both. Null means no maximum. An absent sum stays as it is.",
  { minProperties: 1 },
);

const SUBJECT = {
  kind: kind('The kind of the subject.'),
  id: text(
    'The id of the subject, percent-encoded in a path. For an id of `.` or `..`, invoke the function directly, because URLs lose it.',
  ),
};
const rule = text("The rule's id.");
const reason = reasonText(
  'Why you make the change. Headroom stores it with the change. Callers of check can read it.',
);

const dryRun = z.optional(flag('Answers what would change, and changes nothing.'));
const ifMatch = z.optional(
  patternText(
    /^ *("[A-Za-z0-9_-]{1,64}"|[A-Za-z0-9_-]{1,64}) *$/,
    'a version from ETag, or "none" if there are no terms',
    'The version of the terms that you change, from `ETag`; `"none"` if there are no terms. If they have another version, the answer is 412 and nothing changes. Send one version, no list and no `*`. Default: any version.',
  ),
);

const until = (what: string) =>
  z.optional(
    instant(
      `The end${what}: the first instant at which it no longer applies. The maximum below it is then in force again. Default: until you end it. ${INSTANT_FORM}.`,
    ),
  );

/** The fields of each call, by its operation. */
export const TERMS_TAKE = {
  terms: said(operationSchema('Subject', SUBJECT), 'The subject of the terms: a kind and an id.'),
  findOverride: operationSchema('FindOverrideRequest', { ...SUBJECT, rule }),
  changes: operationSchema('TermsChangesRequest', {
    ...SUBJECT,
    limit: pageSize(VERSIONS_DEFAULT, VERSIONS_MAX),
    before: z.optional(
      readBy(
        'PlaceOrInstant',
        (value): ChangesQuery['before'] => {
          const at = readInstant(value);
          return at === undefined ? readRowPlace(value) : { at };
        },
        `${PLACE_EXPECTED}, or ${INSTANT_EXPECTED}`,
        'The `next` of the page before, unchanged. Or an instant, for changes before it.',
      ),
    ),
  }),
  override: changeSchema(
    'OverrideRequest',
    {
      ...SUBJECT,
      rule,
      max,
      from: z.optional(instant(`The start. Default: at once. ${INSTANT_FORM}.`)),
      effectiveAfter: z.optional(
        durationFrom(
          'Duration',
          [0, OVERRIDE_DELAY_DAYS_MAX * DAY_MS],
          `an ISO 8601 duration of at most P${OVERRIDE_DELAY_DAYS_MAX}D, such as PT24H`,
          `Instead of \`from\`: the time from the call to the start, an ISO 8601 duration of at most P${OVERRIDE_DELAY_DAYS_MAX}D.`,
        ),
      ),
      until: until(', after `from`'),
      reason,
      dryRun,
      ifMatch,
      ifNoneMatch: ifNoneMatch(),
    },
    { not: { required: ['from', 'effectiveAfter'] } },
  ),
  freeze: changeSchema('FreezeRequest', {
    ...SUBJECT,
    until: until(''),
    reason,
    dryRun,
    ifMatch,
    ifNoneMatch: ifNoneMatch(),
  }),
  endOverride: changeSchema('EndOverrideRequest', {
    ...SUBJECT,
    rule,
    overrideId: z.optional(
      text(
        'The id of the override that ends, or `all`. Required if the subject has several of the rule.',
      ),
    ),
    reason,
    dryRun,
    ifMatch,
  }),
  unfreeze: changeSchema('UnfreezeRequest', { ...SUBJECT, reason, dryRun, ifMatch }),
};

/** An override begins at an instant or after a delay, and before it ends. */
export function mistakesInOverride(value: unknown): readonly Mistake[] {
  const from = readInstant(ownField(value, 'from'));
  const until = readInstant(ownField(value, 'until'));
  const delayed = ownField(value, 'effectiveAfter');
  const conditions = bothConditions(value);
  if (from !== undefined && delayed !== undefined)
    return [mistakeAt(['effectiveAfter'], delayed, 'either from or effectiveAfter'), ...conditions];
  if (from === undefined || until === undefined || from < until) return conditions;
  return [mistakeAt(['until'], ownField(value, 'until'), 'an instant after from'), ...conditions];
}
