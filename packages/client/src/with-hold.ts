import type { AllowedCheck, CheckAnswer, RefusedCheck, UndecidedCheck } from './answers.ts';
import type { ConfirmAnswer, ConfirmRequest, RollbackRequest } from './api.ts';
import { isProblemError, UnexpectedAnswerError } from './errors.ts';
import type { Ending, Hold, Pay } from './payment.ts';
import { runPayment } from './payment.ts';
import type { CheckRequest, Whereabouts } from './requests.ts';

/** The request of `withHold`: a check that holds. */
export type HoldRequest = CheckRequest & {
  readonly capture?: false | undefined;
  readonly dryRun?: false | undefined;
};

/** The options of `withHold`. */
export type WithHoldOptions = {
  /** Before `pay` runs it ends everything; while it runs it leaves the hold; afterwards it has no say. */
  readonly signal?: AbortSignal | undefined;
  /** For each call, in place of the client's. */
  readonly deadlineMs?: number | undefined;
  /** For the records, where it rolls back; 1 to 256 characters. */
  readonly reason?: string | undefined;
  /** The code of what `pay` threw, where it rolls back: by it rules count failures, such as wrong PINs. If it throws, there is no code. */
  readonly reasonCodeOf?: ((error: unknown) => string | undefined) | undefined;
  /** Told where `pay` threw and the rollback failed, too: the hold ends by itself. */
  readonly onRollbackFailed?: ((error: unknown, request: RollbackRequest) => void) | undefined;
};

/** The outcome of an order. */
export type HoldResult<T> =
  /** It may not happen; `pay` did not run. */
  | { readonly outcome: 'refused'; readonly check: RefusedCheck }
  /** It was paid, and counts. */
  | {
      readonly outcome: 'confirmed';
      readonly value: T;
      readonly check: AllowedCheck | UndecidedCheck;
      readonly confirm: ConfirmAnswer;
    }
  /** It was confirmed before this call; `pay` did not run. */
  | { readonly outcome: 'confirmed-before'; readonly check: AllowedCheck | UndecidedCheck }
  /**
   * It was paid, and refunded since, in part or whole. It has `value` and `confirm` if `pay` ran, while
   * another caller confirmed and refunded the order.
   */
  | {
      readonly outcome: 'partlyRefunded' | 'refunded';
      readonly check: AllowedCheck | UndecidedCheck;
      readonly value?: T;
      readonly confirm?: ConfirmAnswer;
    }
  /**
   * It was paid, and Headroom does not know yet, or (`error`) cannot take it. Keep `request` with the
   * payment, and send it until it is answered.
   */
  | {
      readonly outcome: 'unconfirmed';
      readonly value: T;
      readonly check: CheckAnswer;
      readonly request: ConfirmRequest;
      readonly error: unknown;
    }
  /** Nobody knows whether it was paid; the hold is left. Find out, then confirm or roll back. */
  | {
      readonly outcome: 'unknown';
      readonly check: AllowedCheck | UndecidedCheck;
      /** Where the hold is, for confirm or rollback. */
      readonly hold: Whereabouts;
      /** The error that `pay` threw, or why it was given up. */
      readonly error: unknown;
    };

type CallOptions = Pick<WithHoldOptions, 'signal' | 'deadlineMs'>;

/** The calls that it makes. */
type Calls = {
  check(request: CheckRequest, options?: CallOptions): Promise<CheckAnswer>;
  confirm(request: ConfirmRequest, options?: CallOptions): Promise<ConfirmAnswer>;
  rollback(request: RollbackRequest, options?: CallOptions): Promise<unknown>;
};

/** Checks, pays, and settles; see `HeadroomClient.withHold`. */
export async function runWithHold<T>(
  calls: Calls,
  request: HoldRequest,
  pay: Pay<T>,
  options: WithHoldOptions,
): Promise<HoldResult<T>> {
  assertHolds(request);
  const { signal } = options;
  const check = known(await calls.check(request, options));
  if (check.decision === 'refused') return { outcome: 'refused', check };
  if (check.state !== 'held' && check.state !== 'none')
    return { outcome: BEFORE[check.state], check };
  const place = whereaboutsOf(request, check);
  if (signal?.aborted === true) {
    // Another call may have paid an order that was held before, or may have been: its hold stays.
    if (!check.repeated && check.undecided !== true) await rolledBack(calls, place, options);
    throw signal.reason;
  }
  const ended = await runPayment(pay, holdOf(request, check, signal), signal);
  switch (ended.kind) {
    case 'unknown':
      return { outcome: 'unknown', check, hold: place, error: ended.error };
    case 'failed':
      await rolledBack(calls, place, options, reasonCodeOf(ended.error, options));
      throw ended.error;
    case 'paid':
      return confirmed(calls, request, check, ended, options);
  }
}

/** A function of the caller that fails must not keep the share from being given back. */
function reasonCodeOf(error: unknown, options: WithHoldOptions): string | undefined {
  try {
    return options.reasonCodeOf?.(error);
  } catch {
    return undefined;
  }
}

/** For callers without types: what is counted at once, or not held, has nothing to confirm. */
function assertHolds(request: CheckRequest): void {
  for (const field of ['capture', 'dryRun'] as const)
    if (request[field] === true)
      throw new TypeError(
        `${field} is true, expected none: withHold holds, and confirms by itself`,
      );
}

/** An order that was paid before, by its state. */
const BEFORE = {
  confirmed: 'confirmed-before',
  partlyRefunded: 'partlyRefunded',
  refunded: 'refunded',
} as const;

/**
 * Only an answer that this version knows may start a payment.
 *
 * @throws UnexpectedAnswerError for any other
 */
function known(check: CheckAnswer): CheckAnswer {
  const {
    decision,
    state,
    undecided,
    reservation,
  }: Partial<Record<keyof UndecidedCheck, unknown>> = check;
  const isPaidBefore = typeof state === 'string' && Object.hasOwn(BEFORE, state);
  const isHeld = state === 'held' && isText(reservation);
  const isUndecided = state === 'none' && undecided === true;
  if (decision === 'refused') return check;
  if (decision === 'allowed' && (isHeld || isUndecided || isPaidBefore)) return check;
  throw new UnexpectedAnswerError(200, check, { call: 'check', attempts: 1 }, false);
}

function isText(given: unknown): given is string {
  return typeof given === 'string' && given !== '';
}

function whereaboutsOf(
  { orderId, subjects }: CheckRequest,
  { reservation }: Pick<AllowedCheck | UndecidedCheck, 'reservation'>,
): Whereabouts {
  return isText(reservation) ? { orderId, reservation } : { orderId, subjects };
}

function holdOf(
  { orderId, amount }: CheckRequest,
  check: AllowedCheck | UndecidedCheck,
  signal: AbortSignal | undefined,
): Hold {
  const { repeated, reservation, holdExpiresAt } = check;
  return {
    orderId,
    amount: check.amount ?? amount,
    repeated,
    check,
    signal: signal ?? new AbortController().signal,
    ...(isText(reservation) ? { reservation } : {}),
    ...(holdExpiresAt === undefined ? {} : { holdExpiresAt }),
  };
}

/** Gives the share back, as well as it can: what is not given back ends by itself. */
async function rolledBack(
  calls: Calls,
  place: Whereabouts,
  { deadlineMs, reason, onRollbackFailed }: WithHoldOptions,
  reasonCode?: string,
): Promise<void> {
  const request = { ...place, reason, reasonCode };
  try {
    await calls.rollback(request, { deadlineMs });
  } catch (error) {
    // After an undecided check nothing may be held.
    const isNothing = place.reservation === undefined && isProblemError(error, 'NOT_FOUND');
    if (!isNothing) onRollbackFailed?.(error, request);
  }
}

/** Confirms what was paid, whatever the caller's signal says now: the money has moved. */
async function confirmed<T>(
  calls: Calls,
  request: HoldRequest,
  check: AllowedCheck | UndecidedCheck,
  { value, amount: paid }: Extract<Ending<T>, { kind: 'paid' }>,
  { deadlineMs }: WithHoldOptions,
): Promise<HoldResult<T>> {
  // All of it was paid while nothing was decided, and less may be held by then.
  const isWhole = check.undecided === true && request.partial !== undefined;
  const amount = paid ?? (isWhole ? request.amount : undefined);
  const confirmOf = (decided: CheckAnswer): ConfirmRequest => ({
    ...whereaboutsOf(request, decided.decision === 'allowed' ? decided : {}),
    amount,
  });
  let last: CheckAnswer = check;
  try {
    // An order that the store did not decide must be held before it can be confirmed.
    if (check.undecided === true) last = known(await calls.check(request, { deadlineMs }));
    if (last.decision === 'refused' || last.undecided === true) throw notHeld(last);
    const confirm = await calls.confirm(confirmOf(last), { deadlineMs });
    const { state } = confirm;
    if (state === 'confirmed') return { outcome: state, value, check: last, confirm };
    return { outcome: state, value, check: last, confirm };
  } catch (error) {
    return { outcome: 'unconfirmed', value, check: last, request: confirmOf(last), error };
  }
}

function notHeld({ decision }: CheckAnswer): Error {
  return new Error(
    decision === 'refused'
      ? 'the payment was made while the database did not decide, and it exceeds a limit: count it with record'
      : 'the payment was made, and the database has not decided yet: repeat the check, then confirm',
  );
}
