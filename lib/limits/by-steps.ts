import { UndecidedError } from '../shared/errors.ts';
import type { Attempt, Overtaken, Said, Shown, Views } from './attempt.ts';
import { askOf, homeView, isRefusal, shownOf } from './attempt.ts';
import type { Context } from './context.ts';
import {
  isRefusedByHome,
  lookAtHomes,
  lookInTurn,
  seeBeside,
  seeHome,
  sharesInTheWay,
} from './look.ts';
import { countCaptured, settleShares } from './shares.ts';
import type { Ask } from '../document/counter-store.ts';
import type { Visited } from './visits.ts';
import {
  askAll,
  askHome,
  asksBeside,
  saidIn,
  unreadAsks,
  viewsIn,
  waits,
  wasLostIn,
} from './visits.ts';

/**
 * Makes one update a document for all its orders. Orders of several documents, and those that ask one of these, go by
 * steps:
 *
 * 1. Read all their documents, and decide each order in its turn. What home knows of one, or a document refuses, is the
 *    answer, and nothing is written. The end of the hold is fixed, and the amount of an order that takes what fits.
 * 2. Hold in the others. A share names its home, and only this attempt uses its nonce.
 * 3. Hold at home: the moment of the decision. The order must still be unknown, its time not over, and home must
 *    have forgotten nothing since step 1.
 *
 * Otherwise the others give back; not where the answer to step 3 was lost, for home may hold it, now or later.
 * Before a refusal of another document is the answer, home is looked at again: another attempt may have been faster.
 * Where an order begins again, those after it wait that ask one of its documents.
 */
export async function holdBySteps(
  context: Context,
  attempts: readonly Attempt[],
  isUnread = false,
): Promise<ReadonlyMap<string, Shown>> {
  const seen = isUnread ? new Map<string, Shown>() : await lookInTurn(context, attempts);
  const begun = new Map<string, readonly Ask[]>();
  for (const attempt of attempts) {
    const said = seen.get(attempt.id);
    if (isUnread) begun.set(attempt.id, unreadAsks(attempt));
    else if (said === undefined || said.kind === 'wouldHold')
      begun.set(attempt.id, asksOf(attempt, said));
  }
  const asked = attempts.filter(({ id }) => begun.has(id));
  const visited: Visited = new Map();
  const asksAt = (some: readonly Attempt[], place: Ask['place']): readonly Ask[] => {
    const asks: Ask[] = [];
    for (const { id } of some)
      for (const ask of begun.get(id) ?? []) if (ask.place === place) asks.push(ask);
    return asks;
  };
  await askAll(context, asksAt(asked, 'beside'), visited);
  const stopped = stoppedBeside(context, asked, visited);
  const going = asked.filter(({ id }) => !stopped.has(id));
  await askAll(context, asksAt(going, 'home'), visited);
  for (const { id, plan } of going) {
    const said = saidIn(visited, plan.documents[0], id);
    if (said !== undefined && said.kind !== 'held') stopped.set(id, said);
  }
  const gone = await giveBack(context, asked, visited, stopped);
  const outcomes = await tellAll(context, attempts, { seen, visited, stopped, gone, isUnread });
  for (const attempt of attempts) {
    const outcome = outcomes.get(attempt.id);
    if (outcome !== undefined && attempt.request.capture)
      outcomes.set(attempt.id, await countCaptured(context, outcome));
  }
  return outcomes;
}

/**
 * The orders that documents beside home stop, and those that wait: they ask a document of one before them that
 * begins again, or that may, because what refuses it may be given back.
 */
function stoppedBeside(
  context: Context,
  attempts: readonly Attempt[],
  visited: Visited,
): Map<string, Said> {
  const stopped = new Map<string, Said>();
  const [open, waiting] = [new Set<string>(), new Set<string>()];
  for (const attempt of attempts) {
    const { documents } = attempt.plan;
    const isWaiting = documents.some((document) => waiting.has(document));
    const said = saidBeside(visited, attempt) ?? (isWaiting ? waits(context) : undefined);
    if (said !== undefined) stopped.set(attempt.id, said);
    const mayFit =
      isRefusal(said) && refusing(visited, attempt).some((document) => open.has(document));
    if (said === undefined) for (const document of documents) open.add(document);
    else if (said.kind === 'again' || mayFit)
      for (const document of documents) waiting.add(document);
  }
  return stopped;
}

/** The document that stops the order: one that gave no answer, or else the first that refused. */
function saidBeside(visited: Visited, { id, plan }: Attempt): Said | undefined {
  if (plan.documents.length === 1) return undefined;
  const said = plan.documents.slice(1).flatMap((document) => saidIn(visited, document, id) ?? []);
  return (
    said.find(({ kind }) => kind === 'failed') ??
    said.find(({ kind }) => kind === 'again') ??
    said.find(({ kind }) => kind !== 'held')
  );
}

function asksOf(
  attempt: Attempt,
  seen: (Shown & { readonly kind: 'wouldHold' }) | undefined,
): readonly Ask[] {
  const [document, ...others] = attempt.plan.documents;
  if (seen === undefined || others.length === 0) return [askOf(attempt, document)];
  const { views, amountMinor } = seen;
  const { remembered: rememberedBefore } = homeView({ attempt, views });
  return [
    ...asksBeside(attempt, views, amountMinor),
    askHome(attempt, views, amountMinor, { rememberedBefore }),
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
  /** What was said to orders in their turn before any was asked. */
  readonly seen: ReadonlyMap<string, Shown>;
  readonly visited: Visited;
  readonly stopped: ReadonlyMap<string, Said>;
  /** Orders whose shares were given back. */
  readonly gone: ReadonlySet<string>;
  readonly isUnread: boolean;
};

/**
 * Looks at home again first where another document refused. An order begins again if it was refused only
 * because one before it held what was given back since, or would have held what it did not get.
 */
async function tellAll(context: Context, attempts: readonly Attempt[], course: Course) {
  const { seen, visited, stopped, gone } = course;
  const outcomes = new Map<string, Shown>();
  const atHomes = await lookAtHomes(
    context,
    attempts.filter((attempt) => {
      const { id, plan } = attempt;
      const early = seen.get(id);
      if (isRefusal(early)) return !isRefusedByHome(attempt, early.views);
      return isRefusal(stopped.get(id)) && saidIn(visited, plan.documents[0], id) === undefined;
    }),
  );
  const viewsOf = viewsIn(visited, gone);
  const [freed, missed] = [new Set<string>(), new Set<string>()];
  for (const attempt of attempts) {
    const { id, plan } = attempt;
    const said = stopped.get(id);
    const early = seen.get(id);
    if (early !== undefined && early.kind !== 'wouldHold') {
      const mayFit = isRefusal(early) && plan.documents.some((document) => missed.has(document));
      const now = atHomes.get(id);
      if (now !== undefined && isNews(now)) outcomes.set(id, now);
      else outcomes.set(id, mayFit ? again('givenBack', attempt, early.views) : early);
      continue;
    }
    const views = viewsOf(attempt);
    if (said === undefined) {
      outcomes.set(id, { kind: 'held', attempt, views });
      continue;
    }
    const outcome = resultAfterLook(attempt, course, said, views, atHomes.get(id));
    const mayFit =
      isRefusal(outcome) && refusing(visited, attempt).some((document) => freed.has(document));
    if (mayFit) outcomes.set(id, again('givenBack', attempt, outcome.views));
    else if (fitsWithLess(attempt, outcome))
      outcomes.set(id, again('less', attempt, outcome.views));
    else outcomes.set(id, outcome);
    for (const document of plan.documents) {
      missed.add(document);
      if (gone.has(id) && saidIn(visited, document, id)?.kind === 'held') freed.add(document);
    }
  }
  return outcomes;
}

/** Whether home says more than that it would hold the order, or not. */
function isNews({ kind }: Said): boolean {
  return kind === 'failed' || kind === 'again' || kind === 'known';
}

/** The documents that refuse an order. */
function refusing(visited: Visited, { id, plan }: Attempt): readonly string[] {
  return plan.documents.filter((document) => isRefusal(saidIn(visited, document, id)));
}

/** What becomes of an order that was stopped. @param atHome a look at its home since, if another document stopped it */
function resultAfterLook(
  attempt: Attempt,
  { seen, visited, isUnread }: Course,
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
  if (isNews(atHome) || (isUnread && atHome.kind !== 'wouldHold')) return atHome;
  // Its amount is agreed once all documents are read.
  if (isUnread && attempt.request.leastMinor !== undefined)
    return again('unread', attempt, atHome.views);
  const isInTheWay = refusing(visited, attempt).some((document) => {
    const view = views.get(document);
    return view !== undefined && sharesInTheWay(view, attempt).length > 0;
  });
  if (isInTheWay) return again('inTheWay', attempt, atHome.views);
  // The answer shows the documents in the order's turn. The one that refuses may have room by now.
  const { views: before } = seen.get(attempt.id) ?? atHome;
  return shownOf(attempt, said, new Map([...before, ...views]));
}

function again(because: Overtaken['because'], attempt: Attempt, views: Views): Shown {
  return shownOf(attempt, { kind: 'again', because, now: homeView({ attempt, views }).now }, views);
}

/** Whether no rule refuses an order that takes less, though a document has refused it more. */
function fitsWithLess(attempt: Attempt, outcome: Shown): boolean {
  if (outcome.kind !== 'refused' || attempt.request.leastMinor === undefined) return false;
  const { views } = outcome;
  const all = [seeHome(attempt, views), ...seeBeside(attempt, views)];
  return all.every(({ kind }) => kind !== 'refused');
}
