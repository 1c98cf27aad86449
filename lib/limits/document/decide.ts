import type { Sums } from '../decision.ts';
import { countingBuckets, decide, leftOutBy, sumsOf } from '../decision.ts';
import type { DocumentView } from './document.ts';
import { groupedBy } from '../many.ts';
import { withShare } from '../position.ts';
import type { HoldAsk, HoldOrder } from '../counter-store.ts';
import type { KnownBefore } from './conditions.ts';

/** What a document that was read says to the orders of an ask. */
export type Decided = {
  /** The plan for its instant; undefined where none is. */
  readonly plan: HoldAsk['plans'][number] | undefined;
  /** The orders that it takes, in the order given, with the counters that each does not enter. */
  readonly taken: readonly { readonly order: HoldOrder; readonly leftOut: readonly string[] }[];
  /** What is known of orders that are taken again, and of shadow counters that some do not enter. */
  readonly known: KnownBefore;
  /** Whether a rule or a bound says no to one of the orders. */
  readonly refuses: boolean;
  readonly shadows: ReadonlyMap<string, Sums>;
};

/**
 * Decides which orders a document takes, from what was read of it at one instant: one after the other, in
 * the order given.
 *
 * @param rememberedMax with more outcomes than that, home may have forgotten what was read before
 */
export function decideHold(
  view: DocumentView,
  { orders, plans, terms }: HoldAsk,
  rememberedMax: number | undefined,
): Decided {
  const plan = plans.find(({ from, until }) => from <= view.now && view.now < until);
  const isOther = view.terms?.version !== terms?.version;
  const mayForget = rememberedMax !== undefined && view.remembered > rememberedMax;
  const taken: { order: HoldOrder; leftOut: readonly string[] }[] = [];
  let current = view;
  let refuses = false;
  if (plan !== undefined && !isOther && !mayForget) {
    const entries = groupedBy(view.entries, ({ id }) => id);
    for (const order of orders) {
      if (order.until !== undefined && order.until <= view.now) continue;
      const mine = { ...current, entries: entries.get(order.id) ?? [] };
      const isBeside = order.home !== undefined;
      const open = isBeside ? current.openShares : current.openHolds;
      const said = decide(mine, {
        barred: plan.isBarred === true || order.barred,
        counters: plan.counters,
        asks: order,
        opens: order.capture ? undefined : { now: open, most: order.openMax },
        digest: isBeside ? undefined : order.digest,
      });
      refuses ||= said.kind === 'refused' || said.kind === 'full';
      if (said.kind !== 'allowed') continue;
      const leftOut = leftOutBy(current, plan.counters, order);
      taken.push({ order, leftOut });
      const { amountMinor, count, capture: captured } = order;
      const share = { amountMinor, count, captured, isBeside, counters: plan.counters, leftOut };
      current = withShare(current, share);
    }
  }
  const ids = new Set(taken.map(({ order }) => order.id));
  const counters = plan?.counters ?? [];
  const counting = countingBuckets(view);
  return {
    plan,
    taken,
    refuses,
    known: {
      expired: view.entries.flatMap(({ id, nonce, state }) =>
        state === 'expired' && ids.has(id) ? [nonce] : [],
      ),
      hasForeign: view.shares.some(({ id, state }) => state === 'open' && ids.has(id)),
    },
    shadows: new Map(
      counters
        .filter(({ key }) => taken.some(({ leftOut }) => leftOut.includes(key)))
        .map(({ key }) => [key, sumsOf(counting, key)]),
    ),
  };
}
