import { NoAnswerError, ProblemError, UnexpectedAnswerError } from './errors.ts';
import type { HeadroomError } from './errors.ts';
import { isProblem } from './problems.ts';
import type { Answered, CallName, Send } from './transport.ts';

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

/** What a timer takes: 25 days. One that is set to more fires at once. */
const TIMER_MS_MAX = 2_147_483_647;

/** One attempt, as it is told to whoever watches. */
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
    const came = await within(Math.min(policy.attemptMs, leftMs()), signal, send).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    const durationMs = performance.now() - attemptStartedMs;
    const noAnswer = (cause: unknown): HeadroomError =>
      new NoAnswerError(policy.deadlineMs, { call, attempts }, cause);
    const failure = 'answer' in came ? failureIn(came.answer, { call, attempts }) : came.error;
    const delayMs = delayBefore(attempts, came, policy);
    const goesOn = isRetryable(failure) && signal?.aborted !== true && delayMs < leftMs();
    onAttempt?.({
      ...{ call, attempt: attempts, durationMs },
      ...('answer' in came ? toldOf(came.answer) : came),
      ...(goesOn ? { nextInMs: delayMs } : {}),
    });
    if ('answer' in came && failure === undefined) return came.answer.body as object; // see failureIn
    signal?.throwIfAborted();
    if (!goesOn) throw 'answer' in came ? failure : noAnswer(failure);
    await within(Infinity, signal, (stop) => pause(delayMs, stop));
  }
}

type Came = { readonly answer: Answered } | { readonly error: unknown };

function toldOf({ status, requestId }: Answered): Pick<Attempt, 'status' | 'requestId'> {
  return { status, ...(requestId === undefined ? {} : { requestId }) };
}

/** Why an answer is none; undefined where it is one. */
function failureIn(
  { status, body }: Answered,
  of: { readonly call: CallName; readonly attempts: number },
): HeadroomError | undefined {
  if (isProblem(body)) return new ProblemError(body, of);
  const isAnswer = status === 200 && typeof body === 'object' && body !== null;
  if (isAnswer) return undefined;
  return new UnexpectedAnswerError(status, body, of, status === 429 || status >= 500);
}

/** What a transport throws is no answer, and no answer is worth another attempt. */
function isRetryable(failure: unknown): boolean {
  const isAnswered = failure instanceof ProblemError || failure instanceof UnexpectedAnswerError;
  return isAnswered ? failure.retryable : failure !== undefined;
}

function delayBefore(attempts: number, came: Came, policy: RetryPolicy): number {
  const mostMs = Math.min(policy.delayMaxMs, policy.firstDelayMs * 2 ** (attempts - 1));
  const askedMs = 'answer' in came ? (came.answer.retryAfterMs ?? 0) : 0;
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
