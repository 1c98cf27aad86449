import type { CallName } from './calls.ts';

/** The response, from whatever server. */
export type Answered = {
  /** HTTP's; of a direct invocation, 200 or the problem's. */
  readonly status: number;
  /** The answer's JSON, or its text where it is none. */
  readonly body: unknown;
  /** As `Retry-After` says it, in milliseconds. */
  readonly retryAfterMs?: number;
  /** By which logs and audit rows name the call. */
  readonly requestId?: string;
};

/**
 * Sends a call once, with each attempt the very same bytes. It rejects where nothing came back; whatever
 * came back, a 503 as well, is an answer.
 *
 * @param signal aborted when nobody waits any more
 */
export type Send = (signal: AbortSignal) => Promise<Answered>;

/**
 * Prepares a call. If several calls share a function, the request names its `operation`, as a
 * direct invocation does. An error here is the caller's mistake, and not worth another attempt.
 */
export type Transport = (call: CallName, request: object) => Send;
