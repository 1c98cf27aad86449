import type { PastRow } from './past-row.ts';
import type { Checks, Ends, RefusedChecks } from './result.ts';
import { Tries } from './tries.ts';

/** Adds up checks. */
export class CheckSum {
  checks = 0;
  amountMinor = 0;

  add({ amountMinor = 0, askedMinor = amountMinor }: PastRow): void {
    this.checks += 1;
    this.amountMinor += askedMinor;
  }

  result(): Checks {
    const { checks, amountMinor } = this;
    return { checks, amountMinor };
  }
}

/** Adds up refused checks, with the tries of one order put together. */
export class RefusedSum {
  readonly #sum = new CheckSum();
  readonly #tries = new Tries();
  readonly #subjects = new Set<string>();
  #orders = 0;
  #payments = 0;

  add(row: PastRow): void {
    this.#sum.add(row);
    const { isOrder, isPayment } = this.#tries.note(row);
    if (isOrder) this.#orders += 1;
    if (isPayment) this.#payments += 1;
    this.#subjects.add(row.documents[0] ?? '');
  }

  result(): RefusedChecks {
    return {
      ...this.#sum.result(),
      orders: this.#orders,
      payments: this.#payments,
      subjects: this.#subjects.size,
    };
  }
}

/** Adds up how checks ended. */
export class EndSum {
  readonly #allowed = new CheckSum();
  readonly #refused = new RefusedSum();

  add(row: PastRow, isAllowed: boolean): void {
    if (isAllowed) this.#allowed.add(row);
    else this.#refused.add(row);
  }

  result(): Ends {
    return { allowed: this.#allowed.result(), refused: this.#refused.result() };
  }
}
