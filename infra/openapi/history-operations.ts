import {
  HISTORY_DAYS_MAX,
  HISTORY_MONTHS_MAX,
  TRANSACTIONS_DEFAULT,
  TRANSACTIONS_MAX,
} from '../../lib/audit/history/history-bounds.ts';
import { DECISIONS } from '../../lib/audit/history/history.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { GIVEN_DATE, GIVEN_INSTANT, GIVEN_PLACE, GIVEN_ZONE } from './given-patterns.ts';
import { HISTORY_EXAMPLES } from './history-examples.ts';
import { referenceTo } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { CONTENT_LANGUAGE, LANGUAGE, pageSize, SUBJECTS } from './parameters.ts';

/** The calls that tell of the past. */

const tag = 'History';

const INSTANT = 'RFC 3339 with its zone, at most milliseconds, from 1970 to 9998';

const asked = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: 'query',
  description,
  schema,
});
const ZONE = (description: string): JsonObject =>
  asked('zone', `${description} A time zone of the IANA database.`, GIVEN_ZONE);

const FROM_AUDIT = 'Read from the audit: of what has no row, nothing is told.';
const CODES = ['AUDIT_OFF', 'TOO_MANY_ROWS'] as const;

/** By operationId. */
export const HISTORY_OPERATIONS: Readonly<Record<string, Operation>> = {
  transactions: {
    ...{ method: 'get', path: '/v1/transactions', tag, name: 'Transactions' },
    summary: 'What happened to a subject',
    description: `Every operation on an order that concerns all subjects in the query, newest first: of any application. Without a subject, with \`decision=refused\` or a \`rule\`: everybody's refused checks. ${FROM_AUDIT}`,
    answers: 'A page; one with very long rows has fewer than `limit`.',
    codes: CODES,
    example: HISTORY_EXAMPLES.transactions,
    parameters: [
      SUBJECTS,
      asked('decision', 'Only checks that were answered so.', {
        type: 'string',
        enum: [...DECISIONS],
      }),
      asked('rule', 'Only checks that this rule refused.', referenceTo('Text')),
      asked('since', `The first instant. ${INSTANT}.`, GIVEN_INSTANT),
      asked('until', `The first instant after, later than \`since\`. ${INSTANT}.`, GIVEN_INSTANT),
      pageSize(TRANSACTIONS_DEFAULT, TRANSACTIONS_MAX),
      asked('before', 'What `next` of the page before says, unchanged.', GIVEN_PLACE),
      LANGUAGE,
    ],
    headers: CONTENT_LANGUAGE,
  },
  usageHistory: {
    ...{ method: 'get', path: '/v1/usage/history', tag, name: 'UsageHistory' },
    summary: 'What was counted, window by window',
    description: `Of all payments that concern the subjects in the query, or of those that one rule counted. A payment counts in the window of its check, as limits count it; what was refunded is taken off there. ${FROM_AUDIT}`,
    answers: 'Every window that reaches into the stretch, empty ones too.',
    codes: [...CODES, 'NO_SUCH_RULE'],
    example: HISTORY_EXAMPLES.usageHistory,
    parameters: [
      SUBJECTS,
      asked(
        'rule',
        'Only what counts in the counter of this rule, in its own windows where a calendar has them.',
        referenceTo('Text'),
      ),
      ZONE(
        'Whose days and months are meant; UTC where nothing is said, none beside a rule with a zone.',
      ),
      asked(
        'last',
        `How far back, today or this month among it: \`P1D\` to \`P${HISTORY_DAYS_MAX}D\`, \`P1M\` to \`P${HISTORY_MONTHS_MAX}M\`.`,
        {
          type: 'string',
          pattern: '^P([1-9]|[12][0-9]|3[01])D$|^P([1-9]|1[0-3])M$',
          default: 'P7D',
        },
      ),
    ],
  },
  summary: {
    ...{ method: 'get', path: '/v1/summary', tag, name: 'Summary' },
    summary: 'What happened on a day to a kind of subject',
    description: `What was confirmed and refunded, by currency, and refused, by rule, of all orders that name a subject of the kind. ${FROM_AUDIT}`,
    answers: 'The sums of the day; of today, so far.',
    codes: CODES,
    example: HISTORY_EXAMPLES.summary,
    parameters: [
      {
        ...asked('kind', 'What the subjects are.', referenceTo('Kind')),
        required: true,
        example: 'merchant',
      },
      asked('date', 'The day, from 1970 to 9998; today where nothing is said.', GIVEN_DATE),
      ZONE('Whose day is meant; UTC where nothing is said.'),
    ],
  },
};
