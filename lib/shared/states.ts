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
  return SETTLED.has(state);
}
const SETTLED: ReadonlySet<string> = new Set(SETTLED_STATES);

/** Says whether a rule may count what became of a share. */
export function isCountedState(state: string): state is CountedState {
  return COUNTED.has(state);
}
const COUNTED: ReadonlySet<string> = new Set(COUNTED_STATES);

/** The operation by which an order ends so. */
export const ENDED_BY = {
  confirmed: 'confirm',
  rolledBack: 'rollback',
} as const satisfies Readonly<Record<SettledState, string>>;
