/** Rules of what changes in a story (bounds, terms, rules, deleted documents), each left out once. */
import { OPEN_HOLDS_MAX } from '../../lib/shared/bounds.ts';
import type { OrderRows } from '../../lib/audit/audit.ts';
import type { Documents } from '../support/mingo-store.ts';
import type { Mistake } from './planting.ts';
import { asking, askingFor, foundIn, without } from './planting.ts';
import { countsIn } from './scene-rules.ts';
import { bucketsOf, holdsOf, renonced, termsOf } from './stored.ts';

export const PLACES_COUNTED_BEFORE = asking(
  'open holds are counted before the update that opens one more',
  (ask, document) => ({
    ...ask,
    orders: ask.orders.map((order) => {
      const isFull = holdsOf(document).length >= order.openMax;
      return isFull ? order : { ...order, openMax: OPEN_HOLDS_MAX };
    }),
  }),
);

export const PLACES_OF_ALL = foundIn(
  { documents: 2, changes: ['apps'] },
  askingFor('an application may have the places of all', (order) => without(order, 'openMaxOfApp')),
);

export const STEPS_COUNTED_BEFORE = foundIn(
  { documents: 1, changes: ['rolling'], from: 5 },
  asking("a span's orders are counted before the update that adds one more", (ask, document) => ({
    ...ask,
    plans: ask.plans.map((plan) => ({
      ...plan,
      counters: plan.counters.map((counter) => {
        const isSpan = counter.bucket.kind === 'stepped' || counter.bucket.isStep === true;
        const steps = bucketsOf(document).filter((one) => one.counter === counter.key);
        const live = steps.filter(({ until }) => until > ask.estimate.getTime());
        const count = live.reduce((sum, one) => sum + one.usedCount + one.heldCount, 0);
        const isFree = count + ask.orders.length <= counter.maxCount;
        return isSpan && isFree ? { ...counter, maxCount: 1_000_000 } : counter;
      }),
    })),
  })),
);

export const TRIALS_REFUSE = foundIn(
  { documents: 1, changes: ['shadow'], from: 8 },
  asking('a rule on trial refuses', (ask) => ({
    ...ask,
    plans: ask.plans.map((plan) => ({
      ...plan,
      counters: plan.counters.map((counter) => ({ ...counter, shadow: false })),
    })),
  })),
);

export const TERMS_FROM_BEFORE = foundIn(
  { documents: 1, changes: ['terms'], from: 39 },
  asking('a check is held under terms from before a change', (ask, document) => {
    const version = termsOf(document)?.version;
    return version === undefined
      ? without(ask, 'terms')
      : { ...ask, terms: { version, overrides: [] } };
  }),
);

export const MADE_UNDER_ANOTHER_NONCE: Mistake = {
  name: 'a share in a document that was deleted has another nonce than home tells',
  effect: remakingUnder('-1'),
};

function remakingUnder(suffix: string): NonNullable<Mistake['effect']> {
  const known = new WeakMap<Documents, Set<string>>();
  return (documents, id, effect) => () => {
    const ever = known.get(documents) ?? new Set();
    const isMadeAgain = ever.has(id) && !documents.has(id);
    const answer = effect();
    const document = documents.get(id);
    if (document !== undefined) known.set(documents, ever.add(id));
    if (isMadeAgain && document !== undefined)
      documents.set(
        id,
        renonced(document, (nonce) => `${nonce}${suffix}`),
      );
    return answer;
  };
}

const DAY_MS = 86_400_000;

export const DATED_TOO_SOON: Mistake = {
  name: 'documents are kept for a day after their last write',
  found: { documents: 1, changes: ['deletion'] },
  effect: (documents, id, effect) => () => {
    const answer = effect();
    const document = documents.get(id);
    const seen = document?.seen;
    if (seen instanceof Date)
      documents.set(id, { ...document, expireAt: new Date(seen.getTime() + DAY_MS) });
    return answer;
  },
};

export const RULES_FROM_BEFORE: Mistake = {
  name: 'a process keeps the rules that it knew first',
  found: { documents: 1, changes: ['rules'] },
  rules: (_, first) => first,
};

export const RETIRED_NOT_SETTLED: Mistake = {
  name: 'shares are settled only where payments are counted still',
  found: { documents: 2, changes: ['rules'] },
  counters: (counters, _, rules) => ({
    ...counters,
    settleShares: (document, asks, estimate, at) => {
      const known = rules();
      return known === undefined || countsIn(known, document)
        ? counters.settleShares(document, asks, estimate, at)
        : Promise.resolve(undefined);
    },
  }),
};

export const REFUNDED_TWICE: Mistake = {
  name: 'a refund is taken off the sums twice',
  found: { documents: 1, changes: ['audit'], from: 5 },
  refunds: (refunds) => ({
    ...refunds,
    async giveBack(giveBack, at) {
      await refunds.giveBack(giveBack, at);
      return refunds.giveBack(giveBack, at);
    },
  }),
};

export const EARLIER_REFUNDS_UNKNOWN: Mistake = {
  name: 'a refund does not know those before it',
  found: { documents: 1, changes: ['audit'], from: 5 },
  refunds: (refunds) => ({
    ...refunds,
    open: async (order, at) => ({ ...(await refunds.open(order, at)), refunds: [] }),
  }),
};

function ofNewest(found: OrderRows): OrderRows {
  const newest = found.rows.at(-1)?.documents[0];
  return { ...found, rows: found.rows.filter(({ documents: [home] }) => home === newest) };
}

export const NEWEST_NAMED: Mistake = {
  name: 'an id that two orders have names the newer one',
  found: { documents: 1, changes: ['audit'], from: 7 },
  audit: (store) => ({
    ...store,
    effectsOf: async (order, home) => ofNewest(await store.effectsOf(order, home)),
    effectsOfMany: async (orders) => (await store.effectsOfMany(orders)).map(ofNewest),
  }),
};

export const COMMITS_BLINDLY: Mistake = {
  name: 'a commit ends though others wrote its documents meanwhile',
  found: { documents: 2, changes: ['modes'], from: 8 },
  isBlind: true,
};
