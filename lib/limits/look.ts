import type { Again, Attempt, Shown, Views } from './attempt.ts';
import {
  askOf,
  countersAt,
  decisionOf,
  failed,
  hasTermsOf,
  homeView,
  isBarred,
  isRefusal,
  plansFor,
  shownOf,
  tellPairs,
  tellShares,
} from './attempt.ts';
import type { Context } from './context.ts';
import { learnedTime } from './context.ts';
import type { Decision } from '../document/decision.ts';
import { leftOutBy } from '../document/decide.ts';
import type { DocumentView, Hold } from '../document/document.ts';
import { emptyView, viewsByOrder } from '../document/document.ts';
import { bucketsEntered, takenShare, withShare } from '../document/position.ts';
import { afterSettlement } from '../document/settlement.ts';
import { holdEnd, isOver } from '../counter/effect.ts';

/** Reads all documents of some attempts, in one round trip; gives those of each. */
export async function look(context: Context, attempts: readonly Attempt[]) {
  const documents = [...new Set(attempts.flatMap(({ plan }) => plan.documents))];
  const ids = attempts.map(({ id }) => id);
  const estimate = context.at ?? context.clock.estimate();
  const countsApp = attempts.some(({ request }) => request.openPercent !== undefined);
  const found = await context.counters.read(documents, ids, estimate, context.at, countsApp);
  for (const document of documents) context.terms.learn(document, found.get(document) ?? {});
  const now = await learnedTime(context, found.values());
  const viewsOf = new Map([...found].map(([document, view]) => [document, viewsByOrder(view)]));
  return ({ id, plan }: Attempt): Views =>
    new Map(
      plan.documents.map((document) => [document, viewsOf.get(document)?.(id) ?? emptyView(now)]),
    );
}

/** What home says to an attempt, from a look at all its documents. */
export function seeHome(attempt: Attempt, views: Views): Shown {
  const [document] = attempt.plan.documents;
  const view = homeView({ attempt, views });
  const ask = askOf(attempt, document);
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
export function seeAll(attempt: Attempt, views: Views): Shown {
  const atHome = seeHome(attempt, views);
  if (atHome.kind !== 'wouldHold') return atHome;
  let { amountMinor } = atHome;
  for (const said of seeBeside(attempt, views)) {
    if (said.kind !== 'wouldHold') return shownOf(attempt, said, views);
    amountMinor = Math.min(amountMinor, said.amountMinor);
  }
  return { ...atHome, amountMinor };
}

/** The answers of documents beside home to an attempt, as if it were alone. */
export function* seeBeside(attempt: Attempt, views: Views): Generator<Decision | Again> {
  const [home] = attempt.plan.documents;
  for (const [document, view] of views) {
    if (document === home) continue;
    const free = withoutShares(view, sharesInTheWay(view, attempt));
    const ask = askOf(attempt, document, { home });
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
      openSharesOfApp: rest.openSharesOfApp - (isOver(share, view.now) ? 0 : 1),
      shares: rest.shares.filter(({ nonce }) => nonce !== share.nonce),
    }),
    view,
  );
}

/** When the time of an order is over that home holds as it is. */
export function heldUntil(attempt: Attempt, views: Views): Date {
  return holdEnd(homeView({ attempt, views }).now, attempt.request.holdMs);
}

/**
 * Asks for orders of a call one after the other: each sees its documents as those before it would leave them. Where one
 * begins again, those after it wait that ask one of its documents.
 *
 * @param areWritten whether those that fit are written whatever becomes of others: not of a call of all or none
 */
export function seeInTurn(viewsOf: (attempt: Attempt) => Views, areWritten = true) {
  const current = new Map<string, DocumentView>();
  // By document: the first order that begins again there. A back-test asks for it once more, in its turn.
  const waiting = new Map<string, string>();
  return (attempt: Attempt): Shown => {
    const { id, plan } = attempt;
    const { documents } = plan;
    const views = new Map(
      [...viewsOf(attempt)].map(([document, view]) => {
        const { entries, shares } = view;
        return [document, { ...(current.get(document) ?? view), entries, shares }];
      }),
    );
    const outcome = documents.some((document) => (waiting.get(document) ?? id) !== id)
      ? shownOf(
          attempt,
          { kind: 'again', because: 'turn', now: homeView({ attempt, views }).now },
          views,
        )
      : seeAll(attempt, views);
    for (const document of documents) {
      if (outcome.kind === 'again') waiting.set(document, waiting.get(document) ?? id);
      else if (waiting.get(document) === id) waiting.delete(document);
    }
    if (outcome.kind === 'wouldHold')
      takeIn(attempt, views, outcome.amountMinor, current, areWritten ? 1 : 0);
    return outcome;
  };
}

function takeIn(
  attempt: Attempt,
  views: Views,
  amountMinor: number,
  current: Map<string, DocumentView>,
  written: 0 | 1,
): void {
  const { plan, values } = attempt;
  const taken = { ...attempt.request, amountMinor, values };
  for (const [document, view] of views) {
    const free = withoutShares(view, sharesInTheWay(view, attempt));
    const counters = countersAt(attempt, document, view.now);
    const leftOut = leftOutBy(free, counters, taken);
    const entered = bucketsEntered(counters, leftOut, view.now);
    // A captured order is counted everywhere in the end.
    const isShare = document !== plan.documents[0] && !taken.capture;
    const share = takenShare(taken, isShare, entered);
    // The rows of those after it say that they come later.
    current.set(document, { ...withShare(free, share), writes: view.writes + written });
  }
}

/**
 * Decides orders in their turn from one look: those of several documents, and those that ask one of these documents.
 * A barred order is answered so if it is alone; among others, from its place.
 */
export async function lookInTurn(
  context: Context,
  attempts: readonly Attempt[],
): Promise<ReadonlyMap<string, Shown>> {
  const shared = new Set<string>();
  for (const { plan } of attempts)
    if (plan.documents.length > 1) for (const document of plan.documents) shared.add(document);
  const read = attempts.filter(
    (attempt) =>
      shared.has(attempt.plan.documents[0]) || (attempts.length === 1 && isBarred(attempt)),
  );
  if (read.length === 0) return new Map();
  try {
    const see = seeInTurn(await look(context, read));
    const said = new Map<string, Shown>();
    for (const attempt of read) {
      const one = see(attempt);
      said.set(attempt.id, one);
      learnOf(context, attempt, one);
    }
    return said;
  } catch (error) {
    return new Map(read.map((attempt) => [attempt.id, failed(attempt, error)]));
  }
}

/** A home that refuses is read first for a while. Another document may be full. */
function learnOf(context: Context, attempt: Attempt, said: Shown): void {
  const [home] = attempt.plan.documents;
  const isOfHome = isRefusal(said) && isRefusedByHome(attempt, said.views);
  if (said.kind === 'wouldHold' || isRefusal(said)) context.counters.lanes.learn(home, !isOfHome);
  if (said.kind !== 'full') return;
  for (const [document, view] of said.views) {
    if (document !== home) tellShares(context, document, view);
    tellPairs(context, document, plansFor(attempt, document), view);
  }
}

/** Whether home refuses by itself what some document has refused. */
export function isRefusedByHome(attempt: Attempt, views: Views): boolean {
  return isRefusal(seeHome(attempt, views));
}

/** What the homes of attempts say to each of them as if it were alone. */
export async function lookAtHomes(
  context: Context,
  attempts: readonly Attempt[],
): Promise<ReadonlyMap<string, Shown>> {
  if (attempts.length === 0) return new Map();
  try {
    const viewsOf = await look(context, attempts);
    const said = new Map<string, Shown>();
    for (const attempt of attempts) {
      const one = seeHome(attempt, viewsOf(attempt));
      said.set(attempt.id, one);
      learnOf(context, attempt, one);
    }
    return said;
  } catch (error) {
    return new Map(attempts.map((attempt) => [attempt.id, failed(attempt, error)]));
  }
}
