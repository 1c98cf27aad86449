import { SLACK_MS } from '../shared/bounds.ts';
import type { Attempt, AttemptResult, Views } from './attempt.ts';
import { giveBack, lookAtHomes, resultAfterLook, resultOf, saidBeside } from './by-steps.ts';
import type { Context } from './context.ts';
import { holdEnd } from '../document/effect.ts';
import { homeView } from './look.ts';
import { countCaptured, shareUntil } from './shares.ts';
import type { Said, Visit, Visited } from './visits.ts';
import { saidIn, viewsIn, visitAll, wasLostIn } from './visits.ts';

/**
 * Whether an order of several documents is asked for unread: not where the answer is likely to be no, nor where a
 * document would read itself first.
 */
export function mayAskUnread(
  { counters, inOneCommit }: Context,
  { isAgain, plan, request }: Attempt,
): boolean {
  const [home, ...others] = plan.documents;
  return (
    others.length > 0 &&
    !isAgain &&
    !inOneCommit &&
    !counters.isOneCommit &&
    plan.barred.length === 0 &&
    request.holdMs > SLACK_MS &&
    counters.lanes.takesPlain(home, 'hold')
  );
}

/**
 * Holds an order of several documents that nobody read before: in the others, then at home. All of them take it for
 * the instant of the attempt, so its end is known. A commit may drop a share before home is asked, and home may hold
 * the order of that commit, end it and forget it. So home asks whether a share was dropped that ends so late.
 *
 * Where home does not hold it, the attempt begins again with a read.
 */
export async function holdUnread(context: Context, attempt: Attempt): Promise<AttemptResult> {
  const { id, plan } = attempt;
  const [home] = plan.documents;
  const { beside, atHome } = unreadVisits(attempt);
  const visited: Visited = new Map();
  await visitAll(context, beside, visited);
  const stopped = saidBeside(visited, attempt);
  if (stopped === undefined) await visitAll(context, [atHome], visited);
  const said = stopped ?? saidIn(visited, home, id);
  if (said === undefined) throw new TypeError('a document that was visited has said something');
  if (said.kind === 'held')
    return countCaptured(context, attempt, { kind: 'held', views: viewsIn(visited)(attempt) });
  const gone = await giveBack(context, [attempt], visited, new Map([[id, said]]));
  if (said.kind === 'failed' || said.kind === 'again') return said;
  const views = viewsIn(visited, gone)(attempt);
  if (stopped !== undefined) return afterRefusal(context, attempt, stopped, visited, views);
  // Home may hold the order by an add whose answer was lost, now or later.
  if (wasLostIn(visited, home, id)) return countCaptured(context, attempt, resultOf(said, views));
  return { kind: 'again', because: 'unread', now: homeView(attempt, views).now };
}

/** Looks at home, which decides before the others: it may know the order, or refuse it, too. */
async function afterRefusal(
  context: Context,
  attempt: Attempt,
  said: Said,
  visited: Visited,
  views: Views,
): Promise<AttemptResult> {
  const atHome = (await lookAtHomes(context, [attempt])).get(attempt.id);
  if (atHome !== undefined && atHome.kind !== 'wouldHold')
    return countCaptured(context, attempt, atHome);
  return resultAfterLook(attempt, visited, said, views, atHome);
}

/** The visits of an order to its documents. All are for the instant of the attempt. */
function unreadVisits(attempt: Attempt): {
  readonly beside: readonly Visit[];
  readonly atHome: Visit;
} {
  const [home, ...others] = attempt.plan.documents;
  const until = holdEnd(attempt.estimate, attempt.request.holdMs);
  const unread = { sharesUntil: shareUntil(until) };
  return {
    beside: others.map((document) => ({
      attempt,
      document,
      until: unread.sharesUntil,
      home,
      unread,
    })),
    atHome: { attempt, document: home, until, others, unread },
  };
}
