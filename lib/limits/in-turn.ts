import { leftOutBy } from '../document/decide.ts';
import type { DocumentView } from '../document/document.ts';
import { bucketsEntered, takenShare, withShare } from '../document/position.ts';
import type { Attempt, Said, Shown, Views } from './attempt.ts';
import { countersAt, failed } from './attempt.ts';
import type { Context } from './context.ts';
import type { OpenMaxima } from './look.ts';
import { look, seeAll, seeBeside, seeHome, sharesInTheWay, withoutShares } from './look.ts';

/** Asks for orders of a call one after the other: each sees its documents as those before it would leave them. */
export function seeInTurn(context: OpenMaxima, viewsOf: (attempt: Attempt) => Views) {
  const current = new Map<string, DocumentView>();
  return (attempt: Attempt): Shown => {
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
  const { plan, values } = attempt;
  const taken = { ...attempt.request, amountMinor, values };
  for (const [document, view] of views) {
    const free = withoutShares(view, sharesInTheWay(view, attempt));
    const counters = countersAt(attempt, document, view.now);
    const leftOut = leftOutBy(free, counters, taken);
    const entered = bucketsEntered(counters, leftOut, view.now);
    const share = takenShare(taken, document !== plan.documents[0], entered, values);
    current.set(document, withShare(free, share));
  }
}

/** What the homes of attempts say to them; a home that refuses is read first for a while. */
export async function lookAtHomes(
  context: Context,
  attempts: readonly Attempt[],
): Promise<ReadonlyMap<string, Shown>> {
  if (attempts.length === 0) return new Map();
  try {
    const viewsOf = await look(context, attempts);
    const takesLess = attempts.some(({ request }) => request.leastMinor !== undefined);
    const see = seeInTurn(context, viewsOf);
    const said = new Map<string, Shown>();
    for (const attempt of attempts) {
      const atHome = seeHome(context, attempt, viewsOf(attempt));
      const inTurn = takesLess ? see(attempt) : atHome;
      const one =
        takesLess && atHome.kind === 'wouldHold'
          ? agreed(context, attempt, atHome, inTurn)
          : atHome;
      const mayHold = one.kind === 'wouldHold';
      if (mayHold || isRefusal(one))
        context.counters.lanes.learn(attempt.plan.documents[0], mayHold);
      said.set(attempt.id, one);
    }
    return said;
  } catch (error) {
    return new Map(attempts.map((attempt) => [attempt.id, failed(attempt, error)]));
  }
}

/** The smallest amount of those documents that take an order, in its turn. Others may say no: they are asked yet. */
function agreed(
  context: Context,
  attempt: Attempt,
  atHome: Shown & { readonly kind: 'wouldHold' },
  inTurn: Shown,
): Shown {
  if (inTurn.kind === 'wouldHold') return { ...atHome, amountMinor: inTurn.amountMinor };
  let { amountMinor } = atHome;
  for (const said of seeBeside(context, attempt, atHome.views))
    if (said.kind === 'wouldHold') amountMinor = Math.min(amountMinor, said.amountMinor);
  return { ...atHome, amountMinor };
}

/** Whether no rule refuses an order that takes less, though a document has refused it more. */
export function fitsWithLess(context: Context, attempt: Attempt, outcome: Shown): boolean {
  if (outcome.kind !== 'refused' || attempt.request.leastMinor === undefined) return false;
  const { views } = outcome;
  const all = [seeHome(context, attempt, views), ...seeBeside(context, attempt, views)];
  return all.every(({ kind }) => kind !== 'refused');
}

/** Whether a rule or a bound says no. */
export function isRefusal<One extends Said>(
  said: One | undefined,
): said is Extract<One, { readonly kind: 'refused' | 'full' }> {
  return said?.kind === 'refused' || said?.kind === 'full';
}
