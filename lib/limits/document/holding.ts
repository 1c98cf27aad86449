import { SLACK_MS } from '../../shared/bounds.ts';
import type { Bucket, DocumentView, Entry, Hold, Share } from './document.ts';
import { blankView, holdsAny } from './document.ts';
import type { DocumentPlan, FixedBuckets } from '../plan.ts';
import { bucketsEntered } from '../position.ts';
import type { HoldAsk, Holding } from '../counter-store.ts';
import type { Addition, Taken } from './addition.ts';
import { endOf } from './addition.ts';
import type { StoredDocument } from './stored.ts';
import { readBuckets, readHold, readSums, readView } from './stored.ts';

/** What an add that matched wrote, with the document as it is then. */
export function holdingOf(
  addition: Addition,
  ask: HoldAsk,
  found: StoredDocument,
  before?: DocumentView,
): Holding {
  const { taken, plan, now, asRead } = addition;
  // Decided for the instant of the add, whenever it was carried out.
  const { now: databaseNow, seen = now, ...stored } = found;
  // Others may have seen a little more meanwhile; what a clock that was set back leaves ahead stays there.
  const at = seen > now && seen.getTime() - now.getTime() <= SLACK_MS ? seen : now;
  const atHome = new Set<string>();
  const held = new Map<string, string>();
  const [entries, shares]: [Entry[], Share[]] = [[], []];
  for (const one of taken) {
    const { id, home } = one.order;
    held.set(id, one.nonce);
    if (home === undefined) atHome.add(id);
    const { entry, share } = entryOf(one, addition);
    if (entry !== undefined) entries.push(entry);
    if (share !== undefined) shares.push(share);
  }
  // An add that asked whether all orders are unknown leaves nothing to be read of them.
  const isKnown = asRead === undefined && shares.length === 0;
  const ids = ask.orders.map(({ id }) => id);
  const read = isKnown ? sumsView(stored, plan, at) : readView(stored, ids, at);
  const nonces = new Set(held.values());
  return {
    view: {
      ...read,
      databaseNow,
      terms: ask.terms ?? read.terms,
      // The outcomes of other orders come from the read, because this add may have dropped them.
      entries: [...(before ?? read).entries.filter(({ id }) => !atHome.has(id)), ...entries],
      shares: [...read.shares.filter(({ nonce }) => !nonces.has(nonce)), ...shares],
    },
    held,
    isOvertaken: false,
  };
}

function sumsView(stored: StoredDocument, plan: DocumentPlan, at: Date): DocumentView {
  const all = plan.fixed === undefined ? readBuckets(stored) : fixedBuckets(stored, plan);
  const buckets = all.filter((bucket) => bucket.until > at && holdsAny(bucket));
  const lapsed: Hold[] = [];
  for (const hold of stored.holds ?? []) if (hold.until <= at) lapsed.push(readHold(hold));
  return { ...blankView(at), buckets, lapsed };
}

function fixedBuckets({ b = {} }: StoredDocument, { counters }: DocumentPlan): Bucket[] {
  const read: Bucket[] = [];
  for (const { key: counter, bucket, sumsAmounts } of counters) {
    const sums = bucket.kind === 'fixed' ? b[bucket.fields.name] : undefined;
    if (bucket.kind !== 'fixed' || sums === undefined) continue;
    read.push(readSums({ counter, until: bucket.until }, sums, sumsAmounts));
  }
  return read;
}

const NOT_FIXED: Partial<FixedBuckets> = {};

/** What a document has of an order that it has just taken: an entry at home, a share beside it. */
function entryOf(
  { order, nonce, leftOut }: Taken,
  { plan, now }: Addition,
): { readonly entry?: Entry; readonly share?: Share } {
  const { id, digest, amountMinor: amount, count, others, home } = order;
  const until = endOf(order, now);
  if (order.capture) {
    const own = { id, nonce, digest, amount, count, leftOut };
    const ends = others === undefined ? {} : { others, until };
    return { entry: { ...own, ...ends, state: 'confirmed', late: false } };
  }
  const { references, names } = leftOut.length === 0 ? (plan.fixed ?? NOT_FIXED) : NOT_FIXED;
  const buckets = references ?? bucketsEntered(plan.counters, leftOut, now);
  const hold = { id, nonce, digest, amount, count, leftOut, others, until, buckets, names };
  return home === undefined
    ? { entry: { ...hold, state: 'open' } }
    : { share: { ...hold, home, state: 'open' } };
}
