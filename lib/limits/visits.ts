import { isDeepStrictEqual } from 'node:util';
import { BUCKETS_MAX, OPEN_SHARES_HIGH, RULES_PER_CHECK_MAX } from '../shared/bounds.ts';
import { readDocumentId } from '../shared/subject.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Again, Attempt, Failed, Views } from './attempt.ts';
import { countersAt, plansFor } from './attempt.ts';
import type { Context } from './context.ts';
import type { HoldAsk, Holding } from '../document/counter-store.ts';
import type { Ruling } from '../document/decision.ts';
import { liveIn } from '../document/decision.ts';
import type { DocumentView } from '../document/document.ts';
import type { OrderAt } from './look.ts';
import { decisionOf, heldUntil, orderOf } from './look.ts';
import type { Placed } from '../document/position.ts';
import { bucketsEntered, positions, sharesGone, takenShare } from '../document/position.ts';
import { shareUntilIn } from './shares.ts';
import { groupedBy } from '../shared/grouped.ts';

/** One attempt's visit to one document, to hold its share there. */
export type Visit = OrderAt & Pick<HoldAsk, 'rememberedBefore' | 'isNew' | 'readsFirst' | 'unread'>;

/** The visits of one order: those beside home come first. */
export type Visits = { readonly beside: readonly Visit[]; readonly atHome: Visit };

/** What a document said to a visit. */
export type Said =
  | Exclude<Ruling, { readonly kind: 'allowed' }>
  | { readonly kind: 'held' }
  | Again
  | Failed;

/** What one document said to the orders of a call, and each update of it, by document. */
export type Visited = Map<string, VisitedDocument>;

type VisitedDocument = {
  readonly said: Map<string, Said>;
  readonly runs: Run[];
  /** Orders of an add whose answer was lost. */
  readonly lost: Set<string>;
};

type Run = {
  readonly view: DocumentView;
  readonly placed: readonly Placed[];
  /** How the document stood at the place of each order, if nothing is given back. */
  readonly views: ReadonlyMap<string, DocumentView>;
};

/** The visits of an order to the documents beside home, as a look showed them. */
export function visitsBeside(
  attempt: Attempt,
  views: Views,
  amountMinor: number,
): readonly Visit[] {
  const [home, ...others] = attempt.plan.documents;
  const ends = heldUntil(attempt, views);
  return others.map((document) => {
    const until = shareUntilIn(views.get(document), ends, attempt.request.holdMs);
    return { attempt, document, until, amountMinor, home, ...stateOf(views, document) };
  });
}

/** The visit of an order to its home, as a look showed it. */
export function visitHome(attempt: Attempt, views: Views, amountMinor: number): Visit {
  const [document, ...others] = attempt.plan.documents;
  const visit = { attempt, document, amountMinor, ...stateOf(views, document) };
  return others.length === 0 ? visit : { until: heldUntil(attempt, views), others, ...visit };
}

function stateOf(views: Views, document: string): Pick<Visit, 'isNew' | 'readsFirst'> {
  const view = views.get(document);
  return {
    isNew: view?.isMissing === true,
    // A document with nearly as many buckets as it may have decides by what is read.
    readsFirst: view !== undefined && liveIn(view).length + RULES_PER_CHECK_MAX > BUCKETS_MAX,
  };
}

/** Visits several documents at a time, each with one update for each stretch of orders that have the same plans. */
export async function visitAll(context: Context, visits: readonly Visit[], visited: Visited) {
  await atOnce(
    groupedBy(visits, ({ document }) => document),
    async ([document, ofDocument]) => {
      for (const run of runsOf(ofDocument)) await visitOnce(context, document, run, visited);
    },
  );
}

function runsOf(visits: readonly Visit[]): readonly (readonly [Visit, ...Visit[]])[] {
  const runs: [Visit, ...Visit[]][] = [];
  for (const visit of visits) {
    const run = runs.at(-1);
    if (run !== undefined && isAlike(run[0], visit)) run.push(visit);
    else runs.push([visit]);
  }
  return runs;
}

/** Whether one update serves both visits of a document. */
function isAlike(one: Visit, other: Visit): boolean {
  const { attempt, document } = one;
  const termsOf = ({ plan }: Attempt) => plan.terms.get(document)?.version;
  if ((one.home === undefined) !== (other.home === undefined)) return false;
  if (one.rememberedBefore !== other.rememberedBefore) return false;
  if (termsOf(attempt) !== termsOf(other.attempt)) return false;
  return isDeepStrictEqual(plansFor(attempt, document), plansFor(other.attempt, document));
}

/** Asks a document to hold what it can of orders that have the same plans in it. */
export async function holdIn(
  context: Context,
  document: string,
  visits: readonly [Visit, ...Visit[]],
): Promise<Holding> {
  const [{ attempt, rememberedBefore, isNew, readsFirst, unread }] = visits;
  const ask: HoldAsk = {
    orders: visits.map((visit) => orderOf(context, visit)),
    plans: plansFor(attempt, document),
    // A step of several may come late.
    estimate: unread === undefined ? context.clock.estimate() : attempt.estimate,
    unread,
    rememberedBefore,
    isNew: isNew === true,
    readsFirst: attempt.isAgain || readsFirst === true,
    terms: attempt.plan.terms.get(document),
    asked: context.asked?.get(document),
  };
  const holding = await context.counters.hold(document, ask, context.at);
  context.clock.observe(holding.view.databaseNow);
  context.terms.learn(document, holding.view);
  return holding;
}

async function visitOnce(
  context: Context,
  document: string,
  visits: readonly [Visit, ...Visit[]],
  visited: Visited,
): Promise<void> {
  const one = visited.get(document) ?? { said: new Map<string, Said>(), runs: [], lost: new Set() };
  visited.set(document, one);
  const { said, runs } = one;
  try {
    const { view, held, lost = [] } = await holdIn(context, document, visits);
    for (const id of lost) one.lost.add(id);
    if (visits[0].home !== undefined) tellCrowded(context, document, view);
    const placed = placedIn(visits, view, held);
    const views = positions(view, placed);
    for (const visit of visits) {
      const { id } = visit.attempt;
      said.set(
        id,
        held.has(id) ? { kind: 'held' } : whyNotHeld(context, visit, views.get(id) ?? view),
      );
    }
    runs.push({ view, placed, views });
  } catch (error) {
    for (const { attempt } of visits) said.set(attempt.id, { kind: 'failed', error });
  }
}

function tellCrowded(
  { openSharesMax: most, onCrowded }: Context,
  document: string,
  { openShares: open }: DocumentView,
): void {
  if (open >= most * OPEN_SHARES_HIGH)
    onCrowded({ kind: readDocumentId(document).kind, open, most });
}

function placedIn(
  visits: readonly [Visit, ...Visit[]],
  view: DocumentView,
  held: ReadonlyMap<string, string>,
): readonly Placed[] {
  const byNonce = new Map([...view.entries, ...view.shares].map((one) => [one.nonce, one]));
  const [{ attempt: first, document }] = visits; // all have the same plans
  const counters = countersAt(first, document, view.now);
  const all = bucketsEntered(counters, [], view.now);
  return visits.map(({ attempt, home }) => {
    const { id, request, values } = attempt;
    const own = byNonce.get(held.get(id) ?? '');
    if (own === undefined) return { id };
    const { leftOut = [], amount: amountMinor } = own;
    // An order that takes less than it asks has what it took.
    const taken = amountMinor === request.amountMinor ? request : { ...request, amountMinor };
    const buckets = leftOut.length === 0 ? all : bucketsEntered(counters, leftOut, view.now);
    return { id, share: takenShare(taken, home !== undefined, buckets, values) };
  });
}

/**
 * Reads from a document at the place of an order that it does not hold what it decided. It may have room by
 * now: its time was over, or the last place was given back while others of the call were added.
 */
export function whyNotHeld(context: Context, visit: Visit, view: DocumentView): Said {
  const said = decisionOf(context, visit, view);
  return said.kind === 'allowed' ? { kind: 'again', because: 'late', now: view.now } : said;
}

/** What a document said to an order; undefined where it was not visited. */
export function saidIn(visited: Visited, document: string, id: string): Said | undefined {
  return visited.get(document)?.said.get(id);
}

/** Whether the answer was lost to an add by which a document took an order, or did not. */
export function wasLostIn(visited: Visited, document: string, id: string): boolean {
  return visited.get(document)?.lost.has(id) === true;
}

/** How documents stood at the place of an order, without the shares of orders that are given back. */
export function viewsIn(visited: Visited, gone: ReadonlySet<string> = new Set()) {
  const all = new Map([...visited].map(([document, { runs }]) => [document, stood(runs, gone)]));
  return ({ id, plan }: Attempt): Views => {
    const views = new Map<string, DocumentView>();
    for (const document of plan.documents) {
      const view = all.get(document)?.get(id);
      if (view !== undefined) views.set(document, view);
    }
    return views;
  };
}

function stood(runs: readonly Run[], gone: ReadonlySet<string>): ReadonlyMap<string, DocumentView> {
  const all = new Map<string, DocumentView>();
  const earlierGone: ReturnType<typeof takenShare>[] = [];
  for (const { view, placed, views } of runs) {
    const atPlaces = gone.size === 0 ? views : positions(view, placed, gone, earlierGone);
    for (const [id, one] of atPlaces) all.set(id, one);
    earlierGone.push(...sharesGone(placed, gone));
  }
  return all;
}
