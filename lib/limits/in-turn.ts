import { leftOutBy } from '../document/decide.ts';
import type { DocumentView } from '../document/document.ts';
import { bucketsEntered, takenShare, withShare } from '../document/position.ts';
import type { Attempt, AttemptResult, Views } from './attempt.ts';
import { countersAt } from './attempt.ts';
import type { Context } from './context.ts';
import { look, seeAll, seeHome, sharesInTheWay, withoutShares } from './look.ts';
import type { Said } from './visits.ts';

/** Asks for orders of a call one after the other: each sees its documents as those before it would leave them. */
export function seeInTurn(context: Context, viewsOf: (attempt: Attempt) => Views) {
  const current = new Map<string, DocumentView>();
  return (attempt: Attempt): AttemptResult => {
    const views = new Map(
      [...viewsOf(attempt)].map(([document, view]) => {
        const { entries, shares } = view;
        return [document, { ...(current.get(document) ?? view), entries, shares }];
      }),
    );
    const outcome = seeAll(context, attempt, views);
    if (outcome.kind === 'wouldHold') takeIn(attempt, views, outcome.amountMinor, current);
    return outcome;
  };
}

function takeIn(
  attempt: Attempt,
  views: Views,
  amountMinor: number,
  current: Map<string, DocumentView>,
): void {
  const { plan } = attempt;
  const taken = { ...attempt.request, amountMinor };
  for (const [document, view] of views) {
    const free = withoutShares(view, sharesInTheWay(view, attempt));
    const counters = countersAt(attempt, document, view.now);
    const leftOut = leftOutBy(free, counters, taken);
    const entered = bucketsEntered(counters, leftOut, view.now);
    const share = takenShare(taken, document !== plan.documents[0], entered);
    current.set(document, withShare(free, share));
  }
}

/** What the homes of attempts say to them; a home that refuses is read first for a while. */
export async function lookAtHomes(
  context: Context,
  attempts: readonly Attempt[],
): Promise<ReadonlyMap<string, AttemptResult>> {
  if (attempts.length === 0) return new Map();
  try {
    const viewsOf = await look(context, attempts);
    const takesLess = attempts.some(({ request }) => request.leastMinor !== undefined);
    const see = seeInTurn(context, viewsOf);
    const said = new Map<string, AttemptResult>();
    for (const attempt of attempts) {
      const atHome = seeHome(context, attempt, viewsOf(attempt));
      const inTurn = takesLess ? see(attempt) : atHome;
      const isAgreed = atHome.kind === 'wouldHold' && inTurn.kind === 'wouldHold';
      const one = isAgreed ? { ...atHome, amountMinor: inTurn.amountMinor } : atHome;
      const mayHold = one.kind === 'wouldHold';
      if (mayHold || isRefusal(one))
        context.counters.lanes.learn(attempt.plan.documents[0], mayHold);
      said.set(attempt.id, one);
    }
    return said;
  } catch (error) {
    return new Map(attempts.map(({ id }) => [id, { kind: 'failed', error }]));
  }
}

/** Whether documents that refuse an order leave enough for one that takes less. */
export function fitsWithLess(
  context: Context,
  attempt: Attempt,
  outcome: AttemptResult,
): outcome is Extract<AttemptResult, { readonly kind: 'refused' }> {
  if (outcome.kind !== 'refused' || attempt.request.leastMinor === undefined) return false;
  return seeAll(context, attempt, outcome.views).kind === 'wouldHold';
}

/** Whether a rule or a bound says no. */
export function isRefusal<One extends Said | AttemptResult>(
  said: One | undefined,
): said is Extract<One, { readonly kind: 'refused' | 'full' }> {
  return said?.kind === 'refused' || said?.kind === 'full';
}
