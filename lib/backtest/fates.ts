import type { PastRow } from './past-row.ts';
import type { Checks, FateKind } from './result.ts';
import { checksIn, noChecks } from './sums.ts';

type Fate = { readonly askedMinor: number; readonly until: Date | undefined; outcome: FateKind };

/** Orders that happened and that a draft refuses, by their nonces, with what became of them. Plain data. */
export type Fates = Map<string, Fate>;

/** Adds an order that a draft refuses. */
export function addFate(fates: Fates, row: PastRow): void {
  const { nonce, amountMinor = 0, askedMinor = amountMinor, holdExpiresAt: until, outcome } = row;
  if (nonce === undefined) return;
  fates.set(nonce, { askedMinor, until, outcome: outcome === 'held' ? 'held' : 'paid' });
}

/** Takes the end of an order, or a refund. */
export function noteEnd(fates: Fates, { nonce = '', operation, late }: PastRow): void {
  const fate = fates.get(nonce);
  if (fate === undefined) return;
  if (operation === 'refund') fate.outcome = 'refunded';
  else if (operation === 'rollback') fate.outcome = 'givenBack';
  else fate.outcome = late === true ? 'paidLate' : 'paid';
}

/** Adds up what became of them by an instant. */
export function outcomesBy(fates: Fates, to: Date): Readonly<Record<FateKind, Checks>> {
  const sums = {
    paid: noChecks(),
    paidLate: noChecks(),
    givenBack: noChecks(),
    expired: noChecks(),
    refunded: noChecks(),
    held: noChecks(),
  };
  for (const { outcome, until, askedMinor } of fates.values()) {
    const isExpired = outcome === 'held' && until !== undefined && until <= to;
    const sum = sums[isExpired ? 'expired' : outcome];
    sum.checks += 1;
    sum.amountMinor += askedMinor;
  }
  return {
    paid: checksIn(sums.paid),
    paidLate: checksIn(sums.paidLate),
    givenBack: checksIn(sums.givenBack),
    expired: checksIn(sums.expired),
    refunded: checksIn(sums.refunded),
    held: checksIn(sums.held),
  };
}
