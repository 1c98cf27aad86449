import { UndecidedError } from '../shared/errors.ts';
import type { Again, Attempt, OpenMaxima, Said, Shown, Views } from './attempt.ts';
import { askOf, failed, homeView, isBarred, shownOf } from './attempt.ts';
import type { Context } from './context.ts';
import { look, seeBeside, seeHome, seeInTurn, sharesInTheWay } from './look.ts';
import { countCaptured, settleShares } from './shares.ts';
import type { Ask } from '../document/counter-store.ts';
import type { Visited } from './visits.ts';
import { askAll, askHome, asksBeside, saidIn, unreadAsks, viewsIn, wasLostIn } from './visits.ts';

type Outcomes = Map<string, Shown>;

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
): Promise<ReadonlyMap<string, Shown>> {
  const outcomes: Outcomes = new Map();
  const begun = isUnread
    ? new Map(attempts.map((attempt) => [attempt.id, unreadAsks(context, attempt)]))
    : await asksAsRead(context, attempts, outcomes);
  const asked = attempts.filter(({ id }) => begun.has(id));
  const visited: Visited = new Map();
  const stopped = new Map<string, Said>();
  const stop = (id: string, said: Said | undefined): void => {
    if (said !== undefined && said.kind !== 'held') stopped.set(id, said);
  };
  const beside: Ask[] = [];
  for (const asks of begun.values())
    for (const ask of asks) if (ask.place === 'beside') beside.push(ask);
  await askAll(context, beside, visited);
  for (const attempt of asked) stop(attempt.id, saidBeside(visited, attempt));
  const going = asked.filter(({ id }) => !stopped.has(id));
  const atHome: Ask[] = [];
  for (const { id } of going)
    for (const ask of begun.get(id) ?? []) if (ask.place === 'home') atHome.push(ask);
  await askAll(context, atHome, visited);
  for (const { id, plan } of going) stop(id, saidIn(visited, plan.documents[0], id));
  const gone = await giveBack(context, asked, visited, stopped);
  await tellAll(context, asked, { visited, stopped, gone, isUnread }, outcomes);
  for (const attempt of attempts) {
    const outcome = outcomes.get(attempt.id);
    if (outcome !== undefined && attempt.request.capture)
      outcomes.set(attempt.id, await countCaptured(context, outcome));
  }
  return outcomes;
}

/** Reads orders of several documents first. What home knows of one, or refuses, is its outcome. */
async function asksAsRead(
  context: Context,
  attempts: readonly Attempt[],
  outcomes: Outcomes,
): Promise<ReadonlyMap<string, readonly Ask[]>> {
  // A barred order is answered from a look if it is alone; among others, from its place.
  const isAlone = attempts.length === 1;
  const isSeveral = ({ plan }: Attempt): boolean => plan.documents.length > 1;
  // The amount of an order may depend on each that comes before it.
  const readsAll = attempts.some((one) => isSeveral(one) && one.request.leastMinor !== undefined);
  const isAnswered = (attempt: Attempt): boolean =>
    isSeveral(attempt) || (isAlone && isBarred(attempt));
  const read = attempts.filter((attempt) => readsAll || isAnswered(attempt));
  const seen = await lookAtHomes(context, read);
  const asks = new Map<string, readonly Ask[]>();
  for (const attempt of attempts) {
    const said = seen.get(attempt.id);
    if (said === undefined || !isAnswered(attempt))
      asks.set(attempt.id, [askOf(context, attempt, attempt.plan.documents[0])]);
    else if (said.kind === 'wouldHold')
      asks.set(attempt.id, asksOf(context, attempt, said.views, said.amountMinor));
    else outcomes.set(attempt.id, said);
  }
  return asks;
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

function asksOf(
  context: OpenMaxima,
  attempt: Attempt,
  views: Views,
  amountMinor: number,
): readonly Ask[] {
  const [document, ...others] = attempt.plan.documents;
  if (others.length === 0) return [askOf(context, attempt, document)];
  const { remembered: rememberedBefore } = homeView(attempt, views);
  return [
    ...asksBeside(context, attempt, views, amountMinor),
    askHome(context, attempt, views, amountMinor, { rememberedBefore }),
  ];
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
      outcomes.set(id, { kind: 'held', attempt, views });
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
  atHome: Shown | undefined,
): Shown {
  if (said.kind === 'failed' || said.kind === 'again') return shownOf(attempt, said, views);
  if (atHome === undefined) {
    // Nobody read the documents of an unread order. If the answer of home was lost, it may hold the order, now or later.
    const isTold = !isUnread || wasLostIn(visited, attempt.plan.documents[0], attempt.id);
    return isTold ? shownOf(attempt, said, views) : again('unread', attempt, views);
  }
  // Home decides before the others. What was read was decided there before.
  const isNew = isUnread ? atHome.kind !== 'wouldHold' : atHome.kind === 'known';
  if (atHome.kind === 'failed' || atHome.kind === 'again' || isNew) return atHome;
  // Its amount is agreed once all documents are read.
  if (isUnread && attempt.request.leastMinor !== undefined)
    return again('unread', attempt, atHome.views);
  const isInTheWay = refusing(visited, attempt).some((document) => {
    const view = views.get(document);
    return view !== undefined && sharesInTheWay(view, attempt).length > 0;
  });
  if (isInTheWay) return again('inTheWay', attempt, atHome.views);
  // The answer shows the refusing document as it was then. It may have room by now.
  return shownOf(attempt, said, new Map([...atHome.views, ...views]));
}

function again(because: Again['because'], attempt: Attempt, views: Views): Shown {
  return shownOf(attempt, { kind: 'again', because, now: homeView(attempt, views).now }, views);
}

/** What the homes of attempts say to them; a home that refuses is read first for a while. */
async function lookAtHomes(
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
function fitsWithLess(context: Context, attempt: Attempt, outcome: Shown): boolean {
  if (outcome.kind !== 'refused' || attempt.request.leastMinor === undefined) return false;
  const { views } = outcome;
  const all = [seeHome(context, attempt, views), ...seeBeside(context, attempt, views)];
  return all.every(({ kind }) => kind !== 'refused');
}

/** Whether a rule or a bound says no. */
function isRefusal<One extends Said>(
  said: One | undefined,
): said is Extract<One, { readonly kind: 'refused' | 'full' }> {
  return said?.kind === 'refused' || said?.kind === 'full';
}
