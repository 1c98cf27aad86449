import type { JsonObject } from './json.ts';
import { FAULT } from '../../lib/http/problems.ts';
import { referenceTo } from '../../lib/schema/said.ts';
import { exampleReferences } from './problem-examples.ts';
import { PROBLEM_KINDS, type ProblemCode } from '../../contract/problem-kinds.ts';

/** Which problems there are, and what to do about each. */

/** The public code of a problem. */
export type Code = ProblemCode;

/** The callers' next step, by code; docs/problems.md has it at length. */
const ADVICE = {
  INVALID_REQUEST: 'correct the fields that `errors` lists',
  BAD_SIGNATURE: 'the call is not signed, or its signature is wrong',
  OPERATION_NOT_ALLOWED: 'the application may not make this call',
  RIGHT_MISSING: 'the application lacks the right that the call needs',
  NOT_FOUND: 'no check of this order was allowed for these subjects',
  AUDIT_OFF: 'this deployment has no audit, and the call reads it',
  ORDER_REUSED:
    'checked with other content: use a new `orderId`, or repeat the first request unchanged',
  ORDER_AMBIGUOUS: 'several orders have this id: name one by `subjects` or `reservation`',
  ALREADY_CONFIRMED: 'the order was confirmed',
  ALREADY_ROLLED_BACK: 'the order was rolled back: use a new `orderId`',
  NO_SUCH_RULE: 'there is no such rule',
  NO_SUCH_TERMS: 'the subject has no such terms',
  RULE_CHANGED: 'somebody else changed it first: read it again',
  TERMS_CHANGED: 'somebody else changed them first: read them again',
  VERSION_REQUIRED: 'name the version that you change, with `If-Match`',
  CONSENT_REQUIRED:
    'the change resets a sum or deletes a rule: send `beginAnew` or `drop` if you want that',
  TERMS_REFUSED: 'the subject cannot have these terms; `detail` says why',
  NO_SUCH_PROPOSAL: 'there is no such proposal',
  NO_SUCH_BACKTEST: 'there is no such back-test',
  CANNOT_BE_TESTED: '`detail` says why: choose another time or another draft',
  TOO_MANY_BACKTESTS: 'other back-tests have not ended: wait for one, or stop one',
  PROPOSAL_CLOSED:
    'the proposal was decided before, or it expired: make the change again if you still want it',
  WRONG_PERSON: 'the author cannot decide a proposal; only the author can withdraw it',
  NOT_ALL_ALLOWED: 'another order of the same atomic call was not allowed, so this one is not held',
  RESERVATION_REPLACED:
    'the hold expired and the order was checked again: send the newer reservation if that hold is to end, too',
  NOT_CONFIRMED: 'you can only refund a confirmed order: confirm it first, or roll it back',
  REFUND_REUSED: 'this refund had another amount before: use a new `refundId`',
  NOT_RECORDED: 'the audit lost the rows of this order: it stays counted',
  FORGOTTEN: 'the order is older than the memory of its subject',
  INCOMPLETE_ORDER: 'a rule requires what `missing` lists: send it with the order',
  TOO_MANY_OPEN_HOLDS:
    'the subject has too many open holds: settle some, or wait until holds expire',
  TOO_MANY_BUCKETS: 'the subject counts in too many windows',
  COUNTER_FULL:
    'a sum would exceed 2^53 − 1, or a window would have more than 1,000 different values',
  TOO_MANY_RULES: 'too many rules apply to one check',
  TOO_MANY_ROWS: 'too many rows to read in time: ask for a shorter period',
  CLUSTER_TOO_OLD: 'the database is a sharded cluster before MongoDB 5.1',
  REFUND_TOO_LARGE: 'refund at most `remaining`',
  TOO_MANY_REFUNDS: 'the order has too many refunds',
  UNDECIDED:
    'the database did not answer in time, so the result is unknown: send the same call again',
  CLOCK_SKEW: 'the clocks disagree: send the same call again',
  INTERNAL: 'an error in Headroom: report the `requestId`. You may send the same call again',
} as const satisfies Readonly<Record<Code, string>>;

/** Every code that there is. */
export const CODES = Object.keys(ADVICE) as readonly Code[]; // its keys are all codes

const STATUSES: Readonly<Record<string, string>> = {
  400: 'The request is not valid. Nothing changed',
  401: 'The call is not signed',
  403: 'The caller may not do this',
  404: 'Not found',
  409: 'The state of the order, rule or proposal does not allow it. Nothing changed',
  410: 'The order is too old. Nothing changed',
  412: 'The version is not the one that the change names. Nothing changed',
  413: 'The body is too large. Nothing changed',
  422: 'The call would exceed a bound. `detail` says which',
  428: 'The change names no version. Nothing changed',
  429: 'Too many calls. Nothing changed',
  500: 'An error in Headroom',
  503: 'Headroom could not decide. Send the same call again; that is safe',
};

/** Statuses that API Gateway answers with, too, or alone, without a code. */
const OF_THE_GATEWAY: readonly string[] = '400 401 403 404 413 429 500 503'.split(' ');

/** The problems with which every call may be answered. */
const ALWAYS: readonly Code[] = [
  ...(['INVALID_REQUEST', 'BAD_SIGNATURE', 'OPERATION_NOT_ALLOWED', 'RIGHT_MISSING'] as const),
  ...(['UNDECIDED', 'INTERNAL'] as const),
];

function statusOf(code: Code): string {
  return String((code === 'INTERNAL' ? FAULT : PROBLEM_KINDS[code]).status);
}

/** The answers of a call that are problems, by status. */
export function problemResponses(codes: readonly Code[]): Readonly<Record<string, JsonObject>> {
  const all = [...ALWAYS, ...codes];
  const statuses = [...new Set([...all.map(statusOf), '413', '429'])].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      problemResponse(
        status,
        all.filter((code) => statusOf(code) === status),
      ),
    ]),
  );
}

function problemResponse(status: string, codes: readonly Code[]): JsonObject {
  const advice = codes.map((code) => `- \`${code}\`: ${ADVICE[code]}`);
  const ours = {
    allOf: [
      referenceTo('Problem'),
      { properties: { status: { const: Number(status) }, code: { enum: codes } } },
    ],
  };
  const isGateways = OF_THE_GATEWAY.includes(status);
  return {
    description: [`${STATUSES[status] ?? ''}.`, ...advice].join('\n'),
    headers: headersOf(status),
    content: {
      ...(codes.length === 0
        ? {}
        : { 'application/problem+json': { schema: ours, examples: exampleReferences(codes) } }),
      ...(isGateways ? { 'application/json': { schema: referenceTo('GatewayMessage') } } : {}),
    },
  };
}

const header = (description: string, schema: JsonObject = { type: 'string' }): JsonObject => ({
  description,
  schema,
});

/** Headers of every answer that is the service's own; API Gateway's have none of them. */
export const ANSWER_HEADERS: JsonObject = {
  'X-Request-Id': header('The id of the call, as in logs and audit rows.'),
  'Cache-Control': header('Answers are never cached.', { type: 'string', const: 'no-store' }),
};

function headersOf(status: string): JsonObject {
  if (status === '401')
    return {
      ...ANSWER_HEADERS,
      'WWW-Authenticate': header('`Headroom-Signature`: the scheme for signing calls.'),
    };
  if (status !== '503') return ANSWER_HEADERS;
  const seconds = { type: 'integer', minimum: 1 };
  return { ...ANSWER_HEADERS, 'Retry-After': header('Seconds.', seconds) };
}
