import type { Excess } from './answer.ts';
import { countingBuckets, hasLapsed, sumsOf } from './decision.ts';
import type { Bucket, BucketReference, DocumentView, Entry } from './document.ts';
import { currentEntry, isSameBucket } from './document.ts';
import type { Rule } from './rule.ts';

/** What a settlement does: confirm counts, rollback gives back. */
export type SettlementKind = 'confirmed' | 'rolledBack';

/** What a settlement asks of one document. */
export type SettlementAsk = {
  readonly to: SettlementKind;
  /** Final amount of a confirm; what was held when absent. */
  readonly amountMinor?: number;
  /** The call whose hold is meant, where a rollback names it. */
  readonly nonce?: string;
};

/** What a document says to a settlement, read from what it held before. */
export type Settlement =
  | {
      readonly kind: 'settled';
      readonly repeated: boolean;
      readonly late: boolean;
      readonly amountMinor: number;
      readonly entry: Entry;
    }
  | { readonly kind: 'alreadyConfirmed'; readonly amountMinor: number }
  | { readonly kind: 'alreadyRolledBack' }
  | { readonly kind: 'replaced' }
  /** The document has a share, but another one is home to the order. */
  | { readonly kind: 'elsewhere'; readonly home: string }
  | { readonly kind: 'unknown'; readonly forgot: boolean };

/** Decides a settlement from home as it was before it: the same sentence as the pipeline's. */
export function decideSettlement(view: DocumentView | undefined, ask: SettlementAsk): Settlement {
  const entry = view && currentEntry(view);
  if (view === undefined || entry === undefined)
    return { kind: 'unknown', forgot: view?.forgot ?? false };
  if (entry.home !== undefined) return { kind: 'elsewhere', home: entry.home };
  if (ask.nonce !== undefined && ask.nonce !== entry.nonce) return { kind: 'replaced' };
  const { state } = entry;
  switch (state) {
    case 'open':
    case 'expired':
      return {
        kind: 'settled',
        repeated: false,
        late: ask.to === 'confirmed' && hasLapsed(entry, view.now),
        amountMinor: ask.amountMinor ?? entry.amount,
        entry,
      };
    case 'confirmed':
    case 'rolledBack':
      return repeatOf(entry, state, ask);
  }
}

function repeatOf(entry: Entry, state: SettlementKind, ask: SettlementAsk): Settlement {
  if (state === 'rolledBack' && ask.to === 'confirmed') return { kind: 'alreadyRolledBack' };
  const otherAmount = ask.amountMinor !== undefined && ask.amountMinor !== entry.amount;
  if (state === 'confirmed' && (ask.to === 'rolledBack' || otherAmount))
    return { kind: 'alreadyConfirmed', amountMinor: entry.amount };
  const late = 'late' in entry && entry.late;
  return { kind: 'settled', repeated: true, late, amountMinor: entry.amount, entry };
}

/** What counts in a document after a confirm of the order that the view is about. */
function bucketsAfterConfirm(view: DocumentView, finalMinor: number): readonly Bucket[] {
  const entry = currentEntry(view);
  const lapsed = view.lapsed.filter(({ id }) => id !== entry?.id);
  const buckets = countingBuckets({ ...view, lapsed });
  if (entry?.state !== 'open' && entry?.state !== 'expired') return buckets;
  const moved = movedBuckets(buckets, entry, { amount: finalMinor, count: entry.count });
  return [...moved, ...revivedBuckets(view, entry, buckets, finalMinor)];
}

/** Buckets after an order's share, if it is still held there, has become what is used of it. */
export function movedBuckets(
  buckets: readonly Bucket[],
  entry: Entry,
  used: { readonly amount: number; readonly count: number },
): readonly Bucket[] {
  const held = entry.state === 'open' ? entry : { amount: 0, count: 0 };
  return buckets.map((bucket) =>
    isNamed(bucket, entry.buckets ?? [])
      ? {
          ...bucket,
          usedAmount: bucket.usedAmount === null ? null : bucket.usedAmount + used.amount,
          usedCount: bucket.usedCount + used.count,
          heldAmount: bucket.heldAmount === null ? null : bucket.heldAmount - held.amount,
          heldCount: bucket.heldCount - held.count,
        }
      : bucket,
  );
}

/** Buckets that a late confirm counts in and that were swept, empty, since the hold expired. */
export function revivedBuckets(
  view: DocumentView,
  entry: Entry,
  buckets: readonly Bucket[],
  finalMinor: number,
): readonly Bucket[] {
  return (entry.buckets ?? [])
    .filter((reference) => reference.until > view.now && !isNamed(reference, buckets))
    .map((reference) => ({
      ...reference,
      usedAmount: finalMinor,
      usedCount: entry.count,
      heldAmount: 0,
      heldCount: 0,
    }));
}

/** Says whether a bucket bears one of the names in a list. */
function isNamed(bucket: BucketReference, names: readonly BucketReference[]): boolean {
  return names.some((name) => isSameBucket(name, bucket));
}

/** The maxima of a rule that are exceeded by what counts, if the order counts there, too. */
export function excessOf(
  rule: Rule,
  counter: string,
  view: DocumentView,
  finalMinor: number,
): readonly Excess[] {
  const references = currentEntry(view)?.buckets ?? [];
  if (!references.some((one) => one.counter === counter && one.until > view.now)) return [];
  const sums = sumsOf(bucketsAfterConfirm(view, finalMinor), counter);
  const amountMinor = sums.usedAmount + sums.heldAmount - (rule.max.amountMinor ?? Infinity);
  const count = sums.usedCount + sums.heldCount - (rule.max.count ?? Infinity);
  if (amountMinor <= 0 && count <= 0) return [];
  return [
    {
      rule: rule.id,
      ...(amountMinor > 0 ? { amountMinor } : {}),
      ...(count > 0 ? { count } : {}),
    },
  ];
}
