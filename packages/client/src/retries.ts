import type { CallName } from './calls.ts';
import { isAnswerOf } from './calls.ts';
import type { FailedCall } from './errors.ts';
import { HeadroomError, NoAnswerError, ProblemError, UnexpectedAnswerError } from './errors.ts';
import { isProblem } from './problems.ts';
import type { Answered, Send } from './transport.ts';

/** When a call is sent again, and for how long. */
export type RetryPolicy = {
  /** The whole call, waiting included. */
  readonly deadlineMs: number;
  /** One attempt; what takes longer counts as lost. */
  readonly attemptMs: number;
  /** Before the n-th repeat it waits a random time of up to firstDelayMs · 2^(n-1)… */
  readonly firstDelayMs: number;
  /** …and never more than this, beside what `Retry-After` asks. */
  readonly delayMaxMs: number;
  /** 0 to 1, 1 excluded. */
  readonly random: () => number;
};

/** The longest time of a timer: 25 days. One that is set to more fires at once. */
const TIMER_MS_MAX = 2_147_483_647;

/** An attempt that has less left brings no answer. A timer may be early by a part of a millisecond. */
const ATTEMPT_MS_MIN = 5;

/** One attempt, for the watcher. */
export type Attempt = {
  readonly call: CallName;
  /** From 1 on. */
  readonly attempt: number;
  readonly durationMs: number;
  /** HTTP's; absent where nothing came back. */
  readonly status?: number;
  readonly requestId?: string;
  /** Why nothing came back. */
  readonly error?: unknown;
  /** How long it waits before the next attempt; absent where there is none. */
  readonly nextInMs?: number;
};

/** One call, and how it is sent once. */
export type Sending = {
  readonly call: CallName;
  readonly send: Send;
  readonly signal?: AbortSignal | undefined;
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
};

/**
 * Sends a call until something is answered that will not change, or until the deadline.
 *
 * Every call of Headroom may be repeated unchanged. So it is, after no answer, 429 and every 5xx, with
 * full jitter: callers that failed together do not come back together.
 * Source: AWS Architecture Blog, "Exponential Backoff And Jitter".
 *
 * @returns the answer's JSON, an object
 * @throws HeadroomError where there is no answer; the signal's reason once it is aborted
 */
export async function sendUntilAnswered(sending: Sending, policy: RetryPolicy): Promise<object> {
  const { call, send, signal, onAttempt } = sending;
  const startedMs = performance.now();
  const leftMs = (): number => policy.deadlineMs - (performance.now() - startedMs);
  for (let attempts = 1; ; attempts += 1) {
    const attemptStartedMs = performance.now();
    const came = await within(Math.min(policy.attemptMs, leftMs()), signal, send).catch(
      (error: unknown): Nothing => ({ error }),
    );
    const durationMs = performance.now() - attemptStartedMs;
    const outcome = outcomeOf(came, policy, { call, attempts });
    const delayMs = delayBefore(attempts, came, policy);
    const goesOn =
      outcome instanceof HeadroomError &&
      outcome.retryable &&
      signal?.aborted !== true &&
      delayMs + ATTEMPT_MS_MIN < leftMs();
    tellAttempt(onAttempt, {
      call,
      attempt: attempts,
      durationMs,
      ...toldOf(came),
      ...(goesOn ? { nextInMs: delayMs } : {}),
    });
    if (!(outcome instanceof HeadroomError)) return outcome;
    signal?.throwIfAborted();
    if (!goesOn) throw outcome;
    await within(Infinity, signal, (stop) => pause(delayMs, stop));
  }
}

/** A watcher changes no answer: a failing log must not hide a payment that counts. */
function tellAttempt(onAttempt: Sending['onAttempt'], attempt: Attempt): void {
  try {
    onAttempt?.(attempt);
  } catch {
    // nobody is there to be told
  }
}

/** Nothing came back, and why. */
type Nothing = { readonly error: unknown };

function toldOf(came: Answered | Nothing): Pick<Attempt, 'status' | 'requestId' | 'error'> {
  if ('error' in came) return came;
  const { status, requestId } = came;
  return { status, ...(requestId === undefined ? {} : { requestId }) };
}

/** The answer's JSON, or why it is none. */
function outcomeOf(came: Answered | Nothing, { deadlineMs }: RetryPolicy, of: FailedCall): object {
  if ('error' in came) return new NoAnswerError(deadlineMs, of, came.error);
  const { status, body } = came;
  if (isProblem(body)) return new ProblemError(body, of);
  const isDone = status === 200 || status === 201 || status === 202;
  if (isDone && typeof body === 'object' && body !== null && isAnswerOf(of.call, body)) return body;
  return new UnexpectedAnswerError(status, body, of, status === 429 || status >= 500);
}

function delayBefore(attempts: number, came: Answered | Nothing, policy: RetryPolicy): number {
  const mostMs = Math.min(policy.delayMaxMs, policy.firstDelayMs * 2 ** (attempts - 1));
  const askedMs = 'error' in came ? 0 : (came.retryAfterMs ?? 0);
  return askedMs + policy.random() * mostMs;
}

/**
 * Runs something that ends when it is done, when its time is over, or when the caller gives up, whether
 * or not it minds the signal that it is given.
 */
async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const giveUp = (): void => {
    controller.abort(signal?.reason);
  };
  signal?.addEventListener('abort', giveUp);
  const timeOut = (): void => {
    controller.abort(new DOMException(`no answer within ${Math.round(ms)} ms`, 'TimeoutError'));
  };
  const timer = ms > TIMER_MS_MAX ? undefined : setTimeout(timeOut, ms);
  try {
    const aborted = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => {
        reject(controller.signal.reason as Error); // whatever the caller gave as its reason
      });
    });
    return await Promise.race([run(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, TIMER_MS_MAX));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
    });
  });
}
