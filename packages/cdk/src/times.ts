import { Duration } from 'aws-cdk-lib';
import type { Description } from './description.ts';
import type { HeadroomProps } from './props.ts';

/** How long one request to the database may take, and a whole function. */
export interface Times {
  readonly store: Duration;
  readonly history: Duration;
  readonly function: Duration;
}

/** The bounds of the settings. */
const STORE_MS = { min: 100, max: 20_000 };

/**
 * The times of a deployment. A function outlives all of its requests, so that it answers itself.
 *
 * @throws Error naming a time that is out of bounds, or too long for the function
 */
export function timesOf(description: Description, { timeouts = {} }: HeadroomProps): Times {
  const times = {
    store: timeouts.store ?? Duration.millis(description.storeTimeoutMs),
    history: timeouts.history ?? Duration.millis(description.historyTimeoutMs),
    function: timeouts.function ?? Duration.seconds(description.timeoutSeconds),
  };
  assertFits('store', times, description.storeCallsMax);
  assertFits('history', times, description.historyCallsMax);
  return times;
}

/** @throws Error */
function assertFits(name: 'store' | 'history', times: Times, calls: number): void {
  const [ms, wholeMs] = [times[name].toMilliseconds(), times.function.toMilliseconds()];
  if (ms < STORE_MS.min || ms > STORE_MS.max)
    throw new Error(
      `timeouts.${name} is ${ms} ms, expected ${STORE_MS.min} to ${STORE_MS.max} ms.`,
    );
  if (calls * ms >= wholeMs)
    throw new Error(
      `timeouts.${name} is ${ms} ms, and a call makes up to ${calls} requests: expected less than ${Math.ceil(wholeMs / calls)} ms, for a function may run ${wholeMs} ms. Shorten it, or raise timeouts.function. API Gateway gives up after 30 s.`,
    );
}
