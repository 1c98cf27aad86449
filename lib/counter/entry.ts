import { countsOutcome } from '../rule/counter-key.ts';
import type { Values } from '../rule/counter-key.ts';
import type { Ending } from '../shared/states.ts';
import { CONFIRMED } from '../shared/states.ts';

/** An order as far as counters see it: one that asks for room, or that an update takes. */
export type Entrant = {
  readonly amountMinor: number;
  readonly count: number;
  readonly capture?: boolean;
  readonly ending?: Ending | undefined;
  readonly values?: Values | undefined;
  /** Counters that it does not enter; absent where it enters all. */
  readonly leftOut?: readonly string[] | undefined;
};

/** What the orders of one update bring to a counter. */
export type Intake = {
  readonly orders: number;
  readonly amount: number;
  readonly count: number;
  readonly usedAmount: number;
  readonly usedCount: number;
  /**
   * The room that all need. An order that counts at once and leaves nothing here needs its own only in its turn. Example:
   * for 5 that stay, 6 that leave nothing, and 4 that stay, the room is 11, as much as the first two need.
   */
  readonly asked: { readonly amount: number; readonly count: number };
};

/** Whether an order, once it is taken, leaves something in a counter. */
export function leaves(counter: string, { capture = false, ending = CONFIRMED }: Entrant) {
  return !capture || countsOutcome(counter, ending.to, ending.reasonCode);
}

/** Adds up the orders that enter a counter, or an ordinary one. */
export function sumOf(taken: readonly Entrant[], counter = ''): Intake {
  const asked = { amount: 0, count: 0 };
  let [orders, amount, count, usedAmount, usedCount] = [0, 0, 0, 0, 0];
  for (const order of taken) {
    if (order.leftOut?.includes(counter) === true) continue;
    orders += 1;
    asked.amount = Math.max(asked.amount, amount + order.amountMinor);
    asked.count = Math.max(asked.count, count + order.count);
    if (!leaves(counter, order)) continue;
    amount += order.amountMinor;
    count += order.count;
    if (order.capture === true) usedAmount += order.amountMinor;
    if (order.capture === true) usedCount += order.count;
  }
  return { orders, amount, count, usedAmount, usedCount, asked };
}
