import { COUNTING_SHARES_MAX } from '../shared/bounds.ts';
import type { Again, Attempt, Shown, Views } from './attempt.ts';
import { hasTermsOf, isBarred, plansFor, shownOf } from './attempt.ts';
import type { Context } from './context.ts';
import { learnedTime } from './context.ts';
import type { Ask, AskedOrder } from '../document/counter-store.ts';
import type { Decision } from '../document/decision.ts';
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

/** How many holds and shares may be open. */
export type OpenMaxima = Pick<Context, 'openHoldsMax' | 'openSharesMax' | 'asked'>;

/**
 * What an attempt asks of one of its documents. Beside home a share is held, and counted once home has counted the
 * order. An amount that is given was agreed by several documents. Otherwise this one may take less than is asked.
 */
export function askOf(
  { openHoldsMax, openSharesMax, asked }: OpenMaxima,
  attempt: Attempt,
  document: string,
  { until, others, home, droppedUntil, amountMinor: agreed }: Partial<AskedOrder> = {},
  { rememberedBefore, isNew, readsFirst, unread }: Partial<Ask> = {},
) {
  const { id, digestOfId, nonce, digest, request, values, estimate, isAgain } = attempt;
  const { amountMinor, leastMinor, count, holdMs, capture, ending } = request;
  const sharesMax = openSharesMax + (capture ? COUNTING_SHARES_MAX : 0);
  const order: AskedOrder = {
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
  return {
    document,
    place: home === undefined ? ('home' as const) : ('beside' as const),
    orders: [order] as const,
    plans: plansFor(attempt, document),
    estimate,
    unread,
    rememberedBefore,
    isNew: isNew === true,
    readsFirst: isAgain || readsFirst === true,
    terms: attempt.plan.terms.get(document),
    asked: asked?.get(document),
  };
}

/** Decides from a document what it says to an order: by the functions that the store decides by. */
export function decisionOf(
  { document, plans, terms }: Ask,
  order: AskedOrder,
  view: DocumentView,
): Decision | Again {
  const { now } = view;
  const plan = planAt(plans, now);
  if (plan === undefined) return { kind: 'again', because: 'skewed', now };
  const said = decide(view, order, plan, document);
  const isReused = said.kind === 'known' && !said.sameContent;
  if (!isReused && terms?.version !== view.terms?.version)
    return { kind: 'again', because: 'terms', now };
  return said;
}

/** What home says to an attempt, from a look at all its documents. */
export function seeHome(context: OpenMaxima, attempt: Attempt, views: Views): Shown {
  const [document] = attempt.plan.documents;
  const view = homeView(attempt, views);
  const ask = askOf(context, attempt, document);
  const said = decisionOf(ask, ask.orders[0], view);
  const shown = shownOf(attempt, said, views);
  // An answer about an obstacle has no rules. In a repeat, the rules show what is left.
  if (said.kind === 'again' || (said.kind === 'known' && !said.sameContent)) return shown;
  const haveTerms = [...views].every(([one, seen]) => hasTermsOf(attempt, one, seen));
  if (haveTerms) return shown;
  return shownOf(attempt, { kind: 'again', because: 'terms', now: view.now }, views);
}

/**
 * Asks as if the attempt were alone: shares of other attempts at the same order are ignored. The amount is the
 * smallest that a document takes.
 */
export function seeAll(context: OpenMaxima, attempt: Attempt, views: Views): Shown {
  const atHome = seeHome(context, attempt, views);
  if (atHome.kind !== 'wouldHold') return atHome;
  let { amountMinor } = atHome;
  for (const said of seeBeside(context, attempt, views)) {
    if (said.kind !== 'wouldHold') return shownOf(attempt, said, views);
    amountMinor = Math.min(amountMinor, said.amountMinor);
  }
  return { ...atHome, amountMinor };
}

/** The answers of documents beside home to an attempt, as if it were alone. */
export function* seeBeside(
  context: OpenMaxima,
  attempt: Attempt,
  views: Views,
): Generator<Decision | Again> {
  const [home] = attempt.plan.documents;
  for (const [document, view] of views) {
    if (document === home) continue;
    const free = withoutShares(view, sharesInTheWay(view, attempt));
    const ask = askOf(context, attempt, document, { home });
    yield decisionOf(ask, ask.orders[0], free);
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
