/** Rules of documents that subjects have together, each left out once. */
import { COUNTER_SUM_MAX } from '../../lib/shared/bounds.ts';
import { changed, foundIn } from './planting.ts';

const ofSeveral = (document: string): boolean => document.includes('|');

export const PAIRS_FOLLOW_NOTHING = foundIn(
  { documents: 2, changes: ['pairs'], from: 1 },
  changed('a settlement leaves the shares of pairs as they are', (counters) => ({
    settleShares: async (document, asks, estimate, at) =>
      counters.settleShares(document, ofSeveral(document) ? [] : asks, estimate, at),
  })),
);

export const PAIRS_HAVE_ROOM = foundIn(
  { documents: 2, changes: ['pairs'], from: 1 },
  changed('a document of a pair has room for all that comes', (counters) => ({
    hold: (ask, at) => {
      if (!ofSeveral(ask.document)) return counters.hold(ask, at);
      const plans = ask.plans.map((plan) => ({
        ...plan,
        counters: plan.counters.map((counter) => ({
          ...counter,
          maxAmountMinor: COUNTER_SUM_MAX,
          maxCount: counter.kind.mostCounted,
        })),
      }));
      return counters.hold({ ...ask, plans }, at);
    },
  })),
);
