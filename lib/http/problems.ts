import {
  describeMistake,
  HeadroomError,
  InvalidRequestError,
  THE_REQUEST,
} from '../shared/errors.ts';
import { SLACK_MS } from '../shared/bounds.ts';
import type { ProblemKind } from '../../contract/problem-kinds.ts';
import { PROBLEM_KINDS } from '../../contract/problem-kinds.ts';

/** An error as callers see it. */
export type Problem = {
  readonly status: number;
  readonly code: string;
  /** RFC 9457, `application/problem+json`. */
  readonly body: Readonly<Record<string, unknown>>;
};

const KINDS_BY_CODE: Readonly<Record<string, ProblemKind>> = PROBLEM_KINDS;

/** A fault of ours, with the code INTERNAL. */
export const FAULT = { status: 500, title: 'Something is wrong on our side' };
const RETRY_AFTER_SECONDS = 1;

const RETRYABLE_DETAIL =
  'Headroom does not know whether the call took effect: send the same call again, which is safe';

/** Writes an error for callers. An error in Headroom shows only its code and the request's id. */
export function problemOf(error: unknown, requestId: string): Problem {
  const known = error instanceof HeadroomError ? KINDS_BY_CODE[error.code] : undefined;
  const { status, title } = known ?? FAULT;
  const code = known !== undefined && error instanceof HeadroomError ? error.code : 'INTERNAL';
  const mistakes = error instanceof InvalidRequestError ? error.mistakes : [];
  return {
    status,
    code,
    body: {
      type: `urn:headroom:problem:${code.toLowerCase().replaceAll('_', '-')}`,
      title,
      status,
      detail: status < 500 && error instanceof Error ? detailOf(error) : RETRYABLE_DETAIL,
      code,
      requestId,
      ...(known !== undefined && error instanceof HeadroomError ? error.fields : {}),
      ...(mistakes.length === 0 ? {} : { errors: mistakes }),
    },
  };
}

/**
 * Seconds after which the same call may succeed, of a problem that passes. An add matches if it comes to the database up
 * to SLACK_MS around its instant, and the clock of its caller may be as much ahead. There it may wait behind others for
 * as long as a request has. After all that nothing of an undecided check can be done any more.
 */
export function retryAfterSeconds(
  { status, code }: Pick<Problem, 'status' | 'code'>,
  storeTimeoutMs: number,
): number | undefined {
  if (status !== 503) return undefined;
  if (code !== 'UNDECIDED') return RETRY_AFTER_SECONDS;
  return Math.ceil((2 * SLACK_MS + storeTimeoutMs) / 1_000);
}

/** How the log counts a problem: as the caller's mistake, or as ours. */
export function problemOutcome({ status, code }: Problem): 'rejected' | 'undecided' | 'failed' {
  if (status < 500) return 'rejected';
  return code === 'UNDECIDED' ? 'undecided' : 'failed';
}

function detailOf(error: Error): string {
  if (!(error instanceof InvalidRequestError)) return error.message;
  const [first, ...others] = error.mistakes;
  if (first === undefined) return error.message;
  const one = describeMistake(first, THE_REQUEST);
  if (others.length === 0) return one;
  const where = error.further === 0 ? 'see errors' : `of which errors lists ${others.length}`;
  return `${one}; and ${others.length + error.further} more, ${where}`;
}
