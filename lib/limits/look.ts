import { COUNTING_SHARES_MAX } from '../shared/bounds.ts';
import type { Again, Attempt, AttemptResult, Views } from './attempt.ts';
import { hasTermsOf, isBarred, plansFor } from './attempt.ts';
import type { Context } from './context.ts';
import { learnedTime } from './context.ts';
import type { HoldOrder } from '../document/counter-store.ts';
import type { Ruling } from '../document/decision.ts';
import { decide } from '../document/decide.ts';
import type { DocumentView, Hold } from '../document/document.ts';
import { emptyView, viewsByOrder } from '../document/document.ts';
import { afterSettlement } from '../document/settlement.ts';
import { holdEnd, isOver } from '../counter/effect.ts';
import { planAt } from '../document/document-plan.ts';

/** Reads all documents of some attempts, in one round trip; gives those of each. */
export async function look(context: Context, attempts: readonly Attempt[]) {
  const documents = [...new Set(attempts.flatMap(({ plan }) => plan.documents))];
  const ids = attempts.map(({ id }) => id);
  const estimate = context.at ?? context.clock.estimate();
  const found = await context.counters.read(documents, ids, estimate, context.at);
  for (const document of documents) context.terms.learn(document, found.get(document) ?? {});
  const now = await learnedTime(context, found.values());
  const viewsOf = new Map([...found].map(([document, view]) => [document, viewsByOrder(view)]));
  return ({ id, plan }: Attempt): Views =>
    new Map(
      plan.documents.map((document) => [document, viewsOf.get(document)?.(id) ?? emptyView(now)]),
    );
}

/** An order as one of its documents is asked to hold it. */
export type OrderAt = Pick<HoldOrder, 'until' | 'others' | 'home' | 'droppedUntil'> & {
  /** The amount, where several documents must agree. Otherwise the document may take less than is asked. */
  readonly amountMinor?: number | undefined;
  readonly attempt: Attempt;
  readonly document: string;
};

/** How many holds and shares may be open. */
export type OpenMaxima = Pick<Context, 'openHoldsMax' | 'openSharesMax'>;

/** The order of an ask. Beside home a share is held, and counted once home has counted the order. */
export function orderOf(
  { openHoldsMax, openSharesMax }: OpenMaxima,
  { attempt, until, others, home, droppedUntil, amountMinor: agreed }: OrderAt,
): HoldOrder {
  const { id, digestOfId, nonce, digest, request, values } = attempt;
  const { amountMinor, leastMinor, count, holdMs, capture, ending } = request;
  const sharesMax = openSharesMax + (capture ? COUNTING_SHARES_MAX : 0);
  return {
    id,
    digestOfId,
    nonce,
    digest,
    amountMinor: agreed ?? amountMinor,
    leastMinor: agreed === undefined ? leastMinor : undefined,
    count,
    holdMs,
    until,
    others,
    home,
    droppedUntil,
    capture: capture && home === undefined,
    ending,
    openMax: home === undefined ? openHoldsMax : sharesMax,
    barred: isBarred(attempt),
    values,
  };
}

/** Decides from a document what it says to an attempt: by the functions that the store decides by. */
export function decisionOf(
  context: OpenMaxima,
  visit: OrderAt,
  view: DocumentView,
): Ruling | Again {
  const { attempt, document } = visit;
  const { now } = view;
  const plan = planAt(plansFor(attempt, document), now);
  if (plan === undefined) return { kind: 'again', because: 'skewed', now };
  const order = orderOf(context, visit);
  const said = decide(view, order, plan);
  const isReused = said.kind === 'known' && !said.sameContent;
  if (!isReused && !hasTermsOf(attempt, document, view))
    return { kind: 'again', because: 'terms', now };
  return said.kind === 'full' ? { ...said, document, openMax: order.openMax } : said;
}

/** What home says to an attempt, from a look at all its documents. */
export function seeHome(context: OpenMaxima, attempt: Attempt, views: Views): AttemptResult {
  const [document] = attempt.plan.documents;
  const view = homeView(attempt, views);
  const said = decisionOf(context, { attempt, document }, view);
  if (said.kind === 'again') return said;
  // An answer about an obstacle has no rules. In a repeat, the rules show what is left.
  if (said.kind === 'known' && !said.sameContent) return { ...said, views };
  const haveTerms = [...views].every(([one, seen]) => hasTermsOf(attempt, one, seen));
  if (!haveTerms) return { kind: 'again', because: 'terms', now: view.now };
  return said.kind === 'allowed'
    ? { kind: 'wouldHold', views, amountMinor: said.amountMinor }
    : { ...said, views };
}

/**
 * Asks as if the attempt were alone: shares of other attempts at the same order are ignored. The amount is the
 * smallest that a document takes.
 */
export function seeAll(context: OpenMaxima, attempt: Attempt, views: Views): AttemptResult {
  const atHome = seeHome(context, attempt, views);
  if (atHome.kind !== 'wouldHold') return atHome;
  let { amountMinor } = atHome;
  for (const said of seeBeside(context, attempt, views)) {
    if (said.kind === 'again') return said;
    if (said.kind !== 'allowed') return { ...said, views };
    amountMinor = Math.min(amountMinor, said.amountMinor);
  }
  return { kind: 'wouldHold', views, amountMinor };
}

/** The answers of documents beside home to an attempt, as if it were alone. */
export function* seeBeside(
  context: OpenMaxima,
  attempt: Attempt,
  views: Views,
): Generator<Ruling | Again> {
  const [home] = attempt.plan.documents;
  for (const [document, view] of views) {
    if (document === home) continue;
    const free = withoutShares(view, sharesInTheWay(view, attempt));
    yield decisionOf(context, { attempt, document, home }, free);
  }
}

/** Open shares in a document beside home that other attempts at the same order have. */
export function sharesInTheWay(view: DocumentView, { id, plan }: Attempt): readonly Hold[] {
  const [home] = plan.documents;
  return view.shares.filter(
    (share) => share.id === id && share.home === home && share.state === 'open',
  );
}

/** A document as it would be without some of the shares in it. */
export function withoutShares(view: DocumentView, shares: readonly Hold[]): DocumentView {
  return shares.reduce(
    (rest, share) => ({
      ...afterSettlement(rest, share, { to: 'dropped' }),
      openShares: rest.openShares - (isOver(share, view.now) ? 0 : 1),
      shares: rest.shares.filter(({ nonce }) => nonce !== share.nonce),
    }),
    view,
  );
}

/** When the time of an order is over that home holds as it is. */
export function heldUntil(attempt: Attempt, views: Views): Date {
  return holdEnd(homeView(attempt, views).now, attempt.request.holdMs);
}

/** The view of home, which every outcome with views has. */
export function homeView(attempt: Attempt, views: Views): DocumentView {
  const view = views.get(attempt.plan.documents[0]);
  if (view === undefined) throw new TypeError('an attempt has seen its home document');
  return view;
}
