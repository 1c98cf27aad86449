import type { DocumentView, Entry } from './document.ts';
import { currentEntry } from './document.ts';
import type { SettlementKind } from './settlement.ts';
import { movedBuckets, revivedBuckets } from './settlement.ts';

/** A document at one order's place: what is known of that order alone. */
export function viewOfOrder(view: DocumentView, id: string): DocumentView {
  return { ...view, entries: view.entries.filter((entry) => entry.id === id) };
}

/** A document after one of many settlements, so that the next is told what it would find. */
export function afterSettlement(
  view: DocumentView,
  id: string,
  to: SettlementKind,
  finalMinor: number,
): DocumentView {
  const entry = currentEntry(viewOfOrder(view, id));
  if (entry?.state !== 'open' && entry?.state !== 'expired') return view;
  const used = to === 'confirmed' ? { amount: finalMinor, count: entry.count } : NOTHING;
  const moved = movedBuckets(view.buckets, entry, used);
  const revived = to === 'confirmed' ? revivedBuckets(view, entry, view.buckets, finalMinor) : [];
  const others: readonly Entry[] = view.entries.filter((other) => other.id !== id);
  return {
    ...view,
    entries: others,
    buckets: [...moved, ...revived],
    lapsed: view.lapsed.filter((hold) => hold.id !== id),
  };
}

const NOTHING = { amount: 0, count: 0 };
