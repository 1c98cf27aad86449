import type { Ask } from './counter-store.ts';
import { openOfApp } from './written.ts';
import { SERVER_NOW, type Projection } from './update.ts';

/** What an ask needs of its document. A share is kept beside home alone. */
export function askProjection(ask: Ask): Projection {
  return viewProjection(
    ask.orders.map(({ id }) => id),
    ask.place === 'beside' ? 'theirs' : 'none',
    ask.at,
    ask.orders[0]?.openMaxOfApp !== undefined,
  );
}

/**
 * Gives the server's instant, all sums, what is known of some orders, and the holds whose time is over.
 *
 * @param kept shares that are kept for a late confirm
 * @param at stands in the place of the server's instant, in tests and in local mode
 * @param countsApp whether the application of these orders has a bound of its own: its open holds are counted
 */
export function viewProjection(
  ids: readonly string[],
  kept: 'theirs' | 'all' | 'none',
  at?: Date,
  countsApp = false,
): Projection {
  const [id] = ids;
  const now = at ?? SERVER_NOW;
  return {
    now,
    seen: 1,
    q: 1,
    b: 1,
    h: holdsThat({
      $or: [isOneOf(ids, 'v.'), isOverBy({ $max: [now, '$seen'] })],
    }),
    open: 1,
    shares: 1,
    p: 1,
    settled: those('settled', isOneOf(ids)),
    expired: those('expired', isOneOf(ids)),
    ...(kept === 'none' ? {} : { kept: kept === 'all' ? 1 : those('kept', isOneOf(ids)) }),
    ...REMEMBERED,
    remembered: 1,
    forgotUntil: 1,
    madeAt: 1,
    droppedUntil: 1,
    terms: 1,
    ...(countsApp && id !== undefined
      ? { openOfApp: openOfApp(id, false), sharesOfApp: openOfApp(id, true) }
      : {}),
  };
}

/** How much a document remembers: what is too much for it, a tidy cuts. */
export const REMEMBERED: Projection = {
  settledCount: listSize('$settled'),
  expiredCount: listSize('$expired'),
};

/** The holds whose time is over, of the document after an add. */
export const LAPSED: Projection = {
  h: holdsThat(isOverBy('$seen')),
  p: 1,
};

/** As `isOver`, for a hold of the document. */
function isOverBy(instant: unknown): unknown {
  return { $lte: ['$$this.v.until', instant] };
}

function listSize(list: string): unknown {
  return { $size: { $ifNull: [list, []] } };
}

function isOneOf(ids: readonly string[], within = ''): unknown {
  const [only] = ids;
  return ids.length === 1
    ? { $eq: [`$$this.${within}id`, { $literal: only }] }
    : { $in: [`$$this.${within}id`, { $literal: ids }] };
}

function holdsThat(cond: unknown): unknown {
  return { $arrayToObject: { $filter: { input: { $objectToArray: '$h' }, cond } } };
}

function those(list: string, cond: unknown): unknown {
  return { $filter: { input: `$${list}`, cond } };
}
