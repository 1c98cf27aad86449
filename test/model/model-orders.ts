/**
 * The model's only store, a plain list of orders, and the two questions everything else is made
 * of: how much of a rule have they taken, and does this ask fit on top? Both add up all orders.
 */
import { bandAt, isInTimes } from './model-times.ts';
import type { ModelBucket } from './model-rules.ts';
import { counterOf, countsEnd, endOf, isStrict, valueCounted } from './model-rules.ts';
import type { ModelBound, ModelCheck, ModelRule, ModelSum, RuleInForce } from './model-types.ts';

/** One counter that an order has entered, and the bucket of it. */
export type ModelEntry = ModelBucket & {
  readonly counter: string;
  readonly countsAmount: boolean;
  /** The sums that a refund gives back in it. Default: both. */
  readonly refunds?: ModelRule['refunds'];
  /** What must become of the order for it to count here. */
  readonly counts: Pick<ModelRule, 'outcome' | 'reasonCodes'>;
  /** The order lowers the sum. */
  readonly lowers: boolean;
  /** Whether the counter is in another document than the order's home. */
  readonly beside: boolean;
  /** The order's value, where the counter counts different ones. */
  readonly value?: string | undefined;
};

export type ModelRefunded = { readonly refundId: string; readonly amount: number };

/** An order that was once allowed. Expired is `held` with `holdUntil` passed: nobody notes it. */
export type ModelOrder = {
  readonly request: ModelCheck;
  readonly home: string;
  readonly documents: readonly string[];
  readonly entries: readonly ModelEntry[];
  /** Counters of shadow rules with exact windows that had no room for its count. */
  readonly leftOut: readonly string[];
  readonly holdUntil: number;
  readonly state: 'held' | 'confirmed' | 'rolledBack';
  /** Held, or confirmed in the end. */
  readonly amount: number;
  readonly late: boolean;
  /** Of one that was rolled back. */
  readonly reasonCode?: string | undefined;
  readonly refunds?: readonly ModelRefunded[];
  /** When it happened, of one that was recorded without a check. */
  readonly happenedAt?: Date;
};

const NINE_DAYS = 9 * 86_400_000;

/** How long a share in a document beside home outlives the hold at home. */
const SHARE_BEYOND_MS = 2_000;

/** Whether the order's hold still counts: until the millisecond before `holdUntil`, beside home longer. */
export function isOpen(order: ModelOrder, now: Date, beside = false): boolean {
  return order.state === 'held' && order.holdUntil + (beside ? SHARE_BEYOND_MS : 0) > now.getTime();
}

/**
 * What is left of an expired order that is checked again: its shares beside home, until their own time
 * is over. Nobody can settle them any more.
 */
export function leftShares(order: ModelOrder): ModelOrder {
  const request = { ...order.request, orderId: `${order.request.orderId} before` };
  const documents = order.documents.filter((document) => document !== order.home);
  const entries = order.entries.filter(({ beside }) => beside);
  return { ...order, request, documents, entries };
}

/** What stays of it where an attempt counts that nobody ended. */
export function expiredAttempt(order: ModelOrder): ModelOrder {
  const request = { ...order.request, orderId: `${order.request.orderId} before` };
  const entries = order.entries.filter((one) => !one.beside && countsEnd(one.counts, 'expired'));
  return { ...order, request, documents: [], entries };
}

/** Whether an order has ended by an instant in a way that counts in a bucket which it entered. */
function isUsed(order: ModelOrder, { counts, beside }: ModelEntry, now: Date): boolean {
  const { state, reasonCode } = order;
  if (state !== 'held') return countsEnd(counts, state, reasonCode);
  return !isOpen(order, now, beside) && countsEnd(counts, 'expired');
}

export function refundedOf({ refunds = [] }: ModelOrder): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

/** What an order still takes of a counter: its refunds give back amounts, the last of them the count. */
function leftOf(
  order: ModelOrder,
  { amount = true, count = true }: ModelRule['refunds'] = {},
): ModelSum {
  const { refunds = [], request } = order;
  const isAllBack = refunds.length > 0 && refundedOf(order) === order.amount;
  return {
    amount: amount ? order.amount - refundedOf(order) : order.amount,
    count: count && isAllBack ? 0 : request.count,
  };
}

/** What the orders have confirmed and what they hold open, in buckets that count at `at`. */
export function takenOf(
  orders: readonly ModelOrder[],
  counter: string,
  now: Date,
  at: Date = now,
): { readonly used: ModelSum; readonly held: ModelSum; readonly both: ModelSum } {
  const sum = (isIn: (order: ModelOrder, entry: ModelEntry) => boolean): ModelSum =>
    orders
      .flatMap((order) => order.entries.map((entry) => ({ order, ...entry })))
      .filter(({ order, ...entry }) => isIn(order, entry))
      .filter((entry) => entry.counter === counter && entry.until > at.getTime())
      .map(({ order, countsAmount, refunds, lowers }) => {
        const left = leftOf(order, refunds);
        if (lowers) return { amount: -left.amount, count: 0 };
        return { amount: countsAmount ? left.amount : 0, count: left.count };
      })
      .reduce(plus, { amount: 0, count: 0 });
  const used = sum((order, entry) => isUsed(order, entry, now));
  const held = sum((order, { beside, lowers }) => !lowers && isOpen(order, now, beside));
  return { used, held, both: plus(used, held) };
}

/** A value that is there by orders that count: how often in all, and by those that are confirmed. */
type ModelValue = { readonly all: number; readonly used: number };

/** The values that count in a counter of different ones, at `at`. */
export function valuesIn(
  orders: readonly ModelOrder[],
  counter: string,
  now: Date,
  at: Date = now,
): ReadonlyMap<string, ModelValue> {
  const values = new Map<string, ModelValue>();
  for (const order of orders)
    for (const entry of order.entries) {
      const { counter: own, until, value, refunds, beside } = entry;
      if (own !== counter || value === undefined || until <= at.getTime()) continue;
      const isEnded = isUsed(order, entry, now);
      const { count } = leftOf(order, refunds);
      if (count === 0 || !(isEnded || isOpen(order, now, beside))) continue;
      const { all, used } = values.get(value) ?? { all: 0, used: 0 };
      values.set(value, { all: all + count, used: used + (isEnded ? count : 0) });
    }
  return values;
}

/** What is taken of a rule: of one that counts different values, these. */
export function takenBy(
  orders: readonly ModelOrder[],
  rule: ModelRule,
  subjects: ModelCheck['subjects'],
  now: Date,
  at: Date = now,
): ReturnType<typeof takenOf> {
  const counter = counterOf(rule, subjects);
  if (rule.distinct === undefined) return takenOf(orders, counter, now, at);
  const values = [...valuesIn(orders, counter, now, at).values()];
  const used = { amount: 0, count: values.filter((one) => one.used > 0).length };
  const held = { amount: 0, count: values.filter((one) => one.used === 0).length };
  return { used, held, both: plus(used, held) };
}

/** What a request would add to a rule: of different values one, unless its own is there. */
export function addedBy(
  orders: readonly ModelOrder[],
  rule: ModelRule,
  request: ModelCheck,
  now: Date,
  at: Date = now,
): ModelSum {
  const { amount, count } = request;
  const value = valueCounted(rule, request);
  if (value === undefined) return { amount, count };
  const values = valuesIn(orders, counterOf(rule, request.subjects), now, at);
  return { amount: 0, count: values.has(value) ? 0 : 1 };
}

/**
 * Whether the ask is inside the rule. With `at` after now: whether it will be, if nothing new
 * happens and every hold that is open now is confirmed.
 */
export function fits(
  orders: readonly ModelOrder[],
  rule: RuleInForce,
  request: ModelCheck,
  now: Date,
  at: Date = now,
): boolean {
  if (rule.to !== undefined && at >= rule.to) return true;
  if (at.getTime() >= endOf(rule.window)) return true;
  if (!isInTimes(rule, at)) return true;
  const { later, ...own } = rule;
  const then = later?.findLast((one) => one.at <= at);
  if (then !== undefined) return fits(orders, { ...own, max: then.max }, request, now, at);
  const ask = addedBy(orders, rule, request, now, at);
  if (rule.window === 'transaction') return !isAbove(ask, rule.max) && !isBelow(ask, rule.min);
  if (isUsedAt(orders, rule, request, now, at)) return true;
  const { both } = takenBy(orders, rule, request.subjects, now, at);
  return !isAbove(plus(both, ask), maxAsked(rule, request));
}

/** The maximum that an order is asked for: one of amount 0 takes no amount, so its count alone matters. */
export function maxAsked({ max }: ModelRule, { amount }: Pick<ModelCheck, 'amount'>): ModelBound {
  const { amount: _, ...counts } = max;
  return amount === 0 ? counts : max;
}

/** Whether a request has a value that is used already: it fits, however many values there are. */
export function isUsedAt(
  orders: readonly ModelOrder[],
  rule: ModelRule,
  request: ModelCheck,
  now: Date,
  at: Date,
): boolean {
  const value = valueCounted(rule, request);
  if (value === undefined) return false;
  const { used = 0 } =
    valuesIn(orders, counterOf(rule, request.subjects), now, at).get(value) ?? {};
  return used > 0;
}

/**
 * Whether different values are above the maximum already. One that is there fits, and a rule that notifies tells so. On
 * trial a rule tells what it would refuse: no value that is used.
 */
export function isExceeded(
  orders: readonly ModelOrder[],
  rule: ModelRule,
  request: ModelCheck,
  now: Date,
): boolean {
  const { both } = takenBy(orders, rule, request.subjects, now);
  if (rule.distinct === undefined || isStrict(rule, request)) return false;
  const wouldFit = rule.mode === 'shadow' && isUsedAt(orders, rule, request, now, now);
  return isAbove(both, rule.max) && !wouldFit;
}

/** The earliest instant from now on at which the ask is inside the rule; null is never. */
export function earliestFit(
  orders: readonly ModelOrder[],
  rule: RuleInForce,
  request: ModelCheck,
  now: Date,
): Date | null {
  const changes = [
    ...bandEnds(rule, now.getTime()),
    ...orders.flatMap((order) => order.entries.map((entry) => entry.until)),
    endOf(rule.window),
    ...[rule.to, ...(rule.later ?? []).map((one) => one.at)].flatMap(
      (instant) => instant?.getTime() ?? [],
    ),
  ]
    .filter((instant) => instant > now.getTime() && Number.isFinite(instant))
    .sort((left, right) => left - right);
  const instants = [now, ...changes.map((instant) => new Date(instant))];
  return instants.find((at) => fits(orders, rule, request, now, at)) ?? null;
}

/** When the band ends in which an instant lies, and those that touch it, as far as nine days. */
function bandEnds(rule: ModelRule, now: number): readonly number[] {
  const ends: number[] = [];
  for (
    let band = bandAt(rule, now);
    band !== undefined && band.start < now + NINE_DAYS;
    band = bandAt(rule, band.end)
  )
    ends.push(band.end);
  return ends;
}

export function plus(left: ModelSum, right: ModelSum): ModelSum {
  return { amount: left.amount + right.amount, count: left.count + right.count };
}

export function isAbove(sum: ModelSum, max: ModelBound): boolean {
  return sum.amount > (max.amount ?? Infinity) || sum.count > (max.count ?? Infinity);
}

function isBelow(sum: ModelSum, min: ModelBound = {}): boolean {
  return sum.amount < (min.amount ?? 0) || sum.count < (min.count ?? 0);
}
