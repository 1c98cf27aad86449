import { countsOutcome, refundsOf } from '../rule/counter-key.ts';
import type { Values } from '../rule/counter-key.ts';
import { kindOf } from './kinds.ts';
import type { BucketReference, Sums } from './sums.ts';
import { NO_SUMS } from './sums.ts';
import type { SettledState } from '../shared/states.ts';
import { isCountedState } from '../shared/states.ts';

/** A document has nothing of an order's share yet, an open hold, one that is over, or a counted payment. */
export type ShareBefore = 'nothing' | 'open' | 'over' | 'counted';

/**
 * The end of the share, or its beginning: it is held, counted, given back, or its time is over. Another attempt at
 * its order may drop it, and an attempt that is refused elsewhere withdraws it: neither is an outcome of the order.
 * A counted payment may be refunded.
 */
export type ShareOutcome = SettledState | 'held' | 'expired' | 'dropped' | 'withdrawn' | 'refunded';

/** The amount and the count that a share holds, and what its counters may count beside both. */
export type Share = {
  readonly amount: number;
  readonly count: number;
  readonly values?: Values | undefined;
};

/** What becomes of a share. Calls hand it on as a whole. */
export type ShareEnd<To extends ShareOutcome = ShareOutcome> = {
  readonly to: To;
  /** Of a confirm, and of a refund: the amount that counts in the end. Absent: what the share holds. */
  readonly amountMinor?: number | undefined;
  /** Of a rollback. */
  readonly reasonCode?: string | undefined;
};

/**
 * Says how an outcome changes the sums of a bucket that a share entered. Take, tidy, refund, reconciliation and
 * views call it.
 *
 * | before  | outcome                              | used           | held    |
 * | ------- | ------------------------------------ | -------------- | ------- |
 * | nothing | held                                 |                | + share |
 * | nothing | one that counts: captured, recorded  | + final        |         |
 * | open    | one that counts                      | + final        | - share |
 * | open    | another                              |                | - share |
 * | over    | one that counts, in a window that goes on | + final   |         |
 * | over    | another                              |                |         |
 * | over    | each, if it counted as expired and the window goes on | - share beside that |
 * | counted | refunded                             | - final, as the counter has it |
 *
 * The counter says which counts: in an ordinary one a confirm alone. An expiry that counts uses the share.
 *
 * @param at the document's time, of a share that is over
 */
export function effectOf(
  bucket: BucketReference,
  before: ShareBefore,
  end: ShareEnd,
  share: Share,
  at?: Date,
): Sums {
  const sums = sumsMoved(bucket, before, end, share, at);
  const cells = share.values && kindOf(bucket.counter).cells?.(bucket.counter, share.values, sums);
  return cells === undefined ? sums : { ...sums, cells };
}

function sumsMoved(
  bucket: BucketReference,
  before: ShareBefore,
  { to: outcome, amountMinor, reasonCode }: ShareEnd,
  { amount, count }: Share,
  at?: Date,
): Sums {
  const finalMinor = amountMinor ?? amount;
  if (outcome === 'refunded') {
    const gives = refundsOf(bucket.counter);
    return {
      ...NO_SUMS,
      usedAmount: gives.amount ? -finalMinor : 0,
      usedCount: gives.count ? -count : 0,
    };
  }
  const held = heldBy(before, outcome);
  const hasEnded = before === 'over' && at !== undefined && isOver(bucket, at);
  const counts = isCountedState(outcome) && countsOutcome(bucket.counter, outcome, reasonCode);
  const used = counts && !hasEnded ? 1 : 0;
  const wasUsed =
    before === 'over' && !hasEnded && countsOutcome(bucket.counter, 'expired') ? 1 : 0;
  return {
    usedAmount: used * finalMinor - wasUsed * amount,
    usedCount: (used - wasUsed) * count,
    heldAmount: held * amount,
    heldCount: held * count,
  };
}

function heldBy(before: ShareBefore, outcome: ShareOutcome): 1 | 0 | -1 {
  if (before === 'open') return -1;
  return before === 'nothing' && outcome === 'held' ? 1 : 0;
}

/** The first instant at which a hold no longer counts that is made at an instant. */
export function holdEnd(from: Date, holdMs: number): Date {
  return new Date(from.getTime() + holdMs);
}

/** Whether a hold's time is over, or a bucket's window: `until` is the first instant at which it no longer counts. */
export function isOver({ until }: { readonly until: Date }, at: Date): boolean {
  return until.getTime() <= at.getTime();
}
