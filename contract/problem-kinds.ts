/** How a code is answered. */
export type ProblemKind = { readonly status: number; readonly title: string };

/** Status and title of each code. Any other code is a fault of ours. */
export const PROBLEM_KINDS = {
  INVALID_REQUEST: { status: 400, title: 'The request is not valid' },
  AUDIT_OFF: { status: 404, title: 'This deployment has no audit' },
  BAD_SIGNATURE: { status: 401, title: 'No active application signed the call' },
  RIGHT_MISSING: { status: 403, title: 'The application lacks the right' },
  OPERATION_NOT_ALLOWED: { status: 403, title: 'The application may not make this call' },
  NO_SUCH_TERMS: { status: 404, title: 'The subject has no such terms' },
  NOT_FOUND: { status: 404, title: 'The order is not known' },
  NO_SUCH_PROPOSAL: { status: 404, title: 'There is no such proposal' },
  PROPOSAL_CLOSED: { status: 409, title: 'The proposal is not open' },
  WRONG_PERSON: { status: 403, title: 'Another person must decide this' },
  NO_SUCH_BACKTEST: { status: 404, title: 'There is no such back-test' },
  NO_SUCH_RULE: { status: 404, title: 'There is no such rule' },
  RULE_CHANGED: { status: 412, title: 'The rules have another version' },
  CONSENT_REQUIRED: { status: 409, title: 'The change removes something without your consent' },
  VERSION_REQUIRED: { status: 428, title: 'The change names no version' },
  TERMS_CHANGED: { status: 412, title: 'The terms have another version' },
  ORDER_REUSED: { status: 409, title: 'The order was checked with other content' },
  ORDER_AMBIGUOUS: { status: 409, title: 'Several orders have this id' },
  ALREADY_CONFIRMED: { status: 409, title: 'The order is confirmed' },
  ALREADY_ROLLED_BACK: { status: 409, title: 'The order is rolled back' },
  NOT_ALL_ALLOWED: { status: 409, title: 'Another order of the same atomic call was not allowed' },
  RESERVATION_REPLACED: { status: 409, title: 'The order was checked again since' },
  NOT_CONFIRMED: { status: 409, title: 'The order is not confirmed' },
  REFUND_REUSED: { status: 409, title: 'The refund had another amount before' },
  NOT_RECORDED: { status: 409, title: 'Audit rows of the order are missing' },
  FORGOTTEN: { status: 410, title: 'The order is too old' },
  TERMS_REFUSED: { status: 422, title: 'The subject cannot have such terms' },
  INCOMPLETE_ORDER: { status: 422, title: 'The order lacks what a rule requires' },
  TOO_MANY_OPEN_HOLDS: { status: 422, title: 'Too many holds are open' },
  TOO_MANY_BUCKETS: { status: 422, title: 'The subject counts in too many windows' },
  COUNTER_FULL: { status: 422, title: 'A counter is full' },
  TOO_MANY_RULES: { status: 422, title: 'Too many rules apply' },
  CANNOT_BE_TESTED: { status: 422, title: 'The past does not answer the question' },
  TOO_MANY_BACKTESTS: { status: 409, title: 'Too many back-tests have not ended' },
  TOO_MANY_ROWS: { status: 422, title: 'Too many rows to read in time' },
  CLUSTER_TOO_OLD: { status: 422, title: 'The database cannot join rows of several shards' },
  REFUND_TOO_LARGE: { status: 422, title: 'The refund is larger than the rest' },
  TOO_MANY_REFUNDS: { status: 422, title: 'The order has too many refunds' },
  UNDECIDED: { status: 503, title: 'The database did not decide' },
  CLOCK_SKEW: { status: 503, title: 'The clocks disagree' },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** A code that callers may see. */
export type ProblemCode = keyof typeof PROBLEM_KINDS | 'INTERNAL';

/** Every code that callers may see. */
export function problemCodes(): readonly ProblemCode[] {
  return [...(Object.keys(PROBLEM_KINDS) as (keyof typeof PROBLEM_KINDS)[]), 'INTERNAL']; // its keys
}
