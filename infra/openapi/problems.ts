import type { JsonObject } from '../../lib/http/json.ts';
import type { ProblemCode } from '../../lib/http/problems.ts';
import { FAULT, PROBLEM_KINDS } from '../../lib/http/problems.ts';
import { referenceTo } from '../../lib/http/said.ts';
import { exampleReferences } from './problem-examples.ts';

/** Which problems there are, and what to do about each. */

/** The public code of a problem. */
export type Code = ProblemCode;

/** What callers do, by code; docs/problems.md says it at length. */
const ADVICE = {
  INVALID_REQUEST: 'correct what `errors` names',
  BAD_SIGNATURE: 'not signed, or not so that it is taken',
  OPERATION_NOT_ALLOWED: 'the application may not make this call',
  RIGHT_MISSING: 'the application has not the right that the call needs',
  NOT_FOUND: 'no check was allowed under this order and these subjects',
  AUDIT_OFF: 'no audit is kept, from which this is read',
  ORDER_REUSED:
    'checked with other content: use a new `orderId`, or repeat the first request unchanged',
  ORDER_AMBIGUOUS: 'orders of two homes have this id: say which by `subjects` or `reservation`',
  ALREADY_CONFIRMED: 'it was confirmed',
  ALREADY_ROLLED_BACK: 'it was rolled back: use a new `orderId`',
  NO_SUCH_RULE: 'there is no such rule',
  NO_SUCH_TERMS: 'the subject has no such terms',
  RULE_CHANGED: 'somebody else was first: read it again',
  TERMS_CHANGED: 'somebody else was first: read them again',
  VERSION_REQUIRED: 'say for which version the change is, with `If-Match`',
  CONSENT_REQUIRED:
    'the change resets a sum or deletes a rule: say `beginAnew` or `drop` where that is meant',
  TERMS_REFUSED: '`detail` says why the subject cannot have them',
  NO_SUCH_PROPOSAL: 'nobody made it',
  PROPOSAL_CLOSED: 'decided before, or lapsed; make the change anew where it is still wanted',
  WRONG_PERSON: 'who made a proposal does not decide it; nobody else takes it back',
  NOT_ALL_ALLOWED: 'another order of the same atomic call was not allowed; this one is not held',
  RESERVATION_REPLACED:
    'the hold expired and the order was checked again: use the newer reservation',
  NOT_CONFIRMED: 'only what is confirmed can be refunded: confirm first, or roll back',
  REFUND_REUSED: 'the refund was of another amount: use a new `refundId`',
  NOT_RECORDED: 'the rows that say where the order counts got lost: it stays counted',
  FORGOTTEN: 'older than the memory of its subject',
  TOO_MANY_OPEN_HOLDS: 'of one subject',
  TOO_MANY_BUCKETS: 'too many windows of one subject are counted',
  COUNTER_FULL: 'a sum would pass 2^53 − 1',
  TOO_MANY_RULES: 'too many apply to one check',
  TOO_MANY_ROWS: 'more than can be read in time: ask for a shorter stretch',
  REFUND_TOO_LARGE: 'refund at most `remaining`',
  TOO_MANY_REFUNDS: 'of one order',
  UNDECIDED:
    'the database did not answer in time, and whether the call took effect is unknown: repeat the same call',
  CLOCK_SKEW: 'clocks disagree: repeat the same call',
  INTERNAL: 'ours: ask with the `requestId`; repeating the same call is safe',
} as const satisfies Readonly<Record<Code, string>>;

/** Every code that there is. */
export const CODES = Object.keys(ADVICE) as readonly Code[]; // its keys are all codes

const STATUSES: Readonly<Record<string, string>> = {
  400: 'Not understood, and nothing was changed',
  401: 'Not signed',
  403: 'Not allowed',
  404: 'Not known',
  409: 'Not as things stand, and nothing was changed',
  410: 'Too long ago, and nothing was changed',
  412: 'Not as the change says, and nothing was changed',
  413: 'The body is too large, and nothing was done',
  422: 'A bound is reached; `detail` says which',
  428: 'For which version is not said, and nothing was changed',
  429: 'Too many calls, and nothing was done',
  500: 'A fault of ours',
  503: 'Not decided; repeat the same call, which is safe',
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
  'X-Request-Id': header('By which logs and audit rows name the call.'),
  'Cache-Control': header('Never kept.', { type: 'string', const: 'no-store' }),
};

function headersOf(status: string): JsonObject {
  if (status === '401')
    return {
      ...ANSWER_HEADERS,
      'WWW-Authenticate': header('`Headroom-Signature`: how calls are signed.'),
    };
  if (status !== '503') return ANSWER_HEADERS;
  const seconds = { type: 'integer', minimum: 1 };
  return { ...ANSWER_HEADERS, 'Retry-After': header('Seconds.', seconds) };
}
