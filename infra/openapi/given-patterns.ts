import type { JsonObject } from '../../lib/http/json.ts';

/** What callers give as text: instants, days, time zones, and what an earlier answer said. */

const YEAR = '(19[7-9][0-9]|[2-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])';
const DATE = `${YEAR}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])`;

/** RFC 3339, from 1970 to 9998, to the millisecond at most; a day that its month does not have is none. */
export const INSTANT_PATTERN = `^${DATE}[Tt]([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\\.[0-9]{1,3})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`;

/** An instant in a request. */
export const GIVEN_INSTANT: JsonObject = {
  type: 'string',
  format: 'date-time',
  pattern: INSTANT_PATTERN,
};

/** A day in a request. */
export const GIVEN_DATE: JsonObject = { type: 'string', format: 'date', pattern: `^${DATE}$` };

/** A name of the IANA database, which is not listed here; an offset is none. */
export const GIVEN_ZONE: JsonObject = {
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
  examples: ['Asia/Shanghai'],
};

/** Where a page ended: base64url of what only the service reads. */
export const GIVEN_PLACE: JsonObject = { type: 'string', pattern: '^[A-Za-z0-9_-]+$' };
