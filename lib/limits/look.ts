import { decideAttempt } from './decide-attempt.ts';
import { countingBuckets } from './decision.ts';
import type { DocumentView, Share } from './document/document.ts';
import { emptyView, holdsAny, viewOfOrder } from './document/document.ts';
import { afterSettlement } from './settlement.ts';
import type { Attempt, AttemptResult, Views } from './attempt.ts';
import { hasTermsOf } from './attempt.ts';
import type { Context } from './context.ts';
import { learnedTime } from './context.ts';
import { sharesInTheWay } from './visits.ts';

/** What a look at documents found. */
export type Seen = { readonly of: (attempt: Attempt) => Views };

/** Reads all documents of some attempts, in one round trip, without touching them. */
export async function look(context: Context, attempts: readonly Attempt[]): Promise<Seen> {
  const documents = [...new Set(attempts.flatMap(({ plan }) => plan.documents))];
  const ids = attempts.map(({ id }) => id);
  const estimate = context.at ?? context.clock.estimate();
  const found = await context.counters.read(documents, ids, estimate, context.at);
  for (const document of documents) context.terms.learn(document, found.get(document) ?? {});
  const now = await learnedTime(context, found.values());
  return {
    of: ({ id, plan }) =>
      new Map(
        plan.documents.map((document) => [
          document,
          viewOfOrder(found.get(document) ?? emptyView(now), id),
        ]),
      ),
  };
}

/** What a document says to an attempt that only looks; home, whether the order is known. */
export type Seeing = Exclude<AttemptResult, { readonly kind: 'held' | 'failed' }>;

/** What home says to an attempt, from a look at all its documents. */
export function seeHome(context: Context, attempt: Attempt, views: Views): Seeing {
  const view = homeView(attempt, views);
  const said = decideAttempt(context, attempt, attempt.plan.documents[0], view);
  if (said === undefined) return { kind: 'again', because: 'skewed', now: view.now };
  // An answer about an obstacle has no rules. In a repeat, the rules show what is left.
  if (said.kind === 'known' && !said.sameContent) return { ...said, views };
  // All documents were read, so that what any of them has to tell of terms is known by now.
  const haveTerms = attempt.plan.documents.every((document) =>
    hasTermsOf(attempt, document, views.get(document) ?? emptyView(view.now)),
  );
  if (!haveTerms) return { kind: 'again', because: 'terms', now: view.now };
  return said.kind === 'allowed' ? { kind: 'wouldHold', views } : { ...said, views };
}

/**
 * What all documents say to an attempt, as if it were alone: what other attempts at the same order
 * have in the documents beside home stands in nobody's way.
 */
export function seeAll(context: Context, attempt: Attempt, views: Views): Seeing {
  const atHome = seeHome(context, attempt, views);
  if (atHome.kind !== 'wouldHold') return atHome;
  const [home, ...others] = attempt.plan.documents;
  for (const document of others) {
    const view = views.get(document) ?? emptyView(attempt.estimate);
    const free = withoutShares(view, sharesInTheWay(view, attempt.id, home));
    const said = decideAttempt(context, attempt, document, free);
    if (said === undefined) return { kind: 'again', because: 'skewed', now: view.now };
    if (said.kind !== 'allowed') return { ...said, views };
  }
  return atHome;
}

/** A document as it would be without some of the shares in it. */
export function withoutShares(view: DocumentView, shares: readonly Share[]): DocumentView {
  return shares.reduce(
    (rest, share) => ({
      ...released(rest, share),
      openShares: rest.openShares - (share.until > view.now ? 1 : 0),
      shares: rest.shares.filter(({ nonce }) => nonce !== share.nonce),
    }),
    view,
  );
}

/** Without the share, and without the buckets that held nothing else. */
function released(view: DocumentView, share: Share): DocumentView {
  const after = afterSettlement(view, share, 'rolledBack', 0);
  const emptied = countingIn(view) - countingIn(after);
  return { ...after, liveBuckets: view.liveBuckets - emptied };
}

function countingIn(view: DocumentView): number {
  return countingBuckets(view).filter(holdsAny).length;
}

/** When the time of an order is over that home holds as it is. */
export function heldUntil(attempt: Attempt, views: Views): Date {
  return new Date(homeView(attempt, views).now.getTime() + attempt.request.holdMs);
}

/** The view of home, which every outcome with views has. */
export function homeView(attempt: Attempt, views: Views): DocumentView {
  const view = views.get(attempt.plan.documents[0]);
  if (view === undefined) throw new TypeError('an attempt has seen its home document');
  return view;
}
