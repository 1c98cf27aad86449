import type { CheckAnswerWith, ReportScope, TermsChangeAnswer } from './answers.ts';
import type {
  CallerAnswer,
  ChecksAnswer,
  ChecksRequest,
  ConfirmAnswer,
  ConfirmRequest,
  EndOverrideRequest,
  FindOverrideAnswer,
  FindOverrideRequest,
  FreezeRequest,
  HealthAnswer,
  NearAnswer,
  NearRequest,
  OverrideRequest,
  RecordAnswer,
  RecordRequest,
  RefundAnswer,
  RefundRequest,
  RollbackAnswer,
  RollbackRequest,
  SettlementsAnswer,
  SettlementsRequest,
  StatusAnswer,
  StatusRequest,
  Subject,
  Subjects,
  SummaryAnswer,
  SummaryRequest,
  TermsAnswer,
  TermsChangesAnswer,
  TermsChangesRequest,
  TransactionsAnswer,
  TransactionsRequest,
  UnfreezeRequest,
  UsageAnswer,
  UsageHistoryAnswer,
  UsageHistoryRequest,
  UsageRequest,
} from './api.ts';
import { BacktestCalls } from './backtest-calls.ts';
import type { CallName } from './calls.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { overHttp, policyOf, timeOf } from './options.ts';
import type { Hold, Paid } from './payment.ts';
import { ProposalCalls } from './proposal-calls.ts';
import type { ReportedCheckRequest } from './requests.ts';
import type { Attempt, RetryPolicy } from './retries.ts';
import { sendUntilAnswered } from './retries.ts';
import { RuleCalls } from './rule-calls.ts';
import type { Transport } from './transport.ts';
import type { HoldRequest, HoldResult, WithHoldOptions } from './with-hold.ts';
import { runWithHold } from './with-hold.ts';

/**
 * A client of Headroom.
 *
 * Every call is repeated after no answer, 429 and every 5xx until its deadline. A repeat never counts
 * twice. Without the audit, a check with `capture` may do so after 100 newer orders of its user. Each
 * call rejects with a `HeadroomError`, or its signal's reason. A refusal is an answer, no error.
 */
export class HeadroomClient {
  readonly #transport: Transport;
  readonly #policy: RetryPolicy;
  readonly #onAttempt: ((attempt: Attempt) => void) | undefined;
  /** The calls of rules: `client.rules.list()`. */
  readonly rules = new RuleCalls((...asked) => this.#call('rules', ...asked));
  /** The calls of changes that wait for a second person: `client.proposals.list()`. */
  readonly proposals = new ProposalCalls((...asked) => this.#call('proposals', ...asked));
  /** The calls of back-tests: `client.backtests.start({ … })`. */
  readonly backtests = new BacktestCalls((...asked) => this.#call('backtests', ...asked));

  /** @throws TypeError where `url` is no address, or a time is less than a millisecond or no number */
  constructor(options: ClientOptions) {
    this.#transport = options.transport ?? overHttp(options);
    this.#onAttempt = options.onAttempt;
    this.#policy = policyOf(options);
  }

  /** Asks whether an order may happen; where it may, its share of every limit is held. */
  check<Report extends ReportScope = 'all'>(
    request: ReportedCheckRequest<Report>,
    options?: CallOptions,
  ): Promise<CheckAnswerWith<Report>> {
    return this.#call('check', request, options);
  }

  /** Says that it happened. */
  confirm(request: ConfirmRequest, options?: CallOptions): Promise<ConfirmAnswer> {
    return this.#call('confirm', request, options);
  }

  /** Says that it did not happen. Final: the order is over. */
  rollback(request: RollbackRequest, options?: CallOptions): Promise<RollbackAnswer> {
    return this.#call('rollback', request, options);
  }

  /** Says that a confirmed order was paid back, in part or whole. */
  refund(request: RefundRequest, options?: CallOptions): Promise<RefundAnswer> {
    return this.#call('refund', request, options);
  }

  /** Returns the state and history of an order. Sentences are in `language`, as `Accept-Language` says it. */
  status(
    orderId: string,
    { language, app, ...options }: CallOptions & Omit<StatusRequest, 'orderId'> = {},
  ): Promise<StatusAnswer> {
    return this.#call('status', { orderId, language, app }, options);
  }

  /**
   * Asks how every limit of these subjects stands, now or up to `stale` ago. Where a maximum depends on an
   * attribute or the `type`, say it; the answer names what it depends on.
   */
  usage(
    subjects: Subjects,
    { type, attributes, stale, ...options }: CallOptions & Omit<UsageRequest, 'subjects'> = {},
  ): Promise<UsageAnswer> {
    return this.#call('usage', { subjects, type, attributes, stale }, options);
  }

  /** Asks for a page of what happened to subjects, newest first. */
  transactions(request: TransactionsRequest, options?: CallOptions): Promise<TransactionsAnswer> {
    return this.#call('history', { ...request, operation: 'transactions' }, options);
  }

  /** Asks what was counted in each window of the last days or months. */
  usageHistory(request: UsageHistoryRequest, options?: CallOptions): Promise<UsageHistoryAnswer> {
    return this.#call('history', { ...request, operation: 'usageHistory' }, options);
  }

  /** Asks what happened on a day to a kind of subject. */
  summary(request: SummaryRequest, options?: CallOptions): Promise<SummaryAnswer> {
    return this.#call('history', { ...request, operation: 'summary' }, options);
  }

  /** Asks who is near a maximum: a page of the list, those that reached most first. */
  near(request: NearRequest = {}, options?: CallOptions): Promise<NearAnswer> {
    return this.#call('near', request, options);
  }

  /** Asks how the deployment is: the database, its indexes, the rules. */
  health(options?: CallOptions): Promise<HealthAnswer> {
    return this.#call('health', {}, options);
  }

  /** Checks 1 to 100 orders. Each has its own answer or problem; only what concerns all rejects. */
  checks(request: ChecksRequest, options?: CallOptions): Promise<ChecksAnswer> {
    return this.#call('checks', request, options);
  }

  /** Counts 1 to 100 payments that happened without a check. Each has its own answer or problem. */
  record(request: RecordRequest, options?: CallOptions): Promise<RecordAnswer> {
    return this.#call('record', request, options);
  }

  /** Confirms and rolls back 1 to 100 orders. Each has its own answer or problem. */
  settlements(request: SettlementsRequest, options?: CallOptions): Promise<SettlementsAnswer> {
    return this.#call('settlements', request, options);
  }

  /** Asks who calls, and what they may: every caller may ask. */
  caller({
    actor,
    ...options
  }: CallOptions & { readonly actor?: string | undefined } = {}): Promise<CallerAnswer> {
    return this.#call('proposals', { operation: 'caller', actor }, options);
  }

  /** Asks for a subject's terms: its overrides, in force and to come, and whether it is frozen. */
  terms({ kind, id }: Subject, options?: CallOptions): Promise<TermsAnswer> {
    return this.#callOfTerms('terms', { kind, id }, options);
  }

  /** Asks for a page of the changes of a subject's terms, newest first. */
  termsChanges(request: TermsChangesRequest, options?: CallOptions): Promise<TermsChangesAnswer> {
    return this.#callOfTerms('changes', request, options);
  }

  /** Asks for a subject's overrides of one rule; `NO_SUCH_TERMS` where there is none. */
  findOverride(request: FindOverrideRequest, options?: CallOptions): Promise<FindOverrideAnswer> {
    return this.#callOfTerms('findOverride', request, options);
  }

  /** Gives a subject a maximum of its own in place of a rule's, for every check from now on. */
  override(request: OverrideRequest, options?: CallOptions): Promise<TermsChangeAnswer> {
    return this.#callOfTerms('override', request, options);
  }

  /** Ends a subject's overrides of a rule. `NO_SUCH_TERMS` where there is none, after a lost answer too. */
  endOverride(request: EndOverrideRequest, options?: CallOptions): Promise<TermsChangeAnswer> {
    return this.#callOfTerms('endOverride', request, options);
  }

  /** Freezes a subject: every new check of it is refused. Open holds can be confirmed. */
  freeze(request: FreezeRequest, options?: CallOptions): Promise<TermsChangeAnswer> {
    return this.#callOfTerms('freeze', request, options);
  }

  /** Ends a freeze. `NO_SUCH_TERMS` where there is none, after a lost answer too. */
  unfreeze(request: UnfreezeRequest, options?: CallOptions): Promise<TermsChangeAnswer> {
    return this.#callOfTerms('unfreeze', request, options);
  }

  /**
   * Checks an order, and where it is allowed runs `pay`, and confirms; rolls back where `pay` throws.
   * Where it cannot be known how the payment ended the hold is left: `pay` throws `OutcomeUnknown`, or
   * `options.signal` is aborted while it runs.
   *
   * `pay` may run twice for one order, where two callers have the same `orderId` or one died half-way:
   * give the order's id to the bank as the key by which it knows a repeat.
   *
   * @returns one of seven outcomes; see `HoldResult`
   * @throws the error of `pay`, once the order is rolled back; HeadroomError if the check has no answer
   */
  withHold<T>(
    request: HoldRequest,
    pay: (hold: Hold) => T | Paid<T> | PromiseLike<T | Paid<T>>,
    options: WithHoldOptions = {},
  ): Promise<HoldResult<T>> {
    return runWithHold(this, request, pay, options);
  }

  #callOfTerms<Answer>(operation: string, request: object, options?: CallOptions): Promise<Answer> {
    return this.#call('subjects', { ...request, operation }, options);
  }

  async #call<Answer>(
    call: CallName,
    request: object,
    { signal, deadlineMs }: CallOptions = {},
  ): Promise<Answer> {
    const policy = {
      ...this.#policy,
      ...(deadlineMs === undefined ? {} : { deadlineMs: timeOf('deadlineMs', deadlineMs) }),
    };
    const send = this.#transport(call, request);
    const sending = { call, send, signal, onAttempt: this.#onAttempt };
    return (await sendUntilAnswered(sending, policy)) as Answer; // an answer with 200 is the call's
  }
}
