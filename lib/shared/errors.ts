import { MISTAKES_MAX } from './bounds.ts';

/** One class per cause. `code` is public and never reused; `retryable`: the same call may succeed later. */
export abstract class HeadroomError extends Error {
  abstract readonly code: string;
  readonly retryable: boolean = false;
  /** Fields of its answer, beside those that every problem has. */
  readonly fields: Readonly<Record<string, unknown>> = {};
}

/** Makes the class of one cause, named by its code. */
export function errorOf<const Code extends string, Told extends readonly unknown[]>(
  code: Code,
  says: (...told: Told) => string,
  retryable = false,
) {
  const words = code.split('_').map((word) => word.slice(0, 1) + word.slice(1).toLowerCase());
  return class extends HeadroomError {
    override readonly name = `${words.join('')}Error`;
    readonly code = code;
    override readonly retryable: boolean = retryable;
    constructor(...told: Told) {
      super(says(...told));
    }
  };
}

/** One place where a request, a rule or a setting is not what it must be. */
export type Mistake = {
  /** Where, as a path from the outermost object: `subjects.user`, `rules[2].window.unit`. */
  readonly path: string;
  /** What stands there, shortened; absent when nothing stands there. */
  readonly value?: string;
  /** What was expected, as a phrase: `a whole number from 0 to 1000000000000000`. */
  readonly expected: string;
};

/** Writes a mistake as one sentence, which calls the outermost object `whole`. */
export function describeMistake(mistake: Mistake, whole: string): string {
  const value = mistake.value === undefined ? 'is missing' : `is ${mistake.value}`;
  return `${mistake.path === '' ? whole : mistake.path} ${value}, expected ${mistake.expected}`;
}

/** The outermost object of a request. */
export const THE_REQUEST = 'the request';

/** The request is not one that Headroom understands. */
export class InvalidRequestError extends HeadroomError {
  override readonly name: string = 'InvalidRequestError';
  readonly code = 'INVALID_REQUEST';
  /** The first MISTAKES_MAX. */
  readonly mistakes: readonly Mistake[];
  /** How many more there are. */
  readonly further: number;
  /** @param uncounted mistakes that were found and are not among those given */
  constructor(mistakes: readonly [Mistake, ...Mistake[]], uncounted = 0) {
    const told = mistakes.slice(0, MISTAKES_MAX);
    const further = mistakes.length - told.length + uncounted;
    const sentences = told.map((mistake) => describeMistake(mistake, THE_REQUEST));
    super([...sentences, ...moreThan(further)].join('; '));
    this.mistakes = told;
    this.further = further;
  }
}

/** A settlement names a document that has a share of an order of this id, and is not its home. */
export class NotHomeError extends InvalidRequestError {
  override readonly name = 'NotHomeError';
}

function moreThan(further: number): readonly string[] {
  return further === 0 ? [] : [`and ${further} more`];
}

/** Settings or rules are wrong; the message lists the problems, a line each, up to MISTAKES_MAX. */
export class InvalidConfigurationError extends HeadroomError {
  override readonly name = 'InvalidConfigurationError';
  readonly code = 'INVALID_CONFIGURATION';
  /** The first MISTAKES_MAX. */
  readonly mistakes: readonly Mistake[];
  constructor(what: string, mistakes: readonly Mistake[]) {
    const told = mistakes.slice(0, MISTAKES_MAX);
    const lines = told.map((mistake) => describeMistake(mistake, 'the value'));
    const more = moreThan(mistakes.length - told.length);
    super([`${what}:`, ...[...lines, ...more].map((line) => `  - ${line}`)].join('\n'));
    this.mistakes = told;
  }
}

/** The order is not known, as a refused one is not. */
export class NotFoundError extends errorOf(
  'NOT_FOUND',
  (orderId: string, where?: string) =>
    `order ${JSON.stringify(orderId)} is not known ${where ?? 'for these subjects'}: no check was allowed under it`,
) {}

/** The order may have been known once, but its outcome is older than what the document remembers. */
export class ForgottenError extends errorOf('FORGOTTEN', (orderId: string, where?: string) => {
  const order = JSON.stringify(orderId);
  return where === undefined
    ? `Headroom no longer remembers how order ${order} ended. Nothing was changed. If the order was paid and no confirm ever got an answer, record it under another orderId`
    : `order ${order} is not known ${where}: it is too old, or was never checked there; nothing was changed`;
}) {}

/** The order id was used before for something else. */
export class OrderReusedError extends errorOf(
  'ORDER_REUSED',
  (orderId: string, asked: 'checked' | 'recorded' = 'checked') =>
    asked === 'checked'
      ? `order ${JSON.stringify(orderId)} was checked before with other content; nothing was changed: use a new orderId, or send the first request again`
      : `order ${JSON.stringify(orderId)} was checked before, or recorded with other content; nothing was changed. Confirm that order. If it was rolled back, or is another one, record this payment under another orderId`,
) {}

/** A confirmed order can neither be rolled back nor confirmed with another amount. */
export class AlreadyConfirmedError extends errorOf(
  'ALREADY_CONFIRMED',
  (orderId: string, amountMinor: number) =>
    `order ${JSON.stringify(orderId)} was confirmed with amount ${amountMinor}; nothing was changed`,
) {}

/** A rolled back order can neither be confirmed nor checked again. */
export class AlreadyRolledBackError extends errorOf(
  'ALREADY_ROLLED_BACK',
  (orderId: string) =>
    `order ${JSON.stringify(orderId)} was rolled back; nothing was changed: use a new orderId, also to record a payment that happened nevertheless`,
) {}

/** The hold that the reservation names expired, and the order was checked again since. */
export class ReservationReplacedError extends errorOf(
  'RESERVATION_REPLACED',
  (orderId: string) =>
    `this hold of order ${JSON.stringify(orderId)} expired, and the order was checked again; nothing was changed: to give back the newer hold, send its reservation`,
) {}

/** A bound of the subject's document is reached. Which one is in `code`. */
export class SubjectFullError extends HeadroomError {
  override readonly name = 'SubjectFullError';
  readonly code: 'TOO_MANY_OPEN_HOLDS' | 'TOO_MANY_BUCKETS' | 'COUNTER_FULL' | 'TOO_MANY_RULES';
  override readonly retryable = true;
  constructor(code: SubjectFullError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The database's clock is in no window that the caller proposed, twice in a row. */
export class ClockSkewError extends errorOf(
  'CLOCK_SKEW',
  (databaseNow: Date) =>
    `the clock of the database shows ${databaseNow.toISOString()}, too far from the clock of the function; nothing was changed: set both clocks`,
  true,
) {}

/** The store did not answer in time. Whether the call took effect is unknown; repeating it is safe. */
export class UndecidedError extends HeadroomError {
  override readonly name = 'UndecidedError';
  readonly code = 'UNDECIDED';
  override readonly retryable = true;
  constructor(reason: string, options?: ErrorOptions) {
    super(
      `the database did not decide (${reason}): send the same call again, which is safe, or roll back`,
      options,
    );
  }
}

/** The answer to a write was lost: it may have been done, or may be done later. There is time left to look. */
export class LostAnswerError extends UndecidedError {
  /** When the time of the write is over, by the clock of the process (`performance.now`). */
  readonly endsAtMs: number;
  constructor(reason: string, endsAtMs: number, options?: ErrorOptions) {
    super(reason, options);
    this.endsAtMs = endsAtMs;
  }
}

/** All orders of a call were to be allowed or none, and another one was not. */
export class NotAllAllowedError extends errorOf(
  'NOT_ALL_ALLOWED',
  (orderId: string, otherOrderId: string) =>
    `order ${JSON.stringify(orderId)} is not held, because order ${JSON.stringify(otherOrderId)} of the same atomic call was not allowed; nothing was changed`,
) {}

/** The service contradicts itself: a fault in Headroom, never in the request. */
export class InternalError extends errorOf('INTERNAL', (says: string) => says) {}
