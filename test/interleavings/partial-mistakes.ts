/** Rules of orders that take what fits, each left out once. */
import { emptyView } from '../../lib/document/document.ts';
import { askingFor, changed, foundIn } from './planting.ts';
import { amountOf, finalAmountOf } from './scene.ts';

/** The first order of a scene alone asks for this amount. */
const WHOLE = finalAmountOf(0);

export const EACH_TAKES_WHAT_FITS = foundIn(
  { documents: 2, changes: ['partial'], from: 24 },
  askingFor('each document takes what fits in it, before the others are read', (order) =>
    order.amountMinor === WHOLE && order.leastMinor === undefined
      ? { ...order, leastMinor: amountOf(0) }
      : order,
  ),
);

export const HOME_AGREES_ALONE = foundIn(
  { documents: 2, changes: ['partial'], from: 37 },
  changed('home alone says how much it is', (counters) => ({
    read: async (documents, ids, estimate, at) => {
      const found = await counters.read(documents, ids, estimate, at);
      const [home] = documents;
      return new Map(
        [...found].map(([name, view]) => [
          name,
          name === home ? view : { ...emptyView(view.now), terms: view.terms },
        ]),
      );
    },
  })),
);
