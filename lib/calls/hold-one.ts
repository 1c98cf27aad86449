import type { Decision } from '../domain/decision.ts';
import { decide, standingEntry } from '../domain/decision.ts';
import type { DocumentView, SharesElsewhere } from '../domain/document.ts';
import { leftOutOf } from '../domain/document.ts';
import { InternalError } from '../domain/errors.ts';
import { planFor } from '../domain/plan.ts';
import type { HoldAsk } from '../store/counter-store.ts';
import type { Attempt, Attempted } from './check.ts';
import type { Context } from './context.ts';

/** What one document said to an attempt. */
export type Said =
  | Exclude<Decision, { readonly kind: 'allowed' }>
  /** The hold is mine; `takenOver` if another call had made it. */
  | { readonly kind: 'held'; readonly takenOver: boolean }
  | { readonly kind: 'skewed' };

/** Asks one document to hold its share, in one round trip, and reads what it said. */
export async function askDocument(
  context: Context,
  attempt: Attempt,
  documentId: string,
  share: Pick<HoldAsk, 'pending' | 'takesOver' | 'renews'>,
): Promise<{ readonly said: Said; readonly view: DocumentView }> {
  const { request, id, nonce, digest } = attempt;
  const plans = attempt.plan.plans.map(({ from, until, barred, counters }) => ({
    from,
    until,
    barred,
    counters: counters.get(documentId) ?? [],
  }));
  const ask = {
    id,
    nonce,
    digest,
    amountMinor: request.amountMinor,
    count: request.count,
    holdMs: request.holdMs,
    capture: request.capture && !share.pending,
    ...sharesBeside(attempt, documentId),
    ...share,
    openHoldsMax: context.openHoldsMax,
    plans,
  };
  const hold = (again: boolean): Promise<DocumentView> =>
    context.counters.hold(documentId, { ...ask, again }, context.at);
  let view = await hold(share.pending);
  if (isOwnExpired(view, digest)) view = await hold(true);
  context.clock.observe(view.databaseNow);
  if (share.renews === true) view = beforeRenewal(view, nonce);
  return { said: readDecision(context, attempt, documentId, view), view };
}

/** Where else the order has shares: home knows all others, and each of those knows home. */
export function sharesBeside({ plan }: Attempt, documentId: string): SharesElsewhere {
  const [home, ...others] = plan.documents;
  if (documentId !== home) return { home };
  return others.length === 0 ? {} : { others };
}

/** A document in which this call's hold was not renewed, as it was decided: as if its time were over. */
function beforeRenewal(view: DocumentView, nonce: string): DocumentView {
  const entry = view.entries.find((one) => one.nonce === nonce);
  if (entry?.state !== 'open' || entry.takenOver !== true) return view;
  return {
    ...view,
    entries: view.entries.filter((one) => one !== entry),
    lapsed: [...view.lapsed, entry],
    openHolds: view.openHolds - 1,
  };
}

/** The order asks again after its hold expired, which an ordinary check takes for an order that is known. */
function isOwnExpired(view: DocumentView, digest: string): boolean {
  return view.entries.length > 0 && standingEntry(view, digest) === undefined;
}

/** Reads from a document after an attempt what it decided: the hold with my nonce is the evidence. */
function readDecision(
  context: Context,
  attempt: Attempt,
  documentId: string,
  view: DocumentView,
): Said {
  const plan = planFor(attempt.plan, view.now);
  if (plan === undefined) return { kind: 'skewed' };
  const mine = view.entries.find(({ nonce }) => nonce === attempt.nonce);
  if (mine !== undefined)
    return { kind: 'held', takenOver: mine.state === 'open' && (mine.takenOver ?? false) };
  const counters = plan.counters.get(documentId) ?? [];
  const { request, digest } = attempt;
  const decision = decide(view, plan, counters, request, digest, context.openHoldsMax);
  if (decision.kind === 'allowed')
    throw new InternalError('the document has room for this order but does not hold it');
  return decision;
}

/** One document's hold is the whole of it: nothing to wait for, nothing to take over. */
const WHOLE = { pending: false, takesOver: false };

/** A check of one document: the ordinary case. */
export async function holdInOne(context: Context, attempt: Attempt): Promise<Attempted> {
  const [home] = attempt.plan.documents;
  const { said, view } = await askDocument(context, attempt, home, WHOLE);
  const views = new Map([[home, view]]);
  switch (said.kind) {
    case 'held':
      return { kind: 'held', repeated: false, leftOut: leftOutOf(views), views };
    case 'known':
      return { ...said, views };
    case 'refused':
      return { kind: 'refused', views };
    case 'full':
      return said;
    case 'skewed':
      return { kind: 'skewed', now: view.now };
  }
}
