import { BUCKETS_MAX, SLACK_MS } from '../shared/bounds.ts';
import type { DocumentView } from './document.ts';
import { EXACT_STEP_MS } from '../rule/windows/window-kind.ts';
import type { HoldAsk } from './counter-store.ts';
import { isOverSeveral } from './counter-store.ts';
import type { Addition, Taken } from './addition.ts';
import { enteredFrom } from './addition.ts';
import { notSeenFrom } from './conditions.ts';
import type { Decided } from './decide.ts';
import { decideHold, mostOf } from './decide.ts';
import { openBefore, sumOf } from './room.ts';
import type { HoldCall } from './statements.ts';
import type { StoredDocument } from './stored.ts';
import { readView } from './stored.ts';
import type { CounterPlan, DocumentPlan } from './document-plan.ts';
import { bucketAt, planAt } from './document-plan.ts';
import { valuesAdded } from './values-added.ts';

/** The add of what a document that is not there would take at the caller's estimate of the instant. */
export function freshAddition(call: HoldCall, tries: number): Addition {
  const view = readView({}, [], call.estimate);
  const decided = decideHold(view, call.ask, rememberedMax(call));
  return decidedAddition(call, view, decided, tries);
}

/**
 * The add of a check by the caller's estimate of the instant; undefined where only what is read decides:
 * a recorded payment in a rolling window, a rule that says no, a maximum that is asked for whole and more, a
 * boundary of time at hand. Of a rolling window all steps count that end after the estimate less two seconds. So it
 * never admits too much, wherever the server's clock is.
 */
export function plainAddition(call: HoldCall): Addition | undefined {
  const { ask, estimate: now } = call;
  const plan = planAt(ask.plans, now);
  if (plan === undefined || plan.isBarred === true || ask.orders.some(({ barred }) => barred))
    return undefined;
  if (plan.counters.some(isRecordedStep)) return undefined;
  const latest = now.getTime() + SLACK_MS;
  if (ask.orders.some(({ until }) => until !== undefined && until.getTime() <= latest))
    return undefined;
  const taken = ask.orders.map((order): Taken => ({
    order: mostOf(order, plan),
    nonce: order.nonce,
    leftOut: [],
  }));
  const { mostMinor = Infinity } = plan.single ?? {};
  if (taken.some(({ order }) => order.amountMinor > mostMinor)) return undefined;
  const { amount, count } = sumOf(taken);
  for (const counter of plan.counters) {
    const { sumsAmounts, maxAmountMinor, maxCount, distinct } = counter;
    const asksCount =
      distinct === undefined
        ? count
        : Math.max(0, ...valuesAdded(taken, counter).asked.map(({ length }) => length));
    if (asksCount > maxCount || (sumsAmounts && amount > maxAmountMinor)) return undefined;
  }
  if (openBefore(taken) < 0) return undefined;
  const { from, until } = stretchOf(plan, now);
  const [earliest, last] = [now.getTime() - SLACK_MS, new Date(Math.min(latest, until))];
  return {
    taken,
    plan,
    now,
    ...enteredFrom(taken, plan, now),
    bucketsMax: BUCKETS_MAX - plan.counters.length,
    stretch: { from: new Date(Math.max(earliest, from)), until: last },
    notSeen: last,
    countAfter: new Date(earliest),
  };
}

/** A recorded payment enters one step of a rolling window, and others of its own time count with it. */
function isRecordedStep({ bucket }: CounterPlan): boolean {
  return bucket.kind === 'fixed' && bucket.isStep === true;
}

/**
 * The add of what was decided, for a document that was read, or that is not there.
 *
 * @param tries adds that were sent before
 */
export function decidedAddition(
  call: HoldCall,
  view: DocumentView,
  decided: Decided,
  tries: number,
  stored?: StoredDocument,
): Addition {
  const { ask, isOneCommit } = call;
  const { now } = view;
  const { expired, shadows } = decided;
  const plan = decided.plan ?? { from: now, until: now, counters: [] };
  const { from, until } = stretchOf(plan, now);
  const clock = view.databaseNow ?? now;
  const earliest =
    stored === undefined ? Math.max(from, now.getTime() - SLACK_MS) : clock.getTime();
  const last = (instant: Date): Date => new Date(Math.min(instant.getTime() + SLACK_MS, until));
  // Home names the shares by its own nonce.
  const isFirst = tries === 0 || isOneCommit || isOverSeveral(ask);
  const taken = decided.taken.map(({ order, leftOut }) => ({
    order,
    leftOut,
    nonce: isFirst ? order.nonce : `${order.nonce}-${tries}`,
  }));
  const { holds, outcomes } = enteredFrom(taken, plan, now);
  return {
    taken,
    plan,
    holds,
    outcomes,
    now,
    stretch: { from: new Date(earliest), until: last(clock) },
    notSeen: notSeenFrom(stored?.seen, now, last(now)),
    countAfter: now,
    // Buckets of windows that are over may be more, where holds name them still: no new ones since.
    bucketsMax: Math.max(BUCKETS_MAX - plan.counters.length, Object.keys(stored?.b ?? {}).length),
    asRead: { shadows, expired },
  };
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

/** The orders that are read for an ask. */
export function idsIn({ orders }: HoldAsk): readonly string[] {
  return orders.map(({ id }) => id);
}

/** With more outcomes than that home may have forgotten one since it was read. */
export function rememberedMax({ outcomesMax, ask: { rememberedBefore = Infinity } }: HoldCall) {
  return rememberedBefore + outcomesMax - 1;
}
