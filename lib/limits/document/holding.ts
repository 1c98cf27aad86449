import { SLACK_MS } from '../../shared/bounds.ts';
import type { DocumentView, Entry, Share } from './document.ts';
import { bucketsEntered } from '../position.ts';
import type { HoldAsk, Holding } from '../counter-store.ts';
import type { Addition, Taken } from './addition.ts';
import { endOf } from './entries.ts';
import type { StoredDocument } from './stored.ts';
import { readView } from './stored.ts';

/** What an add that matched wrote, with the document as it is then. */
export function holdingOf(
  addition: Addition,
  ask: HoldAsk,
  found: StoredDocument,
  before?: DocumentView,
): Holding {
  const { taken, now } = addition;
  const ids = ask.orders.map(({ id }) => id);
  // Decided for the instant of the add, whenever it was carried out.
  const { now: databaseNow, seen = now, ...stored } = found;
  // Others may have seen a little more meanwhile; what a clock that was set back leaves ahead stays there.
  const at = seen > now && seen.getTime() - now.getTime() <= SLACK_MS ? seen : now;
  const read = {
    ...readView(stored, ids, at),
    ...(databaseNow === undefined ? {} : { databaseNow }),
  };
  const atHome = new Set(
    taken.flatMap(({ order }) => (order.home === undefined ? [order.id] : [])),
  );
  const nonces = new Set(taken.map(({ nonce }) => nonce));
  const own = taken.map((one) => entryOf(one, addition));
  return {
    view: {
      ...read,
      ...(ask.terms === undefined ? {} : { terms: ask.terms }),
      entries: [
        // What was known of the others is told as it was read: this very add may have forgotten it.
        ...(before ?? read).entries.filter(({ id }) => !atHome.has(id)),
        ...own.flatMap(({ entry }) => entry ?? []),
      ],
      shares: [
        ...read.shares.filter(({ nonce }) => !nonces.has(nonce)),
        ...own.flatMap(({ share }) => share ?? []),
      ],
    },
    held: new Map(taken.map(({ order, nonce }) => [order.id, nonce])),
    isOvertaken: false,
  };
}

/** What a document has of an order that it has just taken: an entry at home, a share beside it. */
function entryOf(
  { order, nonce, leftOut }: Taken,
  { counters, now }: Addition,
): { readonly entry?: Entry; readonly share?: Share } {
  const { id, digest, amountMinor: amount, count, others, home } = order;
  const until = endOf(order, now);
  const own = { id, nonce, digest, amount, count, leftOut };
  const elsewhere = others === undefined ? {} : { others };
  if (order.capture) {
    const ends = others === undefined ? {} : { others, until };
    return { entry: { ...own, ...ends, state: 'confirmed', late: false } };
  }
  const buckets = bucketsEntered(counters, leftOut, now);
  const hold = { ...own, ...elsewhere, until, buckets, state: 'open' as const };
  return home === undefined ? { entry: hold } : { share: { ...hold, home } };
}
