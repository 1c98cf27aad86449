import type { OnNoRule } from '../plan/plan.ts';
import type {
  CheckAnswer,
  ConfirmAnswer,
  RecordAnswer,
  RefundAnswer,
  RollbackAnswer,
  SettlementAnswer,
  UsageAnswer,
} from '../limits/answer.ts';
import type { UndecidedError } from '../shared/errors.ts';
import type { ManyResult } from '../limits/many.ts';
import type { OrderStatus } from '../audit/order-status.ts';
import type {
  CheckRequest,
  ConfirmRequest,
  OrderName,
  RecordRequest,
  RefundRequest,
  RollbackRequest,
  SettlementRequest,
  UsageRequest,
} from '../shared/request.ts';
import type { Actor } from '../shared/actor.ts';
import type { ReviewStore } from '../review/reviewed-order.ts';
import type { Rule } from '../rule/rule.ts';
import type { Near } from '../near/telling.ts';
import type { Audit } from '../audit/recorded.ts';
import type { Context } from '../limits/context.ts';
import type { CounterStore } from '../document/counter-store.ts';
import type { StaleReads } from '../usage/usage.ts';

/** What the service is made of. */
export type LimitsOptions = {
  readonly counters: CounterStore;
  /** All rules; called once a check, so the source caches them. */
  readonly rules: () => Promise<readonly Rule[]>;
  /** The machine's clock. It only proposes windows; the database's clock decides. */
  readonly machineNow?: () => Date;
  /** Gives a text that no other call has: 1 to 64 letters, digits, hyphens or underscores. */
  readonly nonce?: () => string;
  /** In order of preference. Default: `user`. */
  readonly homeKinds?: readonly string[];
  /** Kinds whose document every check asks that names one, so that they can be frozen. */
  readonly askedKinds?: readonly string[];
  /** 1 to OPEN_HOLDS_MAX; in one document, of orders whose home it is. */
  readonly openHoldsMax?: number;
  /** 1 to OPEN_SHARES_MAX; the same of orders with another home. */
  readonly openSharesMax?: number;
  /** Whether a check that the store did not decide passes, marked so. Default: `refuse`. */
  readonly onUndecided?: 'refuse' | 'allow';
  /** Default: `refuse`. `refuse-unlimited` also refuses an order whose amount no rule limits. */
  readonly onNoRule?: OnNoRule;
  /** Whether what a call does in several documents becomes visible all at once, or by steps. */
  readonly inOneCommit?: boolean;
  /** How those read who let an answer be behind. Absent: of the primary. */
  readonly staleReads?: StaleReads;
  readonly audit?: Audit;
  readonly near?: Near;
  /** Where orders wait for a second person. Absent: nobody is asked, and they are refused. */
  readonly reviews?: ReviewStore;
  /** Gets what a check of several documents met: OPEN_SHARES_HIGH of the most, or more. */
  readonly onCrowded?: Context['onCrowded'];
};

/** `at` and `requestId` as for `Limits`. */
export type LimitsCall<Asked, Answer> = (
  asked: Asked,
  at?: Date,
  requestId?: string,
) => Promise<Answer>;

/**
 * `at` stands in the place of the database's clock, in tests and in local mode only. `requestId` is for the
 * audit alone. Every call may throw UndecidedError; repeating it is safe.
 */
export type Limits = {
  /** @throws OrderReusedError, AlreadyRolledBackError, SubjectFullError, ClockSkewError */
  readonly check: (
    request: CheckRequest,
    at?: Date,
    requestId?: string,
    by?: Actor,
  ) => Promise<CheckAnswer>;
  /**
   * Counts a payment that happened; after the hold's time too.
   * @throws NotFoundError, OrderAmbiguousError, ForgottenError, AlreadyConfirmedError (with another
   *   amount), AlreadyRolledBackError, InvalidRequestError (a reservation that is none)
   */
  readonly confirm: LimitsCall<ConfirmRequest, ConfirmAnswer>;
  /**
   * @throws NotFoundError, OrderAmbiguousError, ForgottenError, AlreadyConfirmedError,
   *   ReservationReplacedError, InvalidRequestError (a reservation that is none)
   */
  readonly rollback: LimitsCall<RollbackRequest, RollbackAnswer>;
  /**
   * Gives back of a payment that was counted, in the windows of its check.
   * @throws AuditOffError where no audit is kept, NotFoundError, OrderAmbiguousError, NotConfirmedError,
   *   AlreadyRolledBackError, NotRecordedError, RefundReusedError, RefundTooLargeError,
   *   TooManyRefundsError, InvalidRequestError (a reservation that is none)
   */
  readonly refund: LimitsCall<RefundRequest, RefundAnswer>;
  /**
   * Checks 1 to ORDERS_PER_CALL_MAX transactions. Results are in the order given; what `check` would throw
   * is a result.
   * @param atomic all or none: unless each is allowed, nothing new stays held, and the others fail with
   *   NotAllAllowedError. `onUndecided` has no say then. Schemas refuse dry runs and captures with it.
   * @throws InvalidRequestError for an order that stands twice
   */
  readonly checkMany: (
    requests: readonly CheckRequest[],
    atomic: boolean,
    at?: Date,
    requestId?: string,
    by?: Actor,
  ) => Promise<readonly ManyResult<CheckAnswer>[]>;
  /**
   * Settles 1 to ORDERS_PER_CALL_MAX transactions. Results are in the order given.
   * @throws InvalidRequestError for an order that stands twice
   */
  readonly settleMany: LimitsCall<
    readonly SettlementRequest[],
    readonly ManyResult<SettlementAnswer>[]
  >;
  /**
   * Counts 1 to ORDERS_PER_CALL_MAX payments that were never checked, each in those windows of its own past
   * instant that are not over, above a maximum if it must be. Results are in the order given:
   * OrderReusedError where a check or another payment has the id, SubjectFullError at a document's bound.
   * @throws InvalidRequestError for an order that stands twice, or one that has not happened yet
   */
  readonly recordMany: LimitsCall<readonly RecordRequest[], readonly ManyResult<RecordAnswer>[]>;
  /** @throws AuditOffError where no audit is kept, OrderAmbiguousError */
  readonly status: (order: OrderName, at?: Date) => Promise<OrderStatus>;
  /**
   * What passes for the answer of a check that its caller gives up before it is decided; undefined
   * where that is an error (`onUndecided`). What was begun may still take effect.
   */
  readonly passing: (error: UndecidedError, at?: Date) => CheckAnswer | undefined;
  readonly usage: (request: UsageRequest, at?: Date) => Promise<UsageAnswer>;
};
