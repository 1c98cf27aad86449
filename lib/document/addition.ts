import { valuesIn } from '../rule/distinct.ts';
import type { BucketReference, Hold, Outcome } from './document.ts';
import { deletableFrom, namesDigest } from './document.ts';
import { bucketName } from './bucket-name.ts';
import type { HoldOrder } from './counter-store.ts';
import type { InstantRange } from './conditions.ts';
import type { Decided } from './decide.ts';
import { holdEnd } from './effect.ts';
import { KEPT_BEYOND_MS, MEMORY_MS } from '../shared/bounds.ts';
import { CONFIRMED } from '../shared/states.ts';
import { countersDigest } from '../shared/digest.ts';
import type { DocumentPlan } from './document-plan.ts';
import { bucketOf } from './document-plan.ts';

/** An order that an add takes. No two statements that add carry the same nonce. */
export type Taken = {
  readonly order: HoldOrder;
  readonly nonce: string;
  /** Counters that it does not enter: shadow rules alone use them, and they have no room. */
  readonly leftOut: readonly string[];
};

/** Orders that one document takes, all of them or none; windows and ends are worked out for `now`. */
export type Addition = {
  readonly taken: readonly Taken[];
  readonly plan: DocumentPlan;
  /** Of the orders that are not counted at once. */
  readonly holds: readonly Hold[];
  readonly outcomes: readonly Outcome[];
  readonly now: Date;
  /** Where the server's instant must lie. */
  readonly stretch: InstantRange;
  /** The document must not have seen this instant. */
  readonly notSeen: Date;
  /** Of a rolling window, steps count that end after this. */
  readonly countAfter: Date;
  /** The document has no more buckets than this before. */
  readonly bucketsMax: number;
  readonly asRead?: AsRead;
};

/** Holds an add to a document that was read before. */
export type AsRead = Pick<Decided, 'expired' | 'shadows'>;

/** One add in eight looks at all buckets, so that somebody sees those that are over. */
export function isChosen([first]: readonly Taken[]): boolean {
  return first !== undefined && first.nonce.charCodeAt(0) % 8 === 0;
}

/** The first instant at which the share of an order no longer counts. */
export function shareEnd({ until, holdMs }: HoldOrder, now: Date): Date {
  return until ?? holdEnd(now, holdMs);
}

/** When the last share ends that the commit of an add has dropped, as home keeps it. */
export function droppedBy(taken: readonly Taken[]): { readonly droppedUntil?: Date } {
  const ends = taken.flatMap(({ order }) => order.droppedUntil?.getTime() ?? []);
  return ends.length === 0 ? {} : { droppedUntil: new Date(Math.max(...ends)) };
}

/** What is known of orders once a document has taken them, at home or beside it. */
export function enteredFrom(taken: readonly Taken[], plan: DocumentPlan, now: Date) {
  const holds: Hold[] = [];
  const outcomes: Outcome[] = [];
  let whole: ReturnType<typeof namedBuckets> | undefined;
  let counters: string | undefined;
  for (const { order, nonce, leftOut } of taken) {
    const { id, digestOfId, digest, amountMinor: amount, count, others, home } = order;
    const until = shareEnd(order, now);
    const share = { id, nonce, digest, amount, count, leftOut, others };
    if (order.capture) {
      counters ??= countersDigest(plan.counters);
      const agreed = others && until;
      const { to: state, reasonCode } = order.ending ?? CONFIRMED;
      const outcome = { state, reasonCode, late: false, at: now, counters, until: agreed };
      outcomes.push({ ...outcome, ...share });
      continue;
    }
    const named =
      leftOut.length === 0
        ? (whole ??= namedBuckets(plan, leftOut, now))
        : namedBuckets(plan, leftOut, now);
    const hold: Hold = { state: 'open', digestOfId, until, home, ...named, ...share };
    const values = valuesIn(named.buckets, order.values);
    holds.push(values === undefined ? hold : { ...hold, values });
  }
  return { holds, outcomes };
}

function namedBuckets({ counters }: DocumentPlan, leftOut: readonly string[], now: Date) {
  const buckets: BucketReference[] = [];
  const names: string[] = [];
  for (const counter of counters) {
    if (leftOut.includes(counter.key)) continue;
    const reference = bucketOf(counter, now);
    buckets.push(reference);
    names.push(
      counter.bucket.kind === 'fixed' ? counter.bucket.fields.name : bucketName(reference),
    );
  }
  return { buckets, names, digestOfNames: namesDigest({ names }) };
}

/** When nothing of what orders enter matters any more. */
export function expireAt({ taken, plan, now }: Addition): Date {
  let last = KEPT_BEYOND_MS;
  for (const { order } of taken) last = Math.max(last, shareEnd(order, now).getTime() + MEMORY_MS);
  for (const counter of plan.counters)
    last = Math.max(last, bucketOf(counter, now).until.getTime() + KEPT_BEYOND_MS);
  return deletableFrom(last);
}
