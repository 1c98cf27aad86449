import { countsOutcome, refundsOf } from '../rule/counter.ts';
import type { Values } from '../rule/distinct.ts';
import { valueIn } from '../rule/distinct.ts';
import type { BucketReference, Hold, Sums } from './document.ts';
import { NO_SUMS } from './document.ts';
import type { SettledState } from '../shared/states.ts';
import { isCounted } from '../shared/states.ts';
import { withValues } from './values.ts';

/** A document has nothing of an order's share yet, an open hold, one that is over, or a counted payment. */
export type ShareBefore = 'nothing' | 'open' | 'over' | 'counted';

/**
 * The end of the share, or its beginning: it is held, counted, given back, or its time is over. Another attempt at
 * its order may drop it, and an attempt that is refused elsewhere withdraws it: neither is an outcome of the order.
 * A counted payment may be refunded.
 */
export type ShareOutcome = SettledState | 'held' | 'expired' | 'dropped' | 'withdrawn' | 'refunded';

/** Of a share: the amount and the count that it holds, and the amount that counts in the end. */
export type Share = {
  readonly amount: number;
  readonly count: number;
  /** Those that its counters count: the count of each moves as that of the bucket does. */
  readonly values?: Values | undefined;
  /** Of a confirm, and of a refund. */
  readonly finalMinor?: number | undefined;
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
  outcome: ShareOutcome,
  share: Share,
  at?: Date,
): Sums {
  const sums = sumsMoved(bucket, before, outcome, share, at);
  const value = share.values && valueIn(bucket.counter, share.values);
  if (value === undefined) return sums;
  return { ...sums, values: { [value]: { used: sums.usedCount, held: sums.heldCount } } };
}

function sumsMoved(
  bucket: BucketReference,
  before: ShareBefore,
  outcome: ShareOutcome,
  { amount, count, finalMinor = amount, reasonCode }: Share,
  at?: Date,
): Sums {
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
  const counts = isCounted(outcome) && countsOutcome(bucket.counter, outcome, reasonCode);
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

/** Adds up how holds that expire change the sums of the buckets that they entered, by name. */
export function effectOfExpired(holds: readonly Hold[]): ReadonlyMap<string, Sums> {
  const effects = new Map<string, Sums>();
  for (const hold of holds)
    for (const [place, name] of hold.names.entries()) {
      const bucket = hold.buckets[place];
      if (bucket === undefined) continue;
      const effect = effectOf(bucket, 'open', 'expired', hold);
      const sums = effects.get(name) ?? NO_SUMS;
      const { usedAmount, usedCount, heldAmount, heldCount, values } = sums;
      effects.set(name, {
        usedAmount: usedAmount + effect.usedAmount,
        usedCount: usedCount + effect.usedCount,
        heldAmount: heldAmount + effect.heldAmount,
        heldCount: heldCount + effect.heldCount,
        ...withValues(values, effect.values),
      });
    }
  return effects;
}

/** The first instant at which a hold no longer counts that is made at an instant. */
export function holdEnd(from: Date, holdMs: number): Date {
  return new Date(from.getTime() + holdMs);
}

/** Whether a hold's time is over, or a bucket's window: `until` is the first instant at which it no longer counts. */
export function isOver({ until }: { readonly until: Date }, at: Date): boolean {
  return until.getTime() <= at.getTime();
}
