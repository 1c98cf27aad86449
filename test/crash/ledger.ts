/** What callers were told of one order, and what may therefore be true. It owes nothing to the store. */
import { expect } from 'vitest';
import type { CheckAnswer, RefundAnswer, SettlementAnswer } from '../../lib/limits/answer.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import { RefundTooLargeError } from '../../lib/audit/refunds/refund.ts';
import type { StoryOrder } from './story.ts';
import type { AskedRefund } from './told-refunds.ts';
import { ToldRefunds } from './told-refunds.ts';

type Outcome =
  | { readonly kind: 'rolledBack' }
  /** The amount is not known where only a check or a contradiction told of it. */
  | { readonly kind: 'confirmed'; readonly amount?: number; readonly late?: boolean };

/** Bounds of what an order counts in a document. */
export type Bounds = { readonly least: number; readonly most: number };

/** How what a call changes is kept together: not at all, or whole with its audit row. */
export type Keeping = 'steps' | 'whole';

/** The ledger of one order. */
export class Ledger {
  readonly order: StoryOrder;
  readonly refunds = new ToldRefunds();
  readonly #keeping: Keeping;
  outcome: Outcome | undefined;
  /** Until when its share is held, as the last allowed check said. */
  #heldUntil = 0;
  /** An answer to a confirm named a document in which it is not counted. */
  #isUncounted = false;
  /** A call that counts was cut: it may be told to some documents after its hold was over. */
  #wasCut = false;
  /** A call that ends it was cut: nobody knows whether it is still held. */
  #mayHaveEnded = false;
  /** Somebody heard of a call by which it was confirmed: its row is written. */
  #isRecorded = false;
  /** Somebody heard of a call that confirmed it, or found it confirmed, in every document. */
  #isCounted = false;

  constructor(order: StoryOrder, keeping: Keeping) {
    this.order = order;
    this.#keeping = keeping;
  }

  /** A check was cut. */
  checkCut(): void {
    if (this.order.capture) this.#wasCut = true;
  }

  /** A confirm was cut. */
  confirmCut(): void {
    this.#wasCut = true;
    this.#mayHaveEnded = true;
  }

  /** A rollback was cut. */
  rollbackCut(): void {
    this.#mayHaveEnded = true;
  }

  checked(answer: CheckAnswer, now: Date): void {
    expect(answer.kind).not.toBe('undecided');
    if (answer.kind !== 'allowed') {
      expect(this.outcome).toBeUndefined();
      expect(this.#isHeld(now)).toBe(false);
      return;
    }
    expect(this.outcome?.kind).not.toBe('rolledBack');
    if (this.#isHeld(now)) expect(answer.repeated).toBe(true);
    expect(answer.state).not.toBe('none');
    if (answer.state !== 'held') {
      if (!answer.repeated) expect(this.outcome).toBeUndefined();
      this.outcome ??= { kind: 'confirmed' };
      this.#isRecorded = true;
      if (this.order.capture) this.#isCounted = true;
    } else {
      expect(this.outcome).toBeUndefined();
      this.#heldUntil = answer.holdExpiresAt?.getTime() ?? 0;
    }
  }

  settled(answer: SettlementAnswer): void {
    const before = this.outcome;
    if (answer.state === 'rolledBack') {
      expect(before?.kind).not.toBe('confirmed');
      if (before !== undefined) expect(answer.repeated).toBe(true);
      this.outcome = { kind: 'rolledBack' };
      return;
    }
    expect(before?.kind).not.toBe('rolledBack');
    const { amount, late, repeated, uncounted = [] } = answer;
    if (uncounted.length > 0) this.#isUncounted = true;
    if (before?.kind === 'confirmed') {
      expect({ repeated, amount, late }).toEqual({
        repeated: true,
        amount: before.amount ?? amount,
        late: before.late ?? late,
      });
    }
    this.outcome = { kind: 'confirmed', amount, late };
    this.#isRecorded = true;
    this.#isCounted = true;
  }

  refunded(asked: AskedRefund, answer: RefundAnswer): void {
    const { outcome } = this;
    expect(outcome?.kind).not.toBe('rolledBack');
    const known = outcome?.kind === 'confirmed' ? outcome : { kind: 'confirmed' as const };
    this.refunds.refunded(asked, answer, known.amount);
    this.outcome = { ...known, amount: answer.refunded + answer.remaining };
  }

  /** A refund of the order was answered with an error. */
  refundFailed(asked: AskedRefund, error: unknown): void {
    if (!(error instanceof HeadroomError)) throw error;
    const amount = this.outcome?.kind === 'confirmed' ? this.outcome.amount : undefined;
    switch (error.code) {
      case 'REFUND_TOO_LARGE':
        if (!(error instanceof RefundTooLargeError)) throw error;
        expect(this.outcome?.kind).not.toBe('rolledBack');
        this.outcome ??= { kind: 'confirmed' };
        this.refunds.tooLarge(asked, error, amount);
        return;
      case 'REFUND_REUSED':
        expect(this.outcome?.kind).not.toBe('rolledBack');
        this.refunds.reused(asked);
        return;
      case 'ALREADY_ROLLED_BACK':
        expect(this.outcome?.kind).not.toBe('confirmed');
        this.outcome = { kind: 'rolledBack' };
        this.refunds.notMade(asked.refundId);
        return;
      case 'NOT_FOUND':
      case 'NOT_CONFIRMED':
        if (this.#keeping === 'whole' || this.#isRecorded)
          expect(this.outcome?.kind).not.toBe('confirmed');
        this.refunds.notMade(asked.refundId);
        return;
      case 'NOT_RECORDED':
        expect(this.#keeping).toBe('steps');
        this.refunds.notMade(asked.refundId);
        return;
      default:
        throw error;
    }
  }

  /** A call of the order was answered with an error. */
  failed(error: unknown, now: Date): void {
    if (!(error instanceof HeadroomError)) throw error;
    const { code } = error;
    switch (code) {
      case 'ALREADY_CONFIRMED':
        expect(this.outcome?.kind).not.toBe('rolledBack');
        this.outcome ??= { kind: 'confirmed' };
        return;
      case 'ALREADY_ROLLED_BACK':
        expect(this.outcome?.kind).not.toBe('confirmed');
        this.outcome = { kind: 'rolledBack' };
        return;
      case 'NOT_FOUND':
        expect({ outcome: this.outcome, heldUntil: this.#heldUntil }).toEqual({ heldUntil: 0 });
        return;
      case 'NOT_ALL_ALLOWED':
        expect({ outcome: this.outcome, isHeld: this.#isHeld(now) }).toEqual({ isHeld: false });
        return;
      default:
        throw error;
    }
  }

  /** What it holds in every document, for all that its caller was told. */
  held(now: Date): number {
    return this.#isHeld(now) && !this.#mayHaveEnded ? this.order.amount : 0;
  }

  /** The least that it counts as used by now, at home or in another document. */
  counted(isHome: boolean): number {
    const isKnown = this.#isCounted && this.refunds.isSure;
    return isKnown && this.outcome?.kind === 'confirmed' && this.outcome.amount !== undefined
      ? this.used(isHome).least
      : 0;
  }

  /** What it counts as used in the end, at home or in another document. */
  used(isHome: boolean): Bounds {
    if (this.outcome?.kind !== 'confirmed') return { least: 0, most: 0 };
    const { amount } = this.outcome;
    if (amount === undefined) throw new Error('a confirm has told the amount');
    const left = amount - this.refunds.sum;
    return isHome || !this.#isUncounted ? { least: left, most: left } : { least: 0, most: left };
  }

  /** By how much it may exceed a maximum: a payment that happened is counted. */
  excess(mostFinal: number): number {
    const { outcome } = this;
    const isConfirmed = outcome?.kind === 'confirmed';
    const isMore = isConfirmed && (outcome.amount ?? mostFinal) > this.order.amount;
    const isLate = isConfirmed && outcome.late !== false;
    return isMore || isLate || this.#wasCut ? Math.max(this.order.amount, mostFinal) : 0;
  }

  #isHeld(now: Date): boolean {
    return this.outcome === undefined && now.getTime() < this.#heldUntil;
  }
}
