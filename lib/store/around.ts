import type { CounterStore } from './counter-store.ts';
import type { RefundStore } from './refund-store.ts';

/** Does a call, and what belongs before and after it. */
export type Around = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/** The same counters, each call of which goes through `around`. */
export function countersAround(counters: CounterStore, around: Around): CounterStore {
  return {
    hold: (...asked) => around(() => counters.hold(...asked)),
    settle: (...asked) => around(() => counters.settle(...asked)),
    complete: (...asked) => around(() => counters.complete(...asked)),
    holdMany: (...asked) => around(() => counters.holdMany(...asked)),
    settleMany: (...asked) => around(() => counters.settleMany(...asked)),
    completeMany: (...asked) => around(() => counters.completeMany(...asked)),
    read: (...asked) => around(() => counters.read(...asked)),
    readMany: (...asked) => around(() => counters.readMany(...asked)),
  };
}

/** The same refunds, each call of which goes through `around`. */
export function refundsAround(refunds: RefundStore, around: Around): RefundStore {
  return {
    add: (...asked) => around(() => refunds.add(...asked)),
    giveBack: (...asked) => around(() => refunds.giveBack(...asked)),
  };
}
