import { hasLapsed, withBuckets, withEffect } from './decision.ts';
import type { SettlementAsk } from './counter-store.ts';
import type { DocumentView, Entry, Hold } from './document.ts';
import { currentEntry } from './document.ts';
import type { ShareEnd } from '../counter/effect.ts';
import { isOver } from '../counter/effect.ts';
import type { SettledState } from '../shared/states.ts';
import type { Move } from './take.ts';
import { countedBuckets } from './take.ts';

type SettledEnd = ShareEnd<SettledState> & { readonly amountMinor: number };

/** What home says to a settlement, read from what it held before. */
export type Settlement =
  | {
      readonly kind: 'settled';
      readonly repeated: boolean;
      readonly late: boolean;
      /** Where it is a repeat: as the first ended it. */
      readonly end: SettledEnd;
      readonly entry: Entry;
    }
  | { readonly kind: 'alreadyConfirmed'; readonly amountMinor: number; readonly entry: Entry }
  | { readonly kind: 'alreadyRolledBack' }
  | { readonly kind: 'replaced' }
  /** The document has a share, but another one is home to the order. */
  | { readonly kind: 'elsewhere'; readonly home: string }
  /** What home remembers: `whole` where it has forgotten no outcome since it was made. */
  | { readonly kind: 'unknown'; readonly memory: 'none' | 'whole' | 'partial' };

/**
 * Decides from home as it was before; `outcomesMax` is how many outcomes home remembers.
 *
 * @param reserved the nonce that a reservation names: a share of another attempt is not what it means
 */
export function decideSettlement(
  view: DocumentView | undefined,
  ask: SettlementAsk,
  outcomesMax: number,
  reserved?: string,
): Settlement {
  const entry = view && currentEntry(view);
  if (view === undefined || entry === undefined) {
    const isMeant = ({ state, nonce }: Hold): boolean =>
      state === 'open' && (reserved === undefined || nonce === reserved);
    const home = view?.shares.find(isMeant)?.home;
    if (home !== undefined) return { kind: 'elsewhere', home };
    if (view === undefined) return { kind: 'unknown', memory: 'none' };
    return { kind: 'unknown', memory: view.remembered > outcomesMax ? 'partial' : 'whole' };
  }
  if (ask.nonce !== undefined && ask.nonce !== entry.nonce) return { kind: 'replaced' };
  const { amount } = entry;
  if (!('late' in entry)) {
    const late = ask.to === 'confirmed' && hasLapsed(entry, view.now);
    const amountMinor = ask.amountMinor ?? amount;
    const end = { to: ask.to, amountMinor, reasonCode: ask.reasonCode };
    return { kind: 'settled', repeated: false, late, end, entry };
  }
  const { state, late, reasonCode } = entry;
  if (state === 'rolledBack' && ask.to === 'confirmed') return { kind: 'alreadyRolledBack' };
  const isOtherAmount = ask.amountMinor !== undefined && ask.amountMinor !== amount;
  if (state === 'confirmed' && (ask.to === 'rolledBack' || isOtherAmount))
    return { kind: 'alreadyConfirmed', amountMinor: amount, entry };
  const end = { to: ask.to, amountMinor: amount, reasonCode };
  return { kind: 'settled', repeated: true, late, end, entry };
}

/** What a document has of an order that can still be counted or given back, by the call that made it. */
export function pendingIn({ entries, shares }: DocumentView, nonce: string): Hold | undefined {
  const isMeant = (one: Entry): one is Hold => one.nonce === nonce && 'places' in one;
  return entries.find(isMeant) ?? shares.find(isMeant);
}

/** What counts in a document after a hold that it has is counted with an amount, or given back. */
export function afterSettlement(
  view: DocumentView,
  hold: Hold | undefined,
  end: Move['end'],
): DocumentView {
  if (hold === undefined) return view;
  const isOpen = hold.state === 'open';
  // Of a document that nobody read, none are known.
  if (isOpen && view.buckets.length === 0 && view.lapsed.length === 0) return view;
  // The buckets of an open hold are there.
  const revived = isOpen ? [] : countedBuckets({ hold, end });
  const buckets = withBuckets(
    view.buckets,
    revived.filter((bucket) => !isOver(bucket, view.now)),
  );
  const isSettled = ({ nonce }: Hold): boolean => nonce === hold.nonce;
  return {
    ...view,
    buckets: withEffect(
      buckets,
      hold.places.buckets,
      hold,
      isOpen ? 'open' : 'over',
      end,
      view.now,
    ),
    ...(view.lapsed.some(isSettled)
      ? { lapsed: view.lapsed.filter((one) => !isSettled(one)), released: undefined }
      : {}),
  };
}
