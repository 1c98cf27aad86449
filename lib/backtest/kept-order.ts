import { bucketName } from '../counter/name.ts';
import { UNLISTED, placesOf } from '../document/document.ts';
import type { Hold } from '../document/document.ts';
import type { BucketReference } from '../counter/sums.ts';
import { isSameBucket } from '../counter/sums.ts';
import type { DocumentPlan } from '../document/document-plan.ts';
import type { Counter } from '../counter/kind.ts';
import { planAt } from '../document/document-plan.ts';
import type { Attempt } from '../limits/attempt.ts';
import { plansFor } from '../limits/attempt.ts';
import { valuesIn } from '../counter/kinds.ts';
import type { Ending } from '../shared/states.ts';
import { CONFIRMED } from '../shared/states.ts';
import type { PastRow } from './past-row.ts';
import type { KeptShare, MemoryDocument } from './memory-document.ts';

/** An order that is held or counts: home first. */
export type KeptOrder = {
  readonly id: string;
  readonly amountMinor: number;
  /** Nobody pays more: it was held with more as it happened. */
  readonly mostMinor?: number | undefined;
  readonly shares: readonly KeptShare[];
  /** Other attempts at it, whose shares may be open yet. */
  readonly earlier: readonly KeptOrder[];
};

/** How an order enters its documents. */
export type Entering = {
  readonly amountMinor: number;
  readonly mostMinor?: number | undefined;
  /** The end of its hold at home, where a row tells it. */
  readonly until?: Date | undefined;
  /** It is counted at once. */
  readonly ending?: Ending | undefined;
};

/** How a captured order, or a record, ends at once. */
export function endingOfAttempt({ capture, ending }: Attempt['request']): Ending | undefined {
  return capture ? (ending ?? CONFIRMED) : undefined;
}

/** The open shares of an attempt in a document beside home, as a document shows them. */
export function sharesIn({ id, shares }: KeptOrder, document: MemoryDocument, home: string) {
  const own = shares.filter((one) => one.document === document && one.isBeside);
  return own.flatMap((share, place): readonly Hold[] => {
    const { amount, count, until, buckets, values, before } = share;
    if (before !== 'open') return [];
    const nonce = `${until.getTime()} ${place}`;
    const places = placesOf(buckets, buckets.map(bucketName), UNLISTED);
    const hold = { state: 'open', id, nonce, digest: '', amount, count, until, places } as const;
    const whole = { ...hold, home, leftOut: [] };
    return [values === undefined ? whole : { ...whole, values }];
  });
}

/** What a document will have of an order that enters some buckets. */
export function shareKept(
  { request, values }: Attempt,
  document: MemoryDocument,
  buckets: readonly BucketReference[],
  { amountMinor: amount, until, isBeside }: Pick<KeptShare, 'until' | 'isBeside'> & Entering,
): KeptShare {
  const { count } = request;
  const own = valuesIn(buckets, values);
  return { document, buckets, amount, count, until, isBeside, before: 'nothing', values: own };
}

/** At the end of a window a document may be in the next one. */
export function planIn(attempt: Attempt, document: string, now: Date): DocumentPlan {
  const known = planAt(plansFor(attempt, document), now);
  if (known !== undefined) return known;
  const later = { ...attempt, plan: attempt.planAt(now) };
  const plan = planAt(plansFor(later, document), now);
  if (plan === undefined) throw new RangeError('a plan is made for its own instant');
  return plan;
}

/** Buckets as the row of an order has them, where it names their counters. */
export function asTold(
  { shares }: PastRow,
  name: string,
  buckets: readonly BucketReference[],
): readonly BucketReference[] {
  const told = shares.find(({ document }) => document === name)?.buckets ?? [];
  if (told.length === 0) return buckets;
  return buckets.map((bucket) => {
    const known = told.find(({ counter }) => counter === bucket.counter);
    return known === undefined || isSameBucket(known, bucket) ? bucket : known;
  });
}

/** Counters on trial that an order did not enter, where its row names those that it entered. */
export function leftOutAsTold(
  { shares }: PastRow,
  name: string,
  counters: readonly Counter[],
): readonly string[] {
  const told = shares.find(({ document }) => document === name)?.buckets;
  if (told === undefined) return [];
  const entered = new Set(told.map(({ counter }) => counter));
  return counters.flatMap(({ key, shadow }) => (shadow && !entered.has(key) ? [key] : []));
}
