/** What callers were told of one order, and what may therefore be true. It owes nothing to the store. */
import { expect } from 'vitest';
import type { CheckAnswer, SettlementAnswer } from '../../lib/domain/answer.ts';
import { HeadroomError } from '../../lib/domain/errors.ts';
import type { StoryOrder } from './story.ts';

type Outcome =
  | { readonly kind: 'rolledBack' }
  /** The amount is not known where only a check or a contradiction told of it. */
  | { readonly kind: 'confirmed'; readonly amount?: number; readonly late?: boolean };

/** Bounds of what an order counts in a document. */
export type Bounds = { readonly least: number; readonly most: number };

/** The ledger of one order. */
export class Ledger {
  readonly order: StoryOrder;
  outcome: Outcome | undefined;
  /** Until when its share is held, as the last allowed check said. */
  #heldUntil = 0;
  /** The last check that was begun was answered with a yes. */
  #isComplete = false;
  /** It was confirmed before a check of it was complete: then others than home count what arrived. */
  #isLoose = false;
  /** A call that counts was cut: it may be told to some documents after its hold was over. */
  #wasCut = false;
  /** A call that ends it was cut: nobody knows whether it is still held. */
  #mayHaveEnded = false;

  constructor(order: StoryOrder) {
    this.order = order;
  }

  /** A check was cut. */
  checkCut(now: Date): void {
    if (!this.#isHeld(now)) this.#isComplete = false;
    if (this.order.capture) this.#wasCut = true;
  }

  /** A confirm was cut. */
  confirmCut(): void {
    if (!this.#isComplete) this.#isLoose = true;
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
    if (answer.state === 'confirmed') {
      if (!answer.repeated) expect(this.outcome).toBeUndefined();
      this.outcome ??= { kind: 'confirmed' };
    } else {
      expect(this.outcome).toBeUndefined();
      expect(answer.state).toBe('held');
      this.#heldUntil = answer.holdExpiresAt?.getTime() ?? 0;
    }
    this.#isComplete = true;
  }

  settled(answer: SettlementAnswer): void {
    const before = this.outcome;
    if (answer.kind === 'rolledBack') {
      expect(before?.kind).not.toBe('confirmed');
      if (before !== undefined) expect(answer.repeated).toBe(true);
      this.outcome = { kind: 'rolledBack' };
      return;
    }
    expect(before?.kind).not.toBe('rolledBack');
    const { amountMinor: amount, late, repeated } = answer;
    if (before?.kind === 'confirmed') {
      expect({ repeated, amount, late }).toEqual({
        ...{ repeated: true, amount: before.amount ?? amount, late: before.late ?? late },
      });
    } else if (!this.#isComplete) this.#isLoose = true;
    this.outcome = { kind: 'confirmed', amount, late };
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

  /** What it counts as used in the end, at home or in another document. */
  used(isHome: boolean): Bounds {
    if (this.outcome?.kind !== 'confirmed') return { least: 0, most: 0 };
    const { amount } = this.outcome;
    if (amount === undefined) throw new Error('a confirm has told the amount');
    return { least: isHome || !this.#isLoose ? amount : 0, most: amount };
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
