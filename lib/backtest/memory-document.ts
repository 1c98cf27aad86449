import { withSums } from '../document/decision.ts';
import type { Bucket, BucketReference, DocumentView, Sums } from '../document/document.ts';
import { blankView, documentTime, holdsAny, isSameBucket } from '../document/document.ts';
import type { Share, ShareBefore, ShareOutcome } from '../document/effect.ts';
import { effectOf, isOver } from '../document/effect.ts';
import { sumsAmounts } from '../rule/counter.ts';
import type { Terms } from '../rule/terms.ts';
import { isSettled } from '../shared/states.ts';

/** What one document has of an order. */
export type KeptShare = Share & {
  readonly document: MemoryDocument;
  readonly buckets: readonly BucketReference[];
  /** The first instant at which it is no longer held. */
  readonly until: Date;
  readonly isBeside: boolean;
  before: ShareBefore;
};

const NONE_RELEASED: ReadonlyMap<string, Sums> = new Map();

/**
 * A subject's document in memory. One replay writes it, one row after the other, so no statement has a condition.
 * A view of it is right until the next write.
 */
export class MemoryDocument {
  #buckets: Bucket[] = [];
  readonly #open = new Set<KeptShare>();
  #openHolds = 0;
  #openShares = 0;
  #seen: Date | undefined;
  #nextEndMs = Infinity;

  timeAt(at: Date): Date {
    return documentTime(at, this.#seen);
  }

  /** The document at its time. What lapsed by then is released first. */
  viewAt(at: Date, terms: Terms | undefined): DocumentView {
    const now = this.timeAt(at);
    this.#tidy(now);
    return {
      ...blankView(now),
      buckets: this.#buckets,
      openHolds: this.#openHolds,
      openShares: this.#openShares,
      terms,
      released: NONE_RELEASED,
    };
  }

  /** Moves a share on: it is held, ends, or gives back. */
  move(share: KeptShare, outcome: ShareOutcome, how: Partial<Share>, at: Date): void {
    const now = this.timeAt(at);
    this.#tidy(now);
    this.#seen = now;
    this.#sum(share, outcome, how, now);
    if (share.before === 'open') this.#close(share);
    if (outcome === 'held') this.#hold(share);
    else share.before = isSettled(outcome) || outcome === 'refunded' ? 'counted' : 'over';
  }

  /** Whether nothing of it matters any more. */
  isIdle(at: Date): boolean {
    this.#tidy(this.timeAt(at));
    this.#buckets = this.#buckets.filter(holdsAny);
    return this.#open.size === 0 && this.#buckets.length === 0;
  }

  #hold(share: KeptShare): void {
    share.before = 'open';
    this.#open.add(share);
    if (share.isBeside) this.#openShares += 1;
    else this.#openHolds += 1;
    this.#nextEndMs = Math.min(this.#nextEndMs, share.until.getTime());
  }

  #close(share: KeptShare): void {
    this.#open.delete(share);
    if (share.isBeside) this.#openShares -= 1;
    else this.#openHolds -= 1;
  }

  #sum(share: KeptShare, outcome: ShareOutcome, how: Partial<Share>, now: Date): void {
    const { amount, count, values } = share;
    const moved = { amount, count, values, ...how };
    for (const name of share.buckets) {
      if (isOver(name, now)) continue;
      const effect = effectOf(name, share.before, outcome, moved, now);
      if (isNothing(effect)) continue;
      const place = this.#buckets.findIndex((bucket) => isSameBucket(bucket, name));
      const bucket = this.#buckets[place] ?? emptyBucket(name);
      const after = withSums(bucket, outcome === 'refunded' ? atMost(bucket, effect) : effect);
      if (place >= 0) this.#buckets[place] = after;
      else this.#enter(after);
    }
  }

  #enter(bucket: Bucket): void {
    this.#buckets.push(bucket);
    this.#nextEndMs = Math.min(this.#nextEndMs, bucket.until.getTime());
  }

  #tidy(now: Date): void {
    if (this.#nextEndMs > now.getTime()) return;
    for (const share of this.#open)
      if (isOver(share, now)) {
        this.#sum(share, 'expired', {}, now);
        this.#close(share);
        share.before = 'over';
      }
    this.#buckets = this.#buckets.filter((bucket) => !isOver(bucket, now));
    this.#nextEndMs = Infinity;
    for (const { until } of [...this.#open, ...this.#buckets])
      this.#nextEndMs = Math.min(this.#nextEndMs, until.getTime());
  }
}

function emptyBucket({ counter, until }: BucketReference): Bucket {
  const amount = sumsAmounts(counter) ? 0 : null;
  return {
    counter,
    until,
    usedAmount: amount,
    usedCount: 0,
    heldAmount: amount,
    heldCount: 0,
  };
}

function isNothing({ usedAmount, usedCount, heldAmount, heldCount }: Sums): boolean {
  return usedAmount === 0 && usedCount === 0 && heldAmount === 0 && heldCount === 0;
}

/** A refund takes off no more than is used. */
function atMost({ usedAmount, usedCount, values }: Bucket, effect: Sums): Sums {
  const taken = {
    ...effect,
    usedAmount: -Math.min(usedAmount ?? 0, -effect.usedAmount),
    usedCount: -Math.min(usedCount, -effect.usedCount),
  };
  if (effect.values === undefined) return taken;
  const ofValues = Object.entries(effect.values).map(([value, { used, held }]) => {
    const is = values?.[value]?.used ?? 0;
    return [value, { used: -Math.min(is, -used), held }] as const;
  });
  return { ...taken, values: Object.fromEntries(ofValues) };
}
