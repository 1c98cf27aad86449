import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type {
  CheckAnswer,
  ConfirmAnswer,
  RefundAnswer,
  RollbackAnswer,
  SettlementAnswer,
} from './domain/answer.ts';
import { OPEN_HOLDS_DEFAULT } from './domain/bounds.ts';
import { AuditOffError, UndecidedError } from './domain/errors.ts';
import type { ManyResult } from './domain/many.ts';
import type { OrderStatus } from './domain/order-status.ts';
import type {
  CheckRequest,
  ConfirmRequest,
  OrderName,
  RefundRequest,
  RollbackRequest,
  SettlementRequest,
} from './domain/request.ts';
import type { Rule } from './domain/rule.ts';
import { matches } from './domain/rule.ts';
import type { Audit } from './calls/audited.ts';
import { auditedCalls } from './calls/audited.ts';
import type { Calls } from './calls/calls.ts';
import { CALLS } from './calls/calls.ts';
import type { Context } from './calls/context.ts';
import { databaseClock } from './calls/context.ts';
import { locatedCalls, unlocatedCalls } from './calls/located.ts';
import { togetherCalls } from './calls/together.ts';
import { recalledCalls } from './calls/recalled.ts';
import { refund } from './calls/refund.ts';
import { status } from './calls/status.ts';
import type { OneCommit } from './store/one-commit.ts';
import type { CounterStore } from './store/counter-store.ts';

/** What the service is made of. */
export type LimitsOptions = {
  readonly counters: CounterStore;
  /** The rules in force; called once a check, so the source caches them. */
  readonly rules: () => Promise<readonly Rule[]>;
  /** The machine's clock. It only proposes windows; the database's clock decides. */
  readonly machineNow?: () => Date;
  /** Gives a text that no other call has: 1 to 64 letters, digits, hyphens or underscores. */
  readonly nonce?: () => string;
  /** Waits for another call of the same order, the longer the more often: 10 ms × 2^times, by chance. */
  readonly pause?: (times: number) => Promise<void>;
  /** Subject kinds that are home to an order before others, in order of preference. */
  readonly homeKinds?: readonly string[];
  /** 1 to OPEN_HOLDS_MAX; open holds that one document may have. */
  readonly openHoldsMax?: number;
  /** Whether a check that the store did not decide is an error, or passes marked as undecided. */
  readonly onUndecided?: 'refuse' | 'allow';
  /** Makes what a call does in several documents visible together; without it, one after the other. */
  readonly oneCommit?: OneCommit;
  /** Where every operation and its outcome is written down; nowhere when absent. */
  readonly audit?: Audit;
};

/**
 * The front door: may this transaction happen under every limit that applies?
 *
 * `at` stands in the place of the database's clock, in tests and in local mode only. `requestId` is
 * for the audit alone. Every call may throw UndecidedError; repeating it is safe.
 */
export type Limits = {
  /**
   * Decides, and holds the transaction's share if it may happen.
   *
   * @throws OrderReusedError, AlreadyRolledBackError, SubjectFullError, ClockSkewError
   */
  readonly check: (request: CheckRequest, at?: Date, requestId?: string) => Promise<CheckAnswer>;
  /**
   * Counts a payment that happened; after the hold's time too.
   *
   * @throws NotFoundError, OrderAmbiguousError, ForgottenError, AlreadyConfirmedError (with another
   *   amount), AlreadyRolledBackError, InvalidRequestError (a reservation that is none)
   */
  readonly confirm: (
    request: ConfirmRequest,
    at?: Date,
    requestId?: string,
  ) => Promise<ConfirmAnswer>;
  /**
   * Gives back the share of a payment that did not happen.
   *
   * @throws NotFoundError, OrderAmbiguousError, ForgottenError, AlreadyConfirmedError,
   *   ReservationReplacedError, InvalidRequestError (a reservation that is none)
   */
  readonly rollback: (
    request: RollbackRequest,
    at?: Date,
    requestId?: string,
  ) => Promise<RollbackAnswer>;
  /**
   * Gives back of a payment that was counted, in the windows of its check.
   *
   * @throws AuditOffError where no audit is kept, NotFoundError, OrderAmbiguousError,
   *   NotConfirmedError, AlreadyRolledBackError, NotRecordedError, RefundReusedError, RefundTooLargeError,
   *   TooManyRefundsError, InvalidRequestError (a reservation that is none)
   */
  readonly refund: (request: RefundRequest, at?: Date, requestId?: string) => Promise<RefundAnswer>;
  /**
   * The same as `check` for 1 to ORDERS_PER_CALL_MAX transactions, with one update for each document
   * where the same rules apply. Results are in the order given; what `check` would throw is a result.
   *
   * @param atomic all or none: unless each is allowed, nothing new stays held, and the others fail
   *   with NotAllAllowedError. `onUndecided` has no say then.
   * @param admit is told the rules that may apply, request by request, and may throw before anything
   *   is held; the call is then decided by these very rules
   * @throws InvalidRequestError for an order that stands twice, a dry run, or an atomic capture
   */
  readonly checkMany: (
    requests: readonly CheckRequest[],
    atomic: boolean,
    at?: Date,
    requestId?: string,
    admit?: (applying: readonly (readonly Rule[])[]) => void,
  ) => Promise<readonly ManyResult<CheckAnswer>[]>;
  /**
   * The same as `confirm` and `rollback` for 1 to ORDERS_PER_CALL_MAX transactions, with one update
   * for each document. Results are in the order given.
   *
   * @throws InvalidRequestError for an order that stands twice
   */
  readonly settleMany: (
    requests: readonly SettlementRequest[],
    at?: Date,
    requestId?: string,
  ) => Promise<readonly ManyResult<SettlementAnswer>[]>;
  /**
   * Says how an order stands and what became of it, for callers whose answer got lost.
   *
   * @throws AuditOffError where no audit is kept, OrderAmbiguousError
   */
  readonly status: (order: OrderName, at?: Date) => Promise<OrderStatus>;
};

/** A nonce of 64 random bits: it only has to differ from other calls of the same order. */
function randomNonce(): string {
  return randomBytes(8).toString('base64url');
}

/** Waits about 10 ms × 2^times, spread by chance so that calls that met once do not meet again. */
function jitteredPause(times: number): Promise<void> {
  return setTimeout(10 * 2 ** times * (0.5 + Math.random()));
}

/** The order is first found in the audit, and an outcome that is recalled is no row of its own. */
function callsWith({ audit, oneCommit }: LimitsOptions): Calls {
  // An audit that is part of the commit has every call in one already.
  const isOneCommit = oneCommit !== undefined && audit?.oneCommit === undefined;
  const calls = isOneCommit ? togetherCalls(CALLS, oneCommit) : CALLS;
  if (audit === undefined) return unlocatedCalls(calls);
  const { store } = audit;
  return locatedCalls(auditedCalls(recalledCalls(calls, store), audit), store);
}

/** Reads the rules once for a whole call, so that what is admitted is what decides. */
async function admitted(
  context: Context,
  requests: readonly CheckRequest[],
  admit: ((applying: readonly (readonly Rule[])[]) => void) | undefined,
): Promise<Context> {
  if (admit === undefined) return context;
  const rules = await context.rules();
  admit(requests.map((request) => rules.filter((rule) => matches(rule, request))));
  return { ...context, rules: () => Promise.resolve(rules) };
}

/** Puts the service together. */
export function createLimits(options: LimitsOptions): Limits {
  const machineNow = options.machineNow ?? (() => new Date());
  const base: Context = {
    counters: options.counters,
    rules: options.rules,
    clock: databaseClock(machineNow),
    nonce: options.nonce ?? randomNonce,
    pause: options.pause ?? jitteredPause,
    homeKinds: options.homeKinds ?? ['user'],
    openHoldsMax: options.openHoldsMax ?? OPEN_HOLDS_DEFAULT,
  };
  const calls = callsWith(options);
  const contextFor = (at: Date | undefined, requestId: string | undefined): Context => ({
    ...base,
    ...(requestId === undefined ? {} : { requestId }),
    // An instant in place of the database's clock says nothing about the real one.
    ...(at === undefined ? {} : { at, clock: { estimate: () => at, observe: () => undefined } }),
  });
  /** What passes for an answer where the store did not decide, if anything does. */
  const undecided = (error: unknown, at: Date | undefined): CheckAnswer | undefined =>
    options.onUndecided === 'allow' && error instanceof UndecidedError
      ? { kind: 'undecided', now: at ?? base.clock.estimate(), cause: error }
      : undefined;
  return {
    async check(request, at, requestId) {
      try {
        return await calls.check(contextFor(at, requestId), request);
      } catch (error) {
        const answer = undecided(error, at);
        if (answer === undefined) throw error;
        return answer;
      }
    },
    async checkMany(requests, atomic, at, requestId, admit) {
      const answerFor = (error: unknown): ManyResult<CheckAnswer> | undefined => {
        const answer = atomic ? undefined : undecided(error, at);
        return answer && { kind: 'answered', answer };
      };
      try {
        const context = await admitted(contextFor(at, requestId), requests, admit);
        const results = await calls.checkMany(context, requests, atomic);
        return results.map((result) =>
          result.kind === 'failed' ? (answerFor(result.error) ?? result) : result,
        );
      } catch (error) {
        const result = answerFor(error); // no rules were to be had, so that no order was asked
        if (result === undefined) throw error;
        return requests.map(() => result);
      }
    },
    settleMany: (requests, at, requestId) => calls.settleMany(contextFor(at, requestId), requests),
    async status(order, at) {
      if (options.audit === undefined) throw new AuditOffError('the status of an order');
      return status(contextFor(at, undefined), options.audit.store, order);
    },
    async refund(request, at, requestId) {
      if (options.audit === undefined) throw new AuditOffError('what a refund gives back');
      return refund(contextFor(at, requestId), options.audit, request);
    },
    confirm: (request, at, requestId) => calls.confirm(contextFor(at, requestId), request),
    rollback: (request, at, requestId) => calls.rollback(contextFor(at, requestId), request),
  };
}
