import type {
  BacktestAnswer,
  BacktestOrdersAnswer,
  BacktestOrdersRequest,
  BacktestRequest,
  BacktestsAnswer,
  BacktestsRequest,
  StopBacktestRequest,
} from './api.ts';
import type { CallOptions } from './options.ts';

type Send = <Answer>(request: object, options?: CallOptions) => Promise<Answer>;

/** The calls of back-tests. Signed ones need the rights `rules:read` and `usage:read`; `start` and `stop` need `rules:write`, too. */
export class BacktestCalls {
  readonly #send: Send;

  /** @param send makes a call of the function `backtests` */
  constructor(send: Send) {
    this.#send = send;
  }

  /** Asks what other rules would have decided. The answer comes at once, and its result later: see `find`. */
  start(request: BacktestRequest, options?: CallOptions): Promise<BacktestAnswer> {
    return this.#send({ ...request, operation: 'start' }, options);
  }

  /** Asks for the newest, without their results. */
  list(request: BacktestsRequest = {}, options?: CallOptions): Promise<BacktestsAnswer> {
    return this.#send({ ...request, operation: 'list' }, options);
  }

  /** Asks for one, and its result once it is done; `NO_SUCH_BACKTEST` where there is none. */
  find(id: string, options?: CallOptions): Promise<BacktestAnswer> {
    return this.#send({ id, operation: 'find' }, options);
  }

  /** Asks for a page of orders that the draft decides otherwise, newest first. */
  orders(request: BacktestOrdersRequest, options?: CallOptions): Promise<BacktestOrdersAnswer> {
    return this.#send({ ...request, operation: 'orders' }, options);
  }

  /** Stops one; one that has ended stays as it is. */
  stop(request: StopBacktestRequest, options?: CallOptions): Promise<BacktestAnswer> {
    return this.#send({ ...request, operation: 'stop' }, options);
  }
}
