/** Rules of the protocol over several documents, each left out once. */
import { SHARE_BEYOND_MS } from '../../lib/shared/bounds.ts';
import type { DocumentView } from '../../lib/document/document.ts';
import { emptyView } from '../../lib/document/document.ts';
import type { Filter } from '../../lib/document/update.ts';
import { SERVER_NOW } from '../../lib/document/update.ts';
import { LostAnswerError, UndecidedError } from '../../lib/shared/errors.ts';
import type { Ask, AskedOrder, CounterStore } from '../../lib/document/counter-store.ts';
import { isOverSeveral } from '../../lib/document/counter-store.ts';
import type { Mistake } from './planting.ts';
import { isTake } from '../support/statement-operators.ts';
import { asking, askingFor, changed, foundIn, sending, without } from './planting.ts';
import { holdsOf } from './stored.ts';

export const SAME_NONCE: Mistake = {
  name: 'all calls have the same nonce',
  found: { documents: 2, from: 5 },
  nonce: () => 'n',
};

export const ONE_NONCE_A_CALL: Mistake = {
  name: 'a call has one nonce, however often it begins',
  found: { documents: 2, from: 9 },
  nonce: (running) => running?.call.name ?? 'n',
};

export const SETTLES_BY_ORDER: Mistake = {
  name: 'shares are settled by their order, and not by their nonce',
  found: { documents: 3, from: 187 },
  counters: (counters, documents) => ({
    ...counters,
    settleShares: (document, asks, estimate, at) => {
      const found = (id: string): string | undefined =>
        holdsOf(documents.get(document)).find((hold) => hold.id === id)?.nonce;
      const others = asks.map((ask) =>
        ask.to === 'confirmed' ? { ...ask, nonce: found(ask.id) ?? ask.nonce } : ask,
      );
      return counters.settleShares(document, others, estimate, at);
    },
  }),
};

const withoutShares = (views: ReadonlyMap<string, DocumentView>): typeof views =>
  new Map([...views].map(([document, view]) => [document, { ...view, shares: [] }]));

export const NO_STEP_4: Mistake = {
  name: 'a commit drops no shares',
  found: { documents: 2, changes: ['modes'], from: 37 },
  counters: (counters) => ({
    ...counters,
    together: (work) =>
      counters.together((inner) =>
        work({
          ...inner,
          read: async (...asked) => withoutShares(await inner.read(...asked)),
        }),
      ),
  }),
};

/** A document whose shares all seem to have one home. */
const withHome = (view: DocumentView, home: string | undefined): DocumentView =>
  home === undefined ? view : { ...view, shares: view.shares.map((share) => ({ ...share, home })) };

export const DROPS_ANY = foundIn(
  { documents: 2, isOneCommit: true, from: 7 },
  changed('shares of another home are dropped, too', (counters) => ({
    hold: async (ask, at) => {
      const holding = await counters.hold(ask, at);
      return { ...holding, view: withHome(holding.view, ask.orders[0]?.home) };
    },
    read: async (documents, ...asked) => {
      const views = await counters.read(documents, ...asked);
      const home = counters.isOneCommit ? documents[0] : undefined;
      return new Map([...views].map(([document, view]) => [document, withHome(view, home)]));
    },
  })),
);

function stretching(name: string, byMs: number): Mistake {
  return asking(name, (ask) => ({
    ...ask,
    plans: ask.plans.map((plan) => ({ ...plan, until: new Date(plan.until.getTime() + byMs) })),
  }));
}

export const STRETCH_TOO_LONG = stretching('a stretch of time lasts too long', 1);

export const HOURS_TOO_LONG = foundIn(
  { documents: 1, changes: ['hours'], from: 7 },
  stretching('the hours of a rule last a minute too long', 60_000),
);

export const GIVES_BACK_AFTER_LOST_HOLD: Mistake = {
  name: 'shares are given back where the answer of home was lost',
  found: { documents: 2, from: 5 },
  counters: (counters) => ({
    ...counters,
    hold: async (ask, at) => {
      try {
        return await counters.hold(ask, at);
      } catch (error) {
        for (const { id, nonce, others = [] } of ask.orders)
          for (const other of others) await giveBack(counters, other, id, nonce, ask);
        throw error;
      }
    },
  }),
};

async function giveBack(
  counters: CounterStore,
  document: string,
  id: string,
  nonce: string,
  { estimate }: Ask,
): Promise<void> {
  await counters.settleShares(document, [{ id, nonce, to: 'rolledBack' }], estimate);
}

export const ASKS_AGAIN_FOR_SHARES = foundIn(
  { documents: 3, from: 3_150 },
  changed('a share whose answer was lost is asked for again under its nonce', (counters) => ({
    hold: async (ask, at) => {
      if (ask.place === 'home') return counters.hold(ask, at);
      const again = () => counters.hold({ ...ask, readsFirst: true }, at);
      const holding = await counters.hold(ask, at).catch(unlessUndecided);
      const isAnswered = holding !== undefined && (holding.held.size > 0 || holding.refuses);
      return isAnswered === true ? holding : again();
    },
  })),
);

export const REFUSES_AFTER_LOST_HOLD = foundIn(
  { documents: 2, from: 5 },
  changed(
    'an order is refused, or begins again, where home did not show it after its answer was lost',
    (counters) => ({
      hold: async (ask, at) => {
        const holding = await counters.hold(ask, at).catch(unlessUndecided);
        if (holding !== undefined) return holding;
        const ids = ask.orders.map(({ id }) => id);
        const views = await counters.read([ask.document], ids, ask.estimate, at);
        return { view: views.get(ask.document) ?? emptyView(ask.estimate), held: new Map() };
      },
    }),
  ),
);

export const REFUSES_AFTER_LOST_CAPTURE = changed(
  'an order that counts at once is refused where its document did not show it after its answer was lost',
  (counters) => ({
    hold: async (ask, at) => {
      const holding = await counters.hold(ask, at).catch(unlessUndecided);
      if (holding !== undefined || isOverSeveral(ask)) return holding ?? counters.hold(ask, at);
      return counters.hold({ ...ask, orders: ask.orders.map(barred) }, at);
    },
  }),
);

const barred = (order: AskedOrder): AskedOrder => ({ ...order, barred: true });

export const ADDS_AGAIN_AFTER_LOST_CAPTURE = changed(
  'an order that counts at once is added again where its document did not show it after its answer was lost',
  (counters) => ({
    hold: async (ask, at) => {
      const again = ask.orders.map((order) => ({ ...order, nonce: `${order.nonce}-again` }));
      const holding = await counters.hold(ask, at).catch(unlessUndecided);
      return holding ?? counters.hold({ ...ask, orders: again }, at);
    },
  }),
);

function unlessUndecided(error: unknown): undefined {
  if (!(error instanceof UndecidedError)) throw error;
}

export const TAKES_BLINDLY: Mistake = {
  name: 'a take whose answer was lost is sent again, and its second answer decides',
  found: { documents: 2, from: 137 },
  statements: (statements) => {
    const missed = new Set<string>();
    return {
      ...statements,
      async update(update) {
        const document = String(update.filter._id);
        try {
          return await statements.update(update);
        } catch (error) {
          if (!isTake(update) || !(error instanceof LostAnswerError)) throw error;
          const again = await statements.update(update);
          if (again === undefined) missed.add(document);
          return again;
        }
      },
      async find(documents, projection) {
        const found = await statements.find(documents, projection);
        return found.filter(({ _id }) => !missed.delete(_id));
      },
    };
  },
};

export const ADDS_AT_ANY_TIME: Mistake = {
  name: 'an add matches at any time',
  found: { documents: 1, from: 879 },
  statements: sending((update) => {
    const isAdd = update.returns?.document === 'after' && 'seen' in update.filter;
    return isAdd ? { ...update, filter: atAnyTime(update.filter) } : update;
  }),
};

function atAnyTime(filter: Filter): Filter {
  const { $expr } = filter;
  const { $and = [$expr] } = $expr as { readonly $and?: readonly unknown[] };
  const timeless = $and.filter((one) => !JSON.stringify(one).includes(SERVER_NOW));
  return { ...without(filter, 'seen'), $expr: { $and: timeless } };
}

export const NO_HOME_NAMED = foundIn(
  { documents: 2 },
  askingFor('shares do not name their home', (order) => without(order, 'home')),
);

export const TIME_FROM_STEP_3 = foundIn(
  { documents: 2, isOneCommit: true, from: 311 },
  askingFor('time at home begins with step 3', (order) => {
    return order.others === undefined ? order : without(order, 'until');
  }),
);

export const NO_SLACK = foundIn(
  { documents: 2, from: 419 },
  askingFor('shares end with the hold at home', (order) => {
    const { home, until } = order;
    if (home === undefined || until === undefined) return order;
    return { ...order, until: new Date(until.getTime() - SHARE_BEYOND_MS) };
  }),
);

export const MEMORY_NOT_MINDED = asking('home may forget between two steps', (ask) =>
  without(ask, 'rememberedBefore'),
);

export const FORGETS_AFTER_ROWS = asking('home may forget once rows were asked', (ask) =>
  ask.rememberedBefore === 0 ? ask : without(ask, 'rememberedBefore'),
);

export const ROWS_NOT_ASKED = asking('home counts at once what it may have forgotten', (ask) =>
  ask.rememberedBefore === 0 ? without(ask, 'rememberedBefore') : ask,
);

/** Later than any share ends. */
const FAR = new Date(Date.UTC(9_000, 0));

export const DROPS_NOT_MINDED = asking('home is asked unread, whatever was dropped', (ask) => ({
  ...ask,
  unreadUntil: ask.unreadUntil && FAR,
}));

/** Where a document remembers one outcome. */
export const ASKED_NOT_MINDED: Mistake = {
  name: 'home forgets what it is asked',
  statements: sending((update) => {
    const { settled, ...lists } = (update.update.$push ?? {}) as { readonly settled?: object };
    if (settled === undefined) return update;
    const items = '$each' in settled ? settled.$each : [settled];
    const $push = { ...lists, settled: { $each: items, $slice: -1 } };
    return { ...update, update: { ...update.update, $push } };
  }),
};

export const DROPPED_NOT_KEPT = changed('what a commit drops is not kept', (counters) => ({
  settleShares: (document, asks, estimate, at) => {
    const others = asks.map((ask) =>
      ask.to === 'dropped' ? { ...ask, to: 'rolledBack' as const } : ask,
    );
    return counters.settleShares(document, others, estimate, at);
  },
}));

export const NO_LOOK_BEFORE_REFUSAL: Mistake = {
  name: 'home is not looked at again before a refusal is the answer',
  found: { documents: 3, from: 4 },
  counters: (counters) => {
    let isBeside = false;
    return {
      ...counters,
      hold: (ask, at) => {
        isBeside = ask.orders.some(({ home }) => home !== undefined);
        return counters.hold(ask, at);
      },
      read: async (...asked) => {
        const isSecond = isBeside;
        isBeside = false;
        const views = await counters.read(...asked);
        if (!isSecond) return views;
        return new Map([...views].map(([id, view]) => [id, { ...view, entries: [] }]));
      },
    };
  },
};
