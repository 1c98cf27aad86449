/** How an order may end. */
export const SETTLED_STATES = ['confirmed', 'rolledBack'] as const;
/** How an order ended. */
export type SettledState = (typeof SETTLED_STATES)[number];
/** How an order ends. A rollback may say why, in a code by which rules count it. */
export type Ending = { readonly to: SettledState; readonly reasonCode?: string | undefined };

/** The outcomes of orders by which a rule may count them: nobody ended one that expired, and it may still end. */
export const COUNTED_STATES = [...SETTLED_STATES, 'expired'] as const;
/** One of them. */
export type CountedState = (typeof COUNTED_STATES)[number];

/** How a payment ends that counts. */
export const CONFIRMED: Ending = { to: 'confirmed' };

/** Says whether what became of an order ended it. */
export function isSettled(state: string): state is SettledState {
  return SETTLED_STATES.some((one) => one === state);
}

/** Says whether a rule may count what became of a share. */
export function isCounted(state: string): state is CountedState {
  return COUNTED_STATES.some((one) => one === state);
}

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

/** The kinds of things that proposals are about. */
export const PROPOSALS_ABOUT = ['rules', 'terms', 'order'] as const;

/** The states of proposals. `expired`: nobody decided in time. */
export const PROPOSAL_STATES = ['open', ...PROPOSAL_OUTCOMES, 'expired'] as const;

/** The states of back-tests: those that have not ended, and those that have. */
export const OPEN_BACKTESTS = ['waiting', 'running'] as const;
/** How a back-test may end. */
export const ENDED_BACKTESTS = ['done', 'failed', 'stopped'] as const;
/** Every state of a back-test. */
export const BACKTEST_STATES = [...OPEN_BACKTESTS, ...ENDED_BACKTESTS] as const;
/** One of them. */
export type JobState = (typeof BACKTEST_STATES)[number];

/** What a back-test takes orders for that were refused, and that its draft lets pass: their hold expires, or they are confirmed at once. */
export const FREED = ['unpaid', 'paid'] as const;
/** One of them. */
export type Freed = (typeof FREED)[number];
