/** How an order may end. */
export const SETTLED_STATES = ['confirmed', 'rolledBack'] as const;
/** How an order ended. */
export type SettledState = (typeof SETTLED_STATES)[number];
/** The operation by which an order ends so. */
export const ENDED_BY = {
  confirmed: 'confirm',
  rolledBack: 'rollback',
} as const satisfies Readonly<Record<SettledState, string>>;

/** `late` was confirmed after its hold had expired; `expired` may still be; of `unknown` no row says. */
export const ORDER_STATES = [
  'held',
  'expired',
  'confirmed',
  'late',
  'partlyRefunded',
  'refunded',
  'rolledBack',
  'refused',
  'unknown',
] as const;

/** What became of a proposal. `withdrawn`: its author took it back. */
export const PROPOSAL_OUTCOMES = ['approved', 'rejected', 'withdrawn'] as const;

/** The states of proposals. `expired`: nobody decided in time. */
export const PROPOSAL_STATES = ['open', ...PROPOSAL_OUTCOMES, 'expired'] as const;
