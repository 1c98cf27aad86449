/** One place where a request is not what it must be. */
export type RequestMistake = {
  /** `orders[3].amount` */
  readonly path: string;
  /** What stands there, shortened; absent where nothing does. */
  readonly value?: string;
  /** `a whole number from 0 to 1000000000000000` */
  readonly expected: string;
};

/** What every problem has (RFC 9457), and what some codes have beside it. */
type ProblemOf<Code extends string, Members = unknown> = {
  readonly type: string;
  /** What the code means. */
  readonly title: string;
  /** HTTP's. */
  readonly status: number;
  /** What was wrong, and what to do: one sentence. */
  readonly detail: string;
  readonly code: Code;
  /** By which logs and audit rows name the call. */
  readonly requestId: string;
} & Members;

/** Codes that bring nothing but what every problem has. */
const PLAIN_CODES = [
  'AUDIT_OFF',
  'BAD_SIGNATURE',
  'OPERATION_NOT_ALLOWED',
  'RIGHT_MISSING',
  'NO_SUCH_RULE',
  'NO_SUCH_PROPOSAL',
  'PROPOSAL_CLOSED',
  'WRONG_PERSON',
  'NO_SUCH_TERMS',
  'TERMS_REFUSED',
  'TERMS_CHANGED',
  'RULE_CHANGED',
  'VERSION_REQUIRED',
  'CONSENT_REQUIRED',
  'NOT_FOUND',
  'ORDER_REUSED',
  'ORDER_AMBIGUOUS',
  'ALREADY_CONFIRMED',
  'ALREADY_ROLLED_BACK',
  'NOT_ALL_ALLOWED',
  'RESERVATION_REPLACED',
  'NOT_CONFIRMED',
  'REFUND_REUSED',
  'NOT_RECORDED',
  'FORGOTTEN',
  'TOO_MANY_OPEN_HOLDS',
  'TOO_MANY_BUCKETS',
  'COUNTER_FULL',
  'TOO_MANY_RULES',
  'TOO_MANY_REFUNDS',
  'TOO_MANY_ROWS',
  'UNDECIDED',
  'CLOCK_SKEW',
  'INTERNAL',
] as const;

type PlainCode = (typeof PLAIN_CODES)[number];

/** What Headroom answers where a call failed; `code` says which it is. */
export type Problem =
  | { [Code in PlainCode]: ProblemOf<Code> }[PlainCode]
  /** Every mistake, the first 50; `detail` says how many more there are. */
  | ProblemOf<'INVALID_REQUEST', { readonly errors: readonly RequestMistake[] }>
  /** What may still be refunded, in minor units. */
  | ProblemOf<'REFUND_TOO_LARGE', { readonly remaining: number }>;

/** Public and stable: what to tell problems apart by. */
export type ProblemCode = Problem['code'];

/** Every code that this version knows. */
export const PROBLEM_CODES: readonly ProblemCode[] = [
  ...PLAIN_CODES,
  'INVALID_REQUEST',
  'REFUND_TOO_LARGE',
];

/** Says whether an answer is a problem that this version knows; a proxy may have the same codes. */
export function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false;
  const { code, status, detail, requestId } = body as Partial<Record<keyof Problem, unknown>>;
  return (
    PROBLEM_CODES.some((known) => known === code) &&
    typeof status === 'number' &&
    typeof detail === 'string' &&
    typeof requestId === 'string'
  );
}
