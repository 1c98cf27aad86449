import type { PastRow } from './past-row.ts';
import { holdId } from '../shared/subject.ts';

/** A day. Another try of the same order comes within one. */
export const DAY_MS = 86_400_000;
/** Another order of the same subjects and amount is likely the same payment, if it comes so soon. */
const PAYMENT_MS = 600_000;

/** Says whether a refused check is the first of its order, and of its payment. */
export class Tries {
  readonly #orders = new Recent(DAY_MS);
  readonly #payments = new Recent(PAYMENT_MS);

  note(row: PastRow): { readonly isOrder: boolean; readonly isPayment: boolean } {
    const atMs = row.at.getTime();
    const { subjects, amountMinor, askedMinor = amountMinor, currency, appId } = row;
    const isOrder = this.#orders.isNew(holdId(row), atMs);
    const payment = JSON.stringify([appId, subjects, askedMinor, currency]);
    const isPayment = this.#payments.isNew(payment, atMs);
    return { isOrder, isPayment: isOrder && isPayment };
  }
}

/** Names that were met within a time. */
class Recent {
  readonly #lastMs = new Map<string, number>();
  readonly #forMs: number;

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  isNew(name: string, atMs: number): boolean {
    const lastMs = this.#lastMs.get(name);
    // The one that was met last stands last.
    this.#lastMs.delete(name);
    this.#lastMs.set(name, atMs);
    for (const [oldest, ms] of this.#lastMs) {
      if (ms > atMs - this.#forMs) break;
      this.#lastMs.delete(oldest);
    }
    return lastMs === undefined || lastMs <= atMs - this.#forMs;
  }
}
