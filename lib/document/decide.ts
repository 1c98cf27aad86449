import { BUCKETS_MAX, COUNTER_SUM_MAX, SLACK_MS } from '../shared/bounds.ts';
import type { Entrant } from '../counter/entry.ts';
import type { Decision, Full, FullBound } from './decision.ts';
import { countingBuckets, hasLapsed } from './decision.ts';
import { wholeSums, holdsAny, isSameBucket } from '../counter/sums.ts';
import type { DocumentView } from './document.ts';
import type { Bucket, Sums } from '../counter/sums.ts';
import { bucketsEntered, takenShare, withShare } from './position.ts';
import type { Ask, AskedOrder } from './counter-store.ts';
import { isOver } from '../counter/effect.ts';
import { hasNoRule } from '../rule/counter-key.ts';
import type { DocumentPlan } from './document-plan.ts';
import type { Counter, Overrun } from '../counter/kind.ts';
import { pairsAmong, planAt } from './document-plan.ts';
import { bucketOf } from '../counter/bucket.ts';
import { groupedBy } from '../shared/grouped.ts';

/** What a document that was read says to the orders of an ask. */
export type Decided = {
  /** Undefined where none is for the document's time. */
  readonly plan: DocumentPlan | undefined;
  readonly taken: readonly AskedOrder[];
  /** Nonces of what expired of those orders. */
  readonly expired: readonly string[];
  /** Whether a rule or a bound says no to one of the orders. */
  readonly refuses: boolean;
  /** The sums of shadow counters that some orders do not enter, by key. */
  readonly shadows: ReadonlyMap<string, Sums>;
};

/**
 * Decides which orders a document takes, one after the other, in the order given.
 *
 * @param rememberedMax with more outcomes than that, home may have forgotten what was read before
 */
export function decideHold(
  view: DocumentView,
  { document, orders, plans, terms, unreadUntil, estimate }: Ask,
  rememberedMax: number,
): Decided {
  const plan = planAt(plans, view.now);
  const isOther = view.terms?.version !== terms?.version;
  const taken: AskedOrder[] = [];
  let current = view;
  let passing = 0;
  let refuses = false;
  if (plan !== undefined && !isOther && view.remembered <= rememberedMax) {
    const entries = groupedBy(view.entries, ({ id }) => id);
    for (const order of orders) {
      // It begins again, and those after it with it.
      if (order.until !== undefined && isOver({ until: order.until }, view.now)) break;
      if (unreadUntil !== undefined && isLate(view, order, unreadUntil, estimate)) break;
      const seen = { ...current, entries: entries.get(order.id) ?? [] };
      const said = decide(
        order.passes === true || passing === 0 ? seen : withoutPassing(seen, passing),
        order,
        plan,
        document,
      );
      refuses ||= said.kind === 'refused' || said.kind === 'full';
      if (said.kind !== 'wouldHold') continue;
      const fitting = withAmount(order, said.amountMinor);
      const leftOut = leftOutBy(current, plan.counters, fitting);
      taken.push(leftOut.length === 0 ? fitting : { ...fitting, leftOut });
      const entered = bucketsEntered(plan.counters, leftOut, view.now);
      const isShare = order.home !== undefined;
      if (order.passes === true) passing += 1;
      current = withShare(current, takenShare(fitting, isShare, entered));
    }
  }
  // Beside home an entry of such an id is that of another order, whose home this is.
  const ids = new Set(taken.flatMap(({ id, home }) => (home === undefined ? id : [])));
  const counting = countingBuckets(view);
  return {
    plan,
    taken,
    refuses,
    expired: view.entries.flatMap(({ id, nonce, state }) =>
      state === 'expired' && ids.has(id) ? [nonce] : [],
    ),
    shadows: new Map(
      (plan?.counters ?? [])
        .filter(({ key }) => taken.some(({ leftOut }) => leftOut?.includes(key) === true))
        .map(({ key }) => [key, wholeSums(counting, key)]),
    ),
  };
}

/** A document beside home without the places of captured orders of the same ask. */
function withoutPassing(view: DocumentView, passing: number): DocumentView {
  return {
    ...view,
    openShares: view.openShares - passing,
    openSharesOfApp: view.openSharesOfApp - passing,
  };
}

/** Whether an order that was asked unread comes too late, or a commit may have dropped its shares. */
function isLate(
  { now, droppedUntil }: DocumentView,
  { home }: AskedOrder,
  sharesUntil: Date,
  estimate: Date,
): boolean {
  if (Math.abs(now.getTime() - estimate.getTime()) > SLACK_MS) return true;
  return home === undefined && droppedUntil !== undefined && droppedUntil >= sharesUntil;
}

/** Finds the entry that keeps an order out at its home. An expired hold keeps nobody out who asks the same again. */
export function knownIn(view: DocumentView, { id, digest }: Pick<AskedOrder, 'id' | 'digest'>) {
  return view.entries.find(
    (one) => one.id === id && !(hasLapsed(one, view.now) && one.digest === digest),
  );
}

/** Decides one order: what an add may write, or why nothing is written. */
export function decide(
  view: DocumentView,
  order: AskedOrder,
  plan: DocumentPlan,
  document: string,
): Decision {
  const most = mostOf(order, plan);
  const whole = decideAmount(view, most, plan, document);
  if (whole.kind !== 'refused' || order.leastMinor === undefined) return whole;
  const amountMinor = leftIn(view, plan);
  const leastMinor = Math.max(order.leastMinor, plan.single?.leastMinor ?? 0);
  if (amountMinor < leastMinor || amountMinor >= most.amountMinor) return whole;
  return decideAmount(view, withAmount(order, amountMinor), plan, document);
}

/** The most of an order that may pass: all of it, but for what rules for single transactions leave to one that takes less. */
export function mostOf(order: AskedOrder, { single }: DocumentPlan): AskedOrder {
  const { amountMinor, leastMinor } = order;
  if (leastMinor === undefined || single === undefined) return order;
  return withAmount(order, Math.min(amountMinor, single.mostMinor));
}

function withAmount(order: AskedOrder, amountMinor: number): AskedOrder {
  return amountMinor === order.amountMinor ? order : { ...order, amountMinor };
}

/** The largest amount that all rules over windows leave in a document. */
function leftIn(view: DocumentView, { counters }: DocumentPlan): number {
  const buckets = countingBuckets(view);
  const limiting = counters.filter(({ shadow, sumsAmounts }) => !shadow && sumsAmounts);
  const left = limiting.map((one) => -excessIn(one, buckets, undefined).amount);
  return Math.min(...left);
}

function decideAmount(
  view: DocumentView,
  order: AskedOrder,
  plan: DocumentPlan,
  document: string,
): Decision {
  const { counters, isBarred, single } = plan;
  const { amountMinor, digest, capture, openMax, openMaxOfApp = Infinity, home } = order;
  const entry = knownIn(view, order);
  // Beside home nobody knows the order.
  if (home === undefined && entry !== undefined)
    return { kind: 'known', entry, sameContent: entry.digest === digest };
  const buckets = countingBuckets(view);
  const tight = counters.filter((counter) => !counter.shadow && !hasRoom(counter, buckets, order));
  const isRefused = tight.some((counter) => exceedsRule(counter, buckets, order));
  const isOutside =
    single !== undefined && (amountMinor < single.leastMinor || amountMinor > single.mostMinor);
  if (order.barred || isBarred === true || isRefused || isOutside) return { kind: 'refused' };
  if (tight.length > 0) return full('COUNTER_FULL', document, openMax);
  const open = home === undefined ? view.openHolds : view.openShares;
  const openOfApp = home === undefined ? view.openHoldsOfApp : view.openSharesOfApp;
  if (!capture && open >= openMax) return full('TOO_MANY_OPEN_HOLDS', document, openMax);
  if (!capture && openOfApp >= openMaxOfApp)
    return full('TOO_MANY_OPEN_HOLDS', document, openMaxOfApp, 'app');
  return haveRoomFor(plan, buckets, view.now)
    ? { kind: 'wouldHold', amountMinor }
    : full('TOO_MANY_BUCKETS', document, openMax);
}

function full(
  bound: FullBound,
  document: string,
  openMax: number,
  openOf: Full['openOf'] = 'all',
): Decision {
  return { kind: 'full', bound, document, openMax, openOf };
}

/** Whether a document has room for the buckets that an order enters. Those of several subjects fill only their part. */
function haveRoomFor(
  { counters, pairs, stillRead }: DocumentPlan,
  buckets: readonly Bucket[],
  now: Date,
): boolean {
  if (buckets.length + counters.length <= (pairs?.most ?? BUCKETS_MAX)) return true;
  // A bucket that expired holds left empty is dropped, and made again. One that no rule reads is dropped.
  const live = buckets.filter((each) => holdsAny(each) && !hasNoRule(each.counter, stillRead));
  const added = counters.filter((counter) => {
    const reference = bucketOf(counter, now);
    return !live.some((each) => isSameBucket(each, reference));
  });
  if (live.length + added.length > BUCKETS_MAX) return false;
  const addedPairs = added.filter(({ isOfPair }) => isOfPair).length;
  if (pairs === undefined || addedPairs === 0) return true;
  return pairsAmong(live, pairs, stillRead) + addedPairs <= pairs.most;
}

/** Counters of rules on trial that have no room for an order: it does not enter them. */
export function leftOutBy(view: DocumentView, counters: readonly Counter[], asks: Entrant) {
  const buckets = countingBuckets(view);
  return counters
    .filter((counter) => counter.shadow && !hasRoom(counter, buckets, asks))
    .map(({ key }) => key);
}

function hasRoom(counter: Counter, buckets: readonly Bucket[], asks: Entrant): boolean {
  const { amount, count } = excessIn(counter, buckets, asks);
  if (amount > 0 || count > 0) return false;
  const { key, kind, sumsAmounts } = counter;
  return kind.staysExact?.(key, buckets, sumsAmounts ? asks.amountMinor : 0) !== false;
}

/** Whether a rule's maximum is exceeded, and not only the largest sum that is kept exactly. */
function exceedsRule(counter: Counter, buckets: readonly Bucket[], asks: Entrant): boolean {
  const { amount, count } = excessIn(counter, buckets, asks);
  const { kind, maxAmountMinor, maxCount } = counter;
  const isCountLimited = maxCount < kind.mostCounted;
  return (maxAmountMinor < COUNTER_SUM_MAX && amount > 0) || (isCountLimited && count > 0);
}

/** By how much an order would exceed the maxima of a counter; below zero, how much would be left. */
export function excessIn(
  counter: Counter,
  buckets: readonly Bucket[],
  asks: Entrant | undefined,
): Overrun {
  const { key, kind } = counter;
  return kind.excess(key, kind.sums(key, buckets), counter, asks);
}
