import { COUNTING_SHARES_MAX } from '../shared/open-bounds.ts';
import type { Attempt } from './attempt.ts';
import { askedOf } from './attempt.ts';
import type { Context } from './context.ts';
import type { Decision } from './decision.ts';
import { decide } from './decision.ts';
import type { DocumentView } from './document/document.ts';
import { planFor } from './plan.ts';

/** What a document says to an attempt; undefined where no plan is for its instant. */
export function decideAttempt(
  context: Context,
  attempt: Attempt,
  document: string,
  view: DocumentView,
): Decision | undefined {
  const { plan: asked, request, digest } = attempt;
  const plan = planFor(asked, view.now);
  if (plan === undefined) return undefined;
  const isBeside = document !== asked.documents[0];
  const most = openMaxOf(context, attempt, isBeside);
  const now = isBeside ? view.openShares : view.openHolds;
  return decide(view, {
    barred: asked.barred.includes(plan),
    counters: askedOf(attempt, document, plan).counters,
    asks: request,
    opens: request.capture && !isBeside ? undefined : { now, most },
    digest: isBeside ? undefined : digest,
  });
}

/** How many holds may be open in a document with that of a check: its own at home, elsewhere shares. */
export function openMaxOf(
  { openHoldsMax, openSharesMax }: Context,
  { request: { capture } }: Attempt,
  isBeside: boolean,
): number {
  if (!isBeside) return openHoldsMax;
  return openSharesMax + (capture ? COUNTING_SHARES_MAX : 0);
}
