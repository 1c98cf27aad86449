import type { AllowedCheck, UndecidedCheck } from './answers.ts';

/** The hold while `pay` runs. */
export type Hold = {
  readonly orderId: string;
  /** The amount to pay, in minor units: of an order with `partial` perhaps less than it asks. */
  readonly amount: number;
  /** Absent where the check is undecided. */
  readonly reservation?: string;
  /** The end of the hold. A payment that takes longer counts anyway. */
  readonly holdExpiresAt?: string;
  /** The order was held before: its payment may have been begun. Also after a lost answer. */
  readonly repeated: boolean;
  /** Aborted when the caller gives up; how the payment ended is unknown then. */
  readonly signal: AbortSignal;
  readonly check: AllowedCheck | UndecidedCheck;
};

/** Thrown by `pay` where it does not know how the payment ended: the bank timed out. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** A payment whose final amount is not the one that was held. */
export class Paid<T> {
  /** Minor units. */
  readonly amount: number;
  readonly value: T;
  /** @param amount in minor units */
  constructor(amount: number, value: T) {
    this.amount = amount;
    this.value = value;
  }
}

/**
 * Says what was paid in the end, from within `pay`: `return paid(1_900_000, receipt)`.
 *
 * @param amount in minor units, smaller or larger than what was held
 */
export function paid<T = undefined>(amount: number, value?: T): Paid<T> {
  return new Paid(amount, value as T); // without a value T is undefined
}

/** A payment, while the order's share is held. */
export type Pay<T> = (hold: Hold) => T | Paid<T> | PromiseLike<T | Paid<T>>;

/** How a payment ended. */
export type Ending<T> =
  | { readonly kind: 'paid'; readonly value: T; readonly amount?: number }
  | { readonly kind: 'failed' | 'unknown'; readonly error: unknown };

/** Runs `pay`. One that does not mind its signal is waited for: it may still say how it ended. */
export async function runPayment<T>(
  pay: Pay<T>,
  hold: Hold,
  signal: AbortSignal | undefined,
): Promise<Ending<T>> {
  try {
    const value = await pay(hold);
    if (value instanceof Paid) return { kind: 'paid', value: value.value, amount: value.amount };
    return { kind: 'paid', value };
  } catch (error) {
    const isUnknown = error instanceof OutcomeUnknown || signal?.aborted === true;
    return { kind: isUnknown ? 'unknown' : 'failed', error };
  }
}
