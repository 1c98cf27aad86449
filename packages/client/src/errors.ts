import type { Problem } from './api.ts';
import type { ProblemCode } from './problems.ts';
import type { CallName } from './calls.ts';

/** A call that has no answer. All have the call, and how often it was sent. */
export abstract class HeadroomError extends Error {
  abstract readonly code: ProblemCode | 'NO_ANSWER' | 'UNEXPECTED_ANSWER';
  readonly call: CallName;
  /** How often the call was sent. */
  readonly attempts: number;
  /** Whether the same call, sent again, may succeed. It is safe in any case. */
  readonly retryable: boolean;
  constructor(message: string, of: FailedCall, retryable: boolean, options?: ErrorOptions) {
    super(`${of.call}: ${message}`, options);
    this.call = of.call;
    this.attempts = of.attempts;
    this.retryable = retryable;
  }
}

/** The call that failed. */
export type FailedCall = { readonly call: CallName; readonly attempts: number };

/**
 * Headroom answered with a problem. `code` is one of a closed list: a `switch` on it can be exhaustive;
 * a `switch` on `problem.code` knows the members of each, such as `remaining` of `REFUND_TOO_LARGE`.
 */
export class ProblemError extends HeadroomError {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly status: number;
  readonly requestId: string;
  readonly problem: Problem;
  constructor(problem: Problem, of: FailedCall) {
    super(`${problem.detail} (${problem.code})`, of, problem.status >= 500);
    this.code = problem.code;
    this.status = problem.status;
    this.requestId = problem.requestId;
    this.problem = problem;
  }
}

/**
 * Nothing answered before the deadline. Whether the call took effect is unknown: repeat the very same
 * call, which is safe. `cause` says how the last attempt ended.
 */
export class NoAnswerError extends HeadroomError {
  override readonly name = 'NoAnswerError';
  readonly code = 'NO_ANSWER';
  constructor(deadlineMs: number, of: FailedCall, cause: unknown) {
    const times = of.attempts === 1 ? 'one attempt' : `${of.attempts} attempts`;
    super(
      `no answer within ${deadlineMs} ms, after ${times}, so nobody knows whether the call took effect: send the same call again, which is safe`,
      of,
      true,
      { cause },
    );
  }
}

/**
 * The answer is not Headroom's, or is from one newer than this client: API Gateway (not signed for
 * AWS, no such path, too many calls), a proxy, a function that was cut off, a code that this
 * version does not know.
 */
export class UnexpectedAnswerError extends HeadroomError {
  override readonly name = 'UnexpectedAnswerError';
  readonly code = 'UNEXPECTED_ANSWER';
  readonly status: number;
  /** The answer's JSON, or its text where it is none. */
  readonly body: unknown;
  constructor(status: number, body: unknown, of: FailedCall, retryable: boolean) {
    const shown = textOf(body).slice(0, 200);
    super(
      `HTTP ${status} with ${shown === '' ? 'no text' : shown}, expected an answer or a problem of Headroom: check the address, and any proxy in front of it`,
      of,
      retryable,
    );
    this.status = status;
    this.body = body;
  }
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  try {
    return JSON.stringify(body);
  } catch {
    return 'JSON that is nested too deep';
  }
}

/** Says whether an error is a problem with one of these codes. */
export function isProblemError<Code extends ProblemCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ProblemError & {
  readonly code: Code;
  readonly problem: Extract<Problem, { code: Code }>;
} {
  return error instanceof ProblemError && codes.some((code) => code === error.code);
}
