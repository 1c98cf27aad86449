import type { CounterStore } from './counter-store.ts';
import type { RefundStore } from '../audit/refunds/refund.ts';

/** Does a call, and what belongs before and after it. */
export type Around = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/** Counters whose every call goes through `around`; of a commit, each call within it. */
export function countersAround(counters: CounterStore, around: Around): CounterStore {
  return {
    outcomesMax: counters.outcomesMax,
    isOneCommit: counters.isOneCommit,
    hold: (...asked) => around(() => counters.hold(...asked)),
    settle: (...asked) => around(() => counters.settle(...asked)),
    settleShares: (...asked) => around(() => counters.settleShares(...asked)),
    changeTerms: (...asked) => around(() => counters.changeTerms(...asked)),
    shorten: (...asked) => around(() => counters.shorten(...asked)),
    read: (...asked) => around(() => counters.read(...asked)),
    now: () => around(() => counters.now()),
    together: (work) => counters.together((inner) => work(countersAround(inner, around))),
  };
}

/** Refunds whose every call goes through `around`. */
export function refundsAround(refunds: RefundStore, around: Around): RefundStore {
  return {
    read: (...asked) => around(() => refunds.read(...asked)),
    keep: (...asked) => around(() => refunds.keep(...asked)),
    giveBack: (...asked) => around(() => refunds.giveBack(...asked)),
  };
}
