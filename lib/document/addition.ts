import { EXACT_STEP_MS } from '../rule/windows/window-kind.ts';
import { valuesIn } from '../counter/kinds.ts';
import { BUCKETS_MAX, KEPT_BEYOND_MS, MEMORY_MS, SLACK_MS } from '../shared/bounds.ts';
import { countersDigest } from '../shared/digest.ts';
import { CONFIRMED } from '../shared/states.ts';
import type { Writable } from '../shared/writable.ts';
import { notSeenFrom } from './conditions.ts';
import type { Ask, AskedOrder } from './counter-store.ts';
import { isOverSeveral } from './counter-store.ts';
import type { Decided } from './decide.ts';
import { decideHold, mostOf } from './decide.ts';
import type { DocumentView, Hold, Outcome } from './document.ts';
import { deletableFrom } from './document.ts';
import type { DocumentPlan } from './document-plan.ts';
import { placesIn, planAt } from './document-plan.ts';
import { bucketAt } from '../counter/bucket.ts';
import { holdEnd } from '../counter/effect.ts';
import type { Adding } from './statements.ts';
import type { StoredDocument } from './stored.ts';
import { readView } from './stored.ts';

/* Which orders one update adds to a document, and what it knows of them: by the caller's estimate, or as was read. */

/**
 * Orders that one document takes, all of them or none. No two statements that add have the same nonce. Windows, and the
 * ends of holds, are those of `now`.
 */
export type Addition = {
  readonly taken: readonly AskedOrder[];
  readonly plan: DocumentPlan;
  /** Of the orders that are not counted at once. */
  readonly holds: readonly Hold[];
  readonly outcomes: readonly Outcome[];
  /** When nothing of what orders enter matters any more. */
  readonly expireAt: Date;
  readonly now: Date;
  /** Where the server's instant must lie: in `[from, until)`. */
  readonly from: Date;
  readonly until: Date;
  /** The document must not have seen this instant. */
  readonly notSeen: Date;
  /** Of a rolling window, steps count that end after this. */
  readonly countAfter: Date;
  /** The document has no more buckets than this before. */
  readonly bucketsMax: number;
  /** Of an add to a document that was read before. */
  readonly asRead: Pick<Decided, 'expired' | 'shadows'> | undefined;
};

/** One add in eight looks at all buckets, so that somebody sees those that are over. */
export function isChosen([first]: readonly AskedOrder[]): boolean {
  return first !== undefined && first.nonce.charCodeAt(0) % 8 === 0;
}

/** With more outcomes than that home may have forgotten one since it was read. */
export function rememberedMax({ outcomesMax }: Adding, { rememberedBefore = Infinity }: Ask) {
  return rememberedBefore + outcomesMax - 1;
}

/**
 * The add of a check by the caller's estimate of the instant. Of a rolling window, it counts all steps that end after the
 * estimate less two seconds. So it never admits too much, wherever the server's clock is.
 *
 * @returns undefined if the document must be read first: for a recorded payment in a rolling window, if a rule says no, if
 *   no place is left for a hold, or if a hold ends within two seconds
 */
export function plainAddition(ask: Ask): Addition | undefined {
  const { estimate: now } = ask;
  const plan = planAt(ask.plans, now);
  if (plan === undefined || plan.isBarred === true) return undefined;
  const { mostMinor = Infinity } = plan.single ?? {};
  const latest = now.getTime() + SLACK_MS;
  const taken: AskedOrder[] = [];
  for (const one of ask.orders) {
    const order = mostOf(one, plan);
    const isShort = order.until !== undefined && order.until.getTime() <= latest;
    if (order.barred || isShort || order.amountMinor > mostMinor) return undefined;
    taken.push(order);
  }
  // A recorded payment enters one step of a rolling window, and others of its own time count with it.
  if (plan.outlasts === true)
    for (const { bucket } of plan.counters)
      if (bucket.kind === 'fixed' && bucket.isStep === true) return undefined;
  if (openBefore(taken) < 0 || openOfAppBefore(taken) < 0) return undefined;
  const { from, until } = stretchOf(plan, now);
  const earliest = now.getTime() - SLACK_MS;
  const last = new Date(Math.min(latest, until));
  return additionOf({
    taken,
    plan,
    now,
    from: new Date(Math.max(earliest, from)),
    until: last,
    notSeen: last,
    countAfter: new Date(earliest),
    bucketsMax: bucketsBefore(plan),
    asRead: undefined,
  });
}

/** The add of what a document that is not there would take at the caller's estimate of the instant. */
export function freshAddition(store: Adding, ask: Ask, tries: number): Addition {
  const view = readView({}, [], ask.estimate);
  const decided = decideHold(view, ask, rememberedMax(store, ask));
  return decidedAddition(store, ask, view, decided, tries);
}

/**
 * The add of what was decided, for a document that was read, or that is not there.
 *
 * @param tries adds that were sent before
 */
export function decidedAddition(
  { isOneCommit }: Adding,
  ask: Ask,
  view: DocumentView,
  { plan: decided, taken: fitting, expired, shadows }: Decided,
  tries: number,
  stored?: StoredDocument,
): Addition {
  const { now } = view;
  const plan = decided ?? { from: now, until: now, counters: [] };
  const { from, until } = stretchOf(plan, now);
  const clock = view.databaseNow ?? now;
  const earliest =
    stored === undefined ? Math.max(from, now.getTime() - SLACK_MS) : clock.getTime();
  const last = (instant: Date): Date => new Date(Math.min(instant.getTime() + SLACK_MS, until));
  // Home names the shares by its own nonce.
  const isFirst = tries === 0 || isOneCommit || isOverSeveral(ask);
  const taken = isFirst
    ? fitting
    : fitting.map((order) => ({ ...order, nonce: `${order.nonce}-${tries}` }));
  return additionOf({
    taken,
    plan,
    now,
    from: new Date(earliest),
    until: last(clock),
    notSeen: notSeenFrom(stored?.seen, now, last(now)),
    countAfter: now,
    // Buckets of windows that are over may be more, where holds name them still: no new ones since.
    bucketsMax: Math.max(bucketsBefore(plan), Object.keys(stored?.b ?? {}).length),
    asRead: { shadows, expired },
  });
}

/** With so many buckets all that a plan enters has room, whatever is there. */
function bucketsBefore({ pairs, counters }: DocumentPlan): number {
  return (pairs?.most ?? BUCKETS_MAX) - counters.length;
}

/** Where all buckets stay what they are, in milliseconds. */
function stretchOf(plan: DocumentPlan, now: Date) {
  let [from, until] = [plan.from.getTime(), plan.until.getTime()];
  for (const { bucket } of plan.counters) {
    if (plan.outlasts === true && bucket.kind === 'fixed')
      until = Math.min(until, bucket.reference.until.getTime());
    if (bucket.kind === 'fixed' || bucket.stepMs <= EXACT_STEP_MS) continue;
    const start = bucketAt(bucket, now).start.getTime();
    from = Math.max(from, start);
    until = Math.min(until, start + bucket.stepMs);
  }
  return { from, until };
}

/** Adds what is known of the orders once a document has taken them, at home or beside it. */
function additionOf(asked: Omit<Addition, 'holds' | 'outcomes' | 'expireAt'>): Addition {
  const { taken, plan, now, from, until: before, notSeen, countAfter, bucketsMax, asRead } = asked;
  const all = plan.places ?? placesIn(plan.counters, now);
  const [holds, outcomes]: [Hold[], Outcome[]] = [[], []];
  let counters: string | undefined;
  let last = KEPT_BEYOND_MS;
  for (const { until } of all.buckets) last = Math.max(last, until.getTime() + KEPT_BEYOND_MS);
  for (const order of taken) {
    const { id, digestOfId, nonce, digest, amountMinor: amount, count, others, home } = order;
    const { leftOut = [] } = order;
    const until = order.until ?? holdEnd(now, order.holdMs); // when it no longer counts
    last = Math.max(last, until.getTime() + MEMORY_MS);
    if (order.capture) {
      counters ??= countersDigest(plan.counters);
      const { to: state, reasonCode } = order.ending ?? CONFIRMED;
      outcomes.push({
        state,
        id,
        nonce,
        digest,
        amount,
        count,
        reasonCode,
        late: false,
        leftOut,
        at: now,
        counters,
        until: others && until,
        others,
      });
      continue;
    }
    const isIn = leftOut.length === 0;
    const places = isIn ? all : placesIn(plan.counters, now, leftOut);
    const hold: Writable<Hold> = {
      state: 'open',
      id,
      digestOfId,
      nonce,
      digest,
      amount,
      count,
      leftOut,
      until,
      places,
      others,
      home,
    };
    const values = order.values && valuesIn(places.buckets, order.values);
    if (values !== undefined) hold.values = values;
    holds.push(hold);
  }
  return {
    taken,
    plan,
    holds,
    outcomes,
    expireAt: deletableFrom(last),
    now,
    from,
    until: before,
    notSeen,
    countAfter,
    bucketsMax,
    asRead,
  };
}

/**
 * How many holds may be open before some orders. Example: one place of 2,000 is left. An order that is held
 * takes it, and one that is captured needs none. So 1,999 may be open before both. Beside home a captured order has a
 * place above those 2,000 for as long as its call lasts.
 */
export function openBefore(
  taken: readonly AskedOrder[],
  most: (order: AskedOrder) => number = ({ openMax }) => openMax,
): number {
  let [before, stay, pass] = [Infinity, 0, 0];
  for (const order of taken) {
    if (order.capture) continue;
    if (order.passes === true) pass += 1;
    else stay += 1;
    before = Math.min(before, most(order) - stay - (order.passes === true ? pass : 0));
  }
  return before;
}

/** How many of their application; Infinity where it has no bound of its own. */
export function openOfAppBefore(taken: readonly AskedOrder[]): number {
  if (taken[0]?.openMaxOfApp === undefined) return Infinity;
  return openBefore(taken, ({ openMaxOfApp = Infinity }) => openMaxOfApp);
}
