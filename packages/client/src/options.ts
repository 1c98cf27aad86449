import type { Headers } from './http.ts';
import { httpTransport } from './http.ts';
import type { Attempt, RetryPolicy } from './retries.ts';
import type { Application } from './signing.ts';
import { createSigner } from './signing.ts';
import type { Transport } from './transport.ts';

/** The options of one call. */
export type CallOptions = {
  /** Once it is aborted the call ends with its reason; whether it took effect is unknown then. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's. */
  readonly deadlineMs?: number | undefined;
};

/** Where Headroom is: an address, or a transport such as `lambdaTransport`. */
type Place =
  | {
      /** Everything before `/v1`, a stage as well: `https://limits.example.com/prod`. */
      readonly url: string;
      /** Signs every call, where the deployment has `AUTH=hmac`. */
      readonly app?: Application | undefined;
      /** Headers of each attempt, or a function that makes them: for a token, say. */
      readonly headers?: Headers | undefined;
      /** In place of the global one: one that signs for AWS, say. */
      readonly fetch?: typeof fetch | undefined;
      /** The clock by which calls are signed, in milliseconds since 1970. */
      readonly now?: (() => number) | undefined;
      readonly transport?: never;
    }
  | { readonly transport: Transport; readonly url?: never };

/** The options of a client. */
export type ClientOptions = Place & {
  /** The whole call, with repeats and pauses. Default: 30,000. */
  readonly deadlineMs?: number | undefined;
  /** One attempt. A longer one counts as lost. Default: 10,000. */
  readonly attemptMs?: number | undefined;
  /** The longest pause before the first repeat. It doubles before each next one. Default: 200. */
  readonly firstDelayMs?: number | undefined;
  /** The longest pause of all, beside `Retry-After`. Default: 5,000. */
  readonly delayMaxMs?: number | undefined;
  /** Chance from 0 to 1, 1 excluded. */
  readonly random?: (() => number) | undefined;
  /** Gets every attempt: for logs and metrics. The client drops its errors. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
};

/** Sends calls to an address, signed where an application is given. @throws TypeError where it is none */
export function overHttp({
  url,
  app,
  headers,
  ...given
}: Extract<Place, { url: string }>): Transport {
  const signer = app === undefined ? undefined : createSigner(app, given.now ?? Date.now);
  // Looked up when it is called, and without a client as its `this`, which browsers refuse.
  const send: typeof fetch = given.fetch ?? ((input, init) => fetch(input, init));
  return httpTransport({ url, signer, headers, fetch: send });
}

/**
 * A time as it is given. With a time of 0, calls would be sent again without a pause, until the
 * service is down.
 *
 * @throws TypeError where it is less than a millisecond, or no number
 */
export function timeOf(name: string, ms: number): number {
  if (typeof ms === 'number' && ms >= 1) return ms;
  throw new TypeError(`${name} is ${String(ms)}, expected milliseconds, a number of 1 or more`);
}

/**
 * How calls are repeated.
 *
 * @throws TypeError for a time that is less than a millisecond or no number
 */
export function policyOf(options: ClientOptions): RetryPolicy {
  return {
    deadlineMs: timeOf('deadlineMs', options.deadlineMs ?? 30_000),
    attemptMs: timeOf('attemptMs', options.attemptMs ?? 10_000),
    firstDelayMs: timeOf('firstDelayMs', options.firstDelayMs ?? 200),
    delayMaxMs: timeOf('delayMaxMs', options.delayMaxMs ?? 5_000),
    random: options.random ?? Math.random,
  };
}
