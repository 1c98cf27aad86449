import type { PastRow } from './past-row.ts';

/** What became of an order that a draft refuses. `held`: its hold went on beyond the end. */
export const OUTCOMES = ['paid', 'paidLate', 'givenBack', 'expired', 'refunded', 'held'] as const;
/** One of them. */
export type FateKind = (typeof OUTCOMES)[number];

type Fate = { readonly amountMinor: number; readonly until: Date | undefined; outcome: FateKind };

/** Orders that happened and that a draft refuses, with what became of them. */
export class Fates {
  readonly #byNonce = new Map<string, Fate>();

  add({ nonce, amountMinor = 0, holdExpiresAt: until, outcome }: PastRow): void {
    if (nonce === undefined) return;
    this.#byNonce.set(nonce, { amountMinor, until, outcome: outcome === 'held' ? 'held' : 'paid' });
  }

  /** Takes the end of an order, or a refund. */
  note({ nonce = '', operation, late }: PastRow): void {
    const fate = this.#byNonce.get(nonce);
    if (fate === undefined) return;
    if (operation === 'refund') fate.outcome = 'refunded';
    else if (operation === 'rollback') fate.outcome = 'givenBack';
    else fate.outcome = late === true ? 'paidLate' : 'paid';
  }

  /** Adds up what became of them by an instant. */
  by(to: Date): Readonly<Record<FateKind, { checks: number; amountMinor: number }>> {
    const empty = () => ({ checks: 0, amountMinor: 0 });
    const sums = {
      paid: empty(),
      paidLate: empty(),
      givenBack: empty(),
      expired: empty(),
      refunded: empty(),
      held: empty(),
    };
    for (const { outcome, until, amountMinor } of this.#byNonce.values()) {
      const isExpired = outcome === 'held' && until !== undefined && until <= to;
      const sum = sums[isExpired ? 'expired' : outcome];
      sum.checks += 1;
      sum.amountMinor += amountMinor;
    }
    return sums;
  }
}
