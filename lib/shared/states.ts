/** How an order ends, and by which operation. */
export const ENDINGS = { confirmed: 'confirm', rolledBack: 'rollback' } as const;
/** How an order ended. */
export type SettledState = keyof typeof ENDINGS;

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
