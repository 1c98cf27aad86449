/** What a document lets in, worked out from what is stored: the shortest way, by nobody's code. */
import { digestOf } from '../../lib/shared/digest.ts';
import type { CounterRule, SceneRules } from './scene-rules.ts';
import { enteredBy, isInEffect, isOfExpired } from './scene-rules.ts';
import type { Maximum, Scene, SceneOrder } from './scene.ts';
import { WALLET, amountOf, finalAmountOf, partOf, timesIn, timesOf } from './scene.ts';
import type { Stored, StoredBucket, StoredHold, StoredTerms } from './stored.ts';
import { bucketsOf, holdsOf, termsOf, valuesOf } from './stored.ts';

type Stretch = { readonly from?: Date; readonly until?: Date };

function isWithin({ from, until }: Stretch, at: Date): boolean {
  return (from === undefined || from <= at) && (until === undefined || at < until);
}

export function isFrozen(document: Stored | undefined, at: Date): boolean {
  const freeze = termsOf(document)?.freeze;
  return freeze !== undefined && isWithin(freeze, at);
}

/** The maximum of a rule for a subject with such terms, at an instant: each sum by the last that says it. */
export function maximumUnder(
  { rule, max }: CounterRule,
  terms: StoredTerms | undefined,
  at: Date,
): Maximum {
  const own = (terms?.overrides ?? []).filter((one) => one.rule === rule && isWithin(one, at));
  const ofBoth = (sum: 'amount' | 'count'): number => {
    const mine = own.findLast((one) => one[sum] !== undefined)?.[sum];
    return mine === null ? Infinity : (mine ?? max[sum] ?? Infinity);
  };
  return { amount: ofBoth('amount'), count: ofBoth('count') };
}

/** Instants at which a subject's terms begin or end. */
export function turnsOf(terms: StoredTerms | undefined): readonly Date[] {
  const all: readonly Stretch[] = [...(terms?.overrides ?? []), terms?.freeze ?? {}];
  return all.flatMap(({ from, until }) => [from, until].filter((at) => at !== undefined));
}

export type Ask = {
  readonly document: Stored | undefined;
  readonly kind: string;
  readonly at: Date;
  readonly rules: SceneRules;
  readonly orders: readonly number[];
  readonly orderOf: (order: number) => SceneOrder;
  /** Whether what an order has used before counts against it: home may have forgotten it. */
  readonly isNew: (order: number) => boolean;
  /** Whether orders that take what fits ask for all of it. */
  readonly isWhole?: boolean;
  /** The rules of which some ask for room. */
  readonly asks: (rule: CounterRule) => boolean;
};

/** Whether there is room for some orders, whatever their own shares; one that is counted needs what it has. */
export function hasRoom({ document, kind, at, rules, isNew, asks, ...ask }: Ask): boolean {
  if (isFrozen(document, at)) return false;
  const live = bucketsOf(document).filter(({ until }) => until > at.getTime());
  return rules.counted
    .filter(
      (rule) => rule.kind === kind && rule.isShadow !== true && asks(rule) && isInEffect(rule, at),
    )
    .every((rule) => {
      const orders = ask.orders.filter(
        (order) => enteredBy(rule, ask.orderOf(order)) === rule.counter,
      );
      // No rule refuses what it does not count.
      if (orders.length === 0) return true;
      if (rule.isOfCards === true)
        return hasRoomForCards(document, rule, at, orders.map(ask.orderOf));
      let [amount, count, usedSum, heldSum] = [-loweredIn(live, rule), 0, 0, 0];
      for (const bucket of live.filter(({ counter }) => counter === rule.counter)) {
        usedSum += bucket.usedAmount;
        heldSum += bucket.heldAmount;
        amount += bucket.usedAmount + bucket.heldAmount;
        count += bucket.usedCount + bucket.heldCount;
      }
      for (const order of orders) {
        const { asked, final } = timesIn(usedSum, order);
        const held = timesOf(heldSum, order) - lapsedIn(document, rule, at, order);
        const { isPartial } = ask.orderOf(order);
        // One that takes what fits leaves less to others of its call than the least that it takes.
        const isWhole = isPartial === true && (ask.isWhole === true || orders.length > 1);
        const asks = isWhole ? finalAmountOf(order) : amountOf(order);
        // A hold that expired was another attempt.
        const isAgain = !isOfExpired(rule) && asked + final > 0 && !isNew(order);
        const needed = isAgain ? 0 : 1;
        // Another attempt at an order holds it, too, for a while, which is in the way of others of its call.
        const takes = orders.length > 1 ? Math.max(needed, held) : needed;
        amount += asks * takes - partOf(heldSum, order);
        count += takes - held;
      }
      const max = maximumUnder(rule, termsOf(document), at);
      return amount <= max.amount && count <= max.count;
    });
}

/** How many holds of an order are over, where each of them was an attempt that counts. */
function lapsedIn(
  document: Stored | undefined,
  rule: CounterRule,
  at: Date,
  order: number,
): number {
  if (!isOfExpired(rule)) return 0;
  return holdsOf(document).filter(
    ({ amount, until, buckets }) =>
      [amountOf(order), finalAmountOf(order)].includes(amount) &&
      until <= at &&
      buckets.some((bucket) => bucket.startsWith(`${rule.counter} `)),
  ).length;
}

/** Cards that are used fit, and others up to the maximum, beside those that lapsed. */
function hasRoomForCards(
  document: Stored | undefined,
  { counter, max }: CounterRule,
  at: Date,
  orders: readonly SceneOrder[],
): boolean {
  const live = valuesOf(document).filter(
    (bucket) => bucket.counter === counter && bucket.until > at.getTime(),
  );
  const countedIn = (part: 'allOf' | 'usedOf'): ReadonlySet<string> =>
    new Set(
      live.flatMap(({ [part]: counts }) =>
        Object.keys(counts).filter((card) => (counts[card] ?? 0) > 0),
      ),
    );
  const cards = orders.map(({ card = '' }) => digestOf(card));
  const [all, used] = [countedIn('allOf'), countedIn('usedOf')];
  if (cards.every((card) => used.has(card))) return true;
  return new Set([...all, ...cards]).size <= (max.count ?? Infinity);
}

/** How much is taken off a rule's sum, as some buckets have it. */
export function loweredIn(buckets: readonly StoredBucket[], { lowering }: CounterRule): number {
  return buckets
    .filter(({ counter }) => counter === lowering)
    .reduce((sum, { usedAmount }) => sum + usedAmount, 0);
}

/** Places for open holds: those that all ids share, and those that the ids of an application do. */
export function placesOf(
  { holds, shares, walletPercent = 100 }: NonNullable<Scene['openMax']>,
  isBeside: boolean,
): readonly { readonly most: number; readonly isOf: (id: string) => boolean }[] {
  const most = isBeside ? shares : holds;
  return [
    { most, isOf: () => true },
    {
      most: Math.max(1, Math.floor((most * walletPercent) / 100)),
      isOf: (id) => id.startsWith(`${WALLET}:`),
    },
  ];
}

/** How many of a document's holds are open: of orders whose home it is, or of others. */
export function openIn(
  document: Stored | undefined,
  at: Date,
  isBeside: boolean,
  isCounted: (hold: StoredHold) => boolean,
): number {
  return holdsOf(document).filter(
    (hold) => hold.until > at && (hold.home !== undefined) === isBeside && isCounted(hold),
  ).length;
}
