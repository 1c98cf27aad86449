/** What callers were told of the refunds of one order. It owes nothing to the store. */
import { expect } from 'vitest';
import type { RefundAnswer } from '../../lib/limits/answer.ts';
import type { RefundTooLargeError } from '../../lib/audit/refunds/refund.ts';

/** One refund that was asked for; all that is left where no amount is. */
export type AskedRefund = { readonly refundId: string; readonly amount?: number };

/** The refunds of one order. */
export class ToldRefunds {
  readonly #told = new Map<string, RefundAnswer>();
  /** Nobody heard whether they were made. */
  readonly #cut = new Set<string>();
  /** They were made, and nobody heard of what amount. */
  readonly #unnamed = new Set<string>();

  /** What was given back, for all that callers were told, in minor units. */
  get sum(): number {
    return [...this.#told.values()].reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Whether callers know of every refund that was made. */
  get isSure(): boolean {
    return this.#cut.size + this.#unnamed.size === 0;
  }

  /** Refunds of which a repeat would tell the amount. */
  get unnamed(): readonly string[] {
    return [...this.#unnamed];
  }

  cut(refundId: string): void {
    if (!this.#told.has(refundId)) this.#cut.add(refundId);
  }

  /** @param counted what was counted of the order, where that was told */
  refunded({ refundId, amount }: AskedRefund, answer: RefundAnswer, counted?: number): void {
    const { repeated, amount: given, refunded, remaining } = answer;
    if (counted !== undefined) expect(refunded + remaining).toBe(counted);
    expect(remaining).toBeGreaterThanOrEqual(0);
    const first = this.#told.get(refundId);
    if (first !== undefined)
      expect(answer).toMatchObject({
        repeated: true,
        amount: first.amount,
        refunded: first.refunded,
      });
    if (first === undefined && this.#isNew(refundId)) expect(repeated).toBe(false);
    if (amount !== undefined) expect(given).toBe(amount);
    else if (!repeated) expect(remaining).toBe(0);
    this.#told.set(refundId, first ?? answer);
    this.#cut.delete(refundId);
    this.#unnamed.delete(refundId);
    expect(this.sum).toBeLessThanOrEqual(refunded + remaining);
    if (!repeated && this.isSure) expect(refunded).toBe(this.sum);
  }

  tooLarge(
    { refundId, amount = 0 }: AskedRefund,
    { fields: { remaining: remainingMinor } }: RefundTooLargeError,
    counted?: number,
  ): void {
    this.notMade(refundId);
    if (remainingMinor > 0) expect(amount).toBeGreaterThan(remainingMinor);
    if (counted === undefined) return;
    expect(remainingMinor).toBeLessThanOrEqual(counted - this.sum);
    if (this.isSure) expect(remainingMinor).toBe(counted - this.sum);
  }

  /** The refund had another amount before than is asked now. */
  reused({ refundId, amount }: AskedRefund): void {
    expect(amount).toBeDefined();
    const told = this.#told.get(refundId);
    if (told !== undefined) {
      expect(amount).not.toBe(told.amount);
      return;
    }
    expect(this.#isNew(refundId)).toBe(false);
    this.#cut.delete(refundId);
    this.#unnamed.add(refundId);
  }

  /** A refund was answered with an error that says that there is none of this id. */
  notMade(refundId: string): void {
    expect({ refundId, made: this.#told.has(refundId) || this.#unnamed.has(refundId) }).toEqual({
      refundId,
      made: false,
    });
    this.#cut.delete(refundId);
  }

  #isNew(refundId: string): boolean {
    return !this.#cut.has(refundId) && !this.#unnamed.has(refundId);
  }
}
