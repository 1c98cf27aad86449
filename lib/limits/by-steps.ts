import { UndecidedError } from '../shared/errors.ts';
import type { Again, Attempt, AttemptResult, Views } from './attempt.ts';
import { isBarred } from './attempt.ts';
import type { Context } from './context.ts';
import { fitsWithLess, isRefusal, lookAtHomes } from './in-turn.ts';
import { homeView, sharesInTheWay } from './look.ts';
import { countCaptured, settleShares } from './shares.ts';
import { unreadVisits } from './unread.ts';
import type { Said, Visited, Visits } from './visits.ts';
import { saidIn, viewsIn, visitAll, visitHome, visitsBeside, wasLostIn } from './visits.ts';

type Outcomes = Map<string, AttemptResult>;

/**
 * Makes one update a document for all its orders. An order of several documents goes by steps:
 *
 * 1. Read all its documents. What home knows of the order, or refuses, is the answer. The end of the hold is fixed,
 *    and the amount of an order that takes what fits: the smallest that a document leaves.
 * 2. Hold in the others. A share names its home, and only this attempt uses its nonce.
 * 3. Hold at home: the moment of the decision. The order must still be unknown, its time not over, and home must
 *    have forgotten nothing since step 1.
 *
 * Otherwise the others give back; not where the answer to step 3 was lost, for home may hold it, now or later.
 * Before a refusal is the answer, home is looked at again: another attempt may have been faster.
 */
export async function holdBySteps(
  context: Context,
  attempts: readonly Attempt[],
  isUnread = false,
): Promise<ReadonlyMap<string, AttemptResult>> {
  const outcomes: Outcomes = new Map();
  const begun = isUnread
    ? new Map(attempts.map((attempt) => [attempt.id, unreadVisits(attempt)]))
    : await readVisits(context, attempts, outcomes);
  const asked = attempts.filter(({ id }) => begun.has(id));
  const visited: Visited = new Map();
  const stopped = new Map<string, Said>();
  const stop = (id: string, said: Said | undefined): void => {
    if (said !== undefined && said.kind !== 'held') stopped.set(id, said);
  };
  const visits = [...begun.values()];
  await visitAll(
    context,
    visits.flatMap(({ beside }) => beside),
    visited,
  );
  for (const attempt of asked) stop(attempt.id, saidBeside(visited, attempt));
  const homes = visits.flatMap(({ atHome }) => (stopped.has(atHome.attempt.id) ? [] : [atHome]));
  await visitAll(context, homes, visited);
  for (const { attempt, document } of homes)
    stop(attempt.id, saidIn(visited, document, attempt.id));
  const gone = await giveBack(context, asked, visited, stopped);
  await tellAll(context, asked, { visited, stopped, gone, isUnread }, outcomes);
  for (const attempt of attempts) {
    const outcome = outcomes.get(attempt.id);
    if (outcome !== undefined && attempt.request.capture)
      outcomes.set(attempt.id, await countCaptured(context, attempt, outcome));
  }
  return outcomes;
}

/** Reads orders of several documents first. What home knows of one, or refuses, is its outcome. */
async function readVisits(
  context: Context,
  attempts: readonly Attempt[],
  outcomes: Outcomes,
): Promise<ReadonlyMap<string, Visits>> {
  // A barred order is answered from a look if it is alone; among others, from its place.
  const isAlone = attempts.length === 1;
  const isSeveral = ({ plan }: Attempt): boolean => plan.documents.length > 1;
  // The amount of an order may depend on each that comes before it.
  const readsAll = attempts.some((one) => isSeveral(one) && one.request.leastMinor !== undefined);
  const isAnswered = (attempt: Attempt): boolean =>
    isSeveral(attempt) || (isAlone && isBarred(attempt));
  const read = attempts.filter((attempt) => readsAll || isAnswered(attempt));
  const seen = await lookAtHomes(context, read);
  const visits = new Map<string, Visits>();
  for (const attempt of attempts) {
    const said = seen.get(attempt.id);
    if (said === undefined || !isAnswered(attempt))
      visits.set(attempt.id, {
        beside: [],
        atHome: { attempt, document: attempt.plan.documents[0] },
      });
    else if (said.kind === 'wouldHold')
      visits.set(attempt.id, visitsAsRead(attempt, said.views, said.amountMinor));
    else outcomes.set(attempt.id, said);
  }
  return visits;
}

/** The document that stops the order: one that gave no answer, or else the first that refused. */
function saidBeside(visited: Visited, { id, plan }: Attempt): Said | undefined {
  const said = plan.documents.slice(1).flatMap((document) => saidIn(visited, document, id) ?? []);
  return (
    said.find(({ kind }) => kind === 'failed') ??
    said.find(({ kind }) => kind === 'again') ??
    said.find(({ kind }) => kind !== 'held')
  );
}

function visitsAsRead(attempt: Attempt, views: Views, amountMinor: number): Visits {
  const [document, ...others] = attempt.plan.documents;
  if (others.length === 0) return { beside: [], atHome: { attempt, document } };
  const { remembered: rememberedBefore } = homeView(attempt, views);
  const atHome = { rememberedBefore, ...visitHome(attempt, views, amountMinor) };
  return { beside: visitsBeside(attempt, views, amountMinor), atHome };
}

/**
 * Gives back what stopped orders hold, and returns their ids. What cannot be reached expires by itself.
 * Where an answer of home was lost the shares stay, for it may hold the order, now or later.
 */
async function giveBack(
  context: Context,
  attempts: readonly Attempt[],
  visited: Visited,
  stopped: ReadonlyMap<string, Said>,
): Promise<ReadonlySet<string>> {
  if (stopped.size === 0) return new Set();
  const shares = attempts.flatMap(({ id, nonce, plan }) => {
    const [home, ...others] = plan.documents;
    const isFailed = saidIn(visited, home, id)?.kind === 'failed';
    if (!stopped.has(id) || isFailed || wasLostIn(visited, home, id)) return [];
    return others
      .filter((document) => ['held', 'failed'].includes(saidIn(visited, document, id)?.kind ?? ''))
      .map((document) => ({ document, ask: { id, nonce, to: 'withdrawn' as const } }));
  });
  const { errors } = await settleShares(context, shares);
  for (const error of errors.values()) if (!(error instanceof UndecidedError)) throw error;
  return new Set(shares.map(({ ask }) => ask.id));
}

/** What became of the visits of a call. */
type Course = {
  readonly visited: Visited;
  readonly stopped: ReadonlyMap<string, Said>;
  /** Orders whose shares were given back. */
  readonly gone: ReadonlySet<string>;
  readonly isUnread: boolean;
};

/**
 * Looks at home again first where another document refused. An order begins again if it was refused only
 * because one before it held what was given back since.
 */
async function tellAll(
  context: Context,
  attempts: readonly Attempt[],
  course: Course,
  outcomes: Outcomes,
): Promise<void> {
  const { visited, stopped, gone } = course;
  const isUnasked = ({ id, plan }: Attempt): boolean =>
    isRefusal(stopped.get(id)) && saidIn(visited, plan.documents[0], id) === undefined;
  const atHomes = await lookAtHomes(context, attempts.filter(isUnasked));
  const viewsOf = viewsIn(visited, gone);
  const freed = new Set<string>();
  for (const attempt of attempts) {
    const { id, plan } = attempt;
    const said = stopped.get(id);
    const views = viewsOf(attempt);
    if (said === undefined) {
      outcomes.set(id, { kind: 'held', views });
      continue;
    }
    const outcome = resultAfterLook(attempt, course, said, views, atHomes.get(id));
    const mayFit =
      isRefusal(outcome) && refusing(visited, attempt).some((document) => freed.has(document));
    if (mayFit) outcomes.set(id, again('givenBack', attempt, outcome.views));
    else if (fitsWithLess(context, attempt, outcome))
      outcomes.set(id, again('less', attempt, outcome.views));
    else outcomes.set(id, outcome);
    if (gone.has(id))
      for (const document of plan.documents)
        if (saidIn(visited, document, id)?.kind === 'held') freed.add(document);
  }
}

/** The documents that refuse an order. */
function refusing(visited: Visited, { id, plan }: Attempt): readonly string[] {
  return plan.documents.filter((document) => isRefusal(saidIn(visited, document, id)));
}

/** What becomes of an order that was stopped. @param atHome a look at its home since, if another document stopped it */
function resultAfterLook(
  attempt: Attempt,
  { visited, isUnread }: Course,
  said: Said,
  views: Views,
  atHome: AttemptResult | undefined,
): AttemptResult {
  if (said.kind === 'failed' || said.kind === 'again') return said;
  if (atHome === undefined) {
    // Nobody read the documents of an unread order. If the answer of home was lost, it may hold the order, now or later.
    const isTold = !isUnread || wasLostIn(visited, attempt.plan.documents[0], attempt.id);
    return isTold ? resultOf(said, views) : again('unread', attempt, views);
  }
  // Home decides before the others. What was read was decided there before.
  const isNew = isUnread ? atHome.kind !== 'wouldHold' : atHome.kind === 'known';
  if (!('views' in atHome) || isNew) return atHome;
  // Its amount is agreed once all documents are read.
  if (isUnread && attempt.request.leastMinor !== undefined)
    return again('unread', attempt, atHome.views);
  const isInTheWay = refusing(visited, attempt).some((document) => {
    const view = views.get(document);
    return view !== undefined && sharesInTheWay(view, attempt).length > 0;
  });
  if (isInTheWay) return again('inTheWay', attempt, atHome.views);
  // The answer shows the refusing document as it was then. It may have room by now.
  return resultOf(said, new Map([...atHome.views, ...views]));
}

/** What becomes of an order by what a document said to it. */
export function resultOf(said: Said, views: Views): AttemptResult {
  return said.kind === 'failed' || said.kind === 'again' ? said : { views, ...said };
}

function again(because: Again['because'], attempt: Attempt, views: Views): Again {
  return { kind: 'again', because, now: homeView(attempt, views).now };
}
