import { isDeepStrictEqual } from 'node:util';
import { BUCKETS_MAX, RULES_PER_CHECK_MAX, SLACK_MS } from '../shared/bounds.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Again, Attempt, Said, Views } from './attempt.ts';
import { askOf, hold, tellShares, whyNotHeld } from './attempt.ts';
import type { Context } from './context.ts';
import type { Ask, AskedOrder } from '../document/counter-store.ts';
import { liveIn } from '../document/decision.ts';
import type { DocumentView, Outcome } from '../document/document.ts';
import { planAt, planFor } from '../document/document-plan.ts';
import { holdEnd } from '../counter/effect.ts';
import { mostIn } from '../plan/plan.ts';
import { heldUntil } from './look.ts';
import type { Placed } from '../document/position.ts';
import { bucketsEntered, positions, sharesGone, takenShare } from '../document/position.ts';
import { shareUntil, shareUntilIn } from './shares.ts';
import { groupedBy } from '../shared/grouped.ts';

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

/**
 * Whether an order of several documents is asked for unread: not where the answer is likely to be no, nor where a
 * document would read itself first.
 */
export function mayAskUnread(
  { counters, inOneCommit }: Context,
  { isAgain, plan, request }: Attempt,
): boolean {
  const [home] = plan.documents;
  return (
    !isAgain &&
    !inOneCommit &&
    !counters.isOneCommit &&
    plan.barred.length === 0 &&
    request.holdMs > SLACK_MS &&
    counters.lanes.takesPlain(home, 'hold')
  );
}

/**
 * What an order asks of several documents that nobody read before. All of them are for the instant of the
 * attempt, so its end is known. A commit may drop a share before home is asked, and home may hold the order of that
 * commit, end it and forget it. So home asks whether a share was dropped that ends so late.
 *
 * Where home does not hold it, the attempt begins again with a read.
 */
export function unreadAsks(attempt: Attempt): readonly Ask[] {
  const [home, ...others] = attempt.plan.documents;
  const until = holdEnd(attempt.estimate, attempt.request.holdMs);
  const unreadUntil = shareUntil(until);
  const plan = planFor(attempt.plan.plans, attempt.estimate);
  if (plan === undefined) throw new TypeError('a plan is made for its own instant');
  const amountMinor = mostIn(plan, attempt.request);
  const share = { until: unreadUntil, amountMinor, home };
  const hold = { until, amountMinor, others };
  return [
    ...others.map((document) => askOf(attempt, document, share, { unreadUntil })),
    askOf(attempt, home, hold, { unreadUntil }),
  ];
}

/** What an order asks of the documents beside home, as a look showed them. */
export function asksBeside(attempt: Attempt, views: Views, amountMinor: number): readonly Ask[] {
  const [home, ...others] = attempt.plan.documents;
  const ends = heldUntil(attempt, views);
  return others.map((document) => {
    const until = shareUntilIn(views.get(document), ends, attempt.request.holdMs);
    const order = { until, amountMinor, home };
    return askOf(attempt, document, order, stateOf(views, document));
  });
}

/** What an order asks of its home, as a look showed it. */
export function askHome(
  attempt: Attempt,
  views: Views,
  amountMinor: number,
  more: Pick<AskedOrder, 'droppedUntil'> & Pick<Ask, 'rememberedBefore'> = {},
): Ask {
  const [document, ...others] = attempt.plan.documents;
  const { droppedUntil, rememberedBefore } = more;
  const several = others.length === 0 ? {} : { until: heldUntil(attempt, views), others };
  const order = { amountMinor, droppedUntil, ...several };
  return askOf(attempt, document, order, {
    rememberedBefore,
    ...stateOf(views, document),
  });
}

function stateOf(views: Views, document: string): Pick<Ask, 'isNew' | 'readsFirst'> {
  const view = views.get(document);
  return {
    isNew: view?.isMissing === true,
    // A document with nearly as many buckets as it may have decides by what is read.
    readsFirst: view !== undefined && liveIn(view).length + RULES_PER_CHECK_MAX > BUCKETS_MAX,
  };
}

/**
 * Asks several documents at a time, each with one update for each stretch of orders that have the same plans. Where an
 * order begins again, those of later updates wait.
 */
export async function askAll(context: Context, asks: readonly Ask[], visited: Visited) {
  await atOnce(
    groupedBy(asks, ({ document }) => document),
    async ([, ofDocument]) => {
      let beginsAgain = false;
      for (const run of runsOf(ofDocument)) {
        if (!beginsAgain) await askOnce(context, timed(context, run), visited);
        const { said } = visitedIn(visited, run.document);
        for (const { id } of run.orders) {
          if (beginsAgain) said.set(id, waits(context));
          beginsAgain ||= said.get(id)?.kind === 'again';
        }
      }
    },
  );
}

/** Of an order that waits until one before it is decided. */
export function waits({ clock }: Pick<Context, 'clock'>): Again {
  return { kind: 'again', because: 'turn', now: clock.estimate() };
}

function visitedIn(visited: Visited, document: string): VisitedDocument {
  const known = visited.get(document);
  if (known !== undefined) return known;
  const made: VisitedDocument = { said: new Map(), runs: [], lost: new Set() };
  visited.set(document, made);
  return made;
}

/** A step of several may come late. */
function timed({ clock }: Context, ask: Ask): Ask {
  return ask.unreadUntil === undefined ? { ...ask, estimate: clock.estimate() } : ask;
}

function runsOf(asks: readonly Ask[]): readonly Ask[] {
  const runs: { readonly first: Ask; readonly orders: AskedOrder[] }[] = [];
  for (const ask of asks) {
    const run = runs.at(-1);
    if (run !== undefined && isAlike(run.first, ask)) run.orders.push(...ask.orders);
    else runs.push({ first: ask, orders: [...ask.orders] });
  }
  return runs.map(({ first, orders }) => ({ ...first, orders }));
}

/** Whether one update serves both asks of a document. */
function isAlike(one: Ask, other: Ask): boolean {
  if (one.place !== other.place) return false;
  if (one.rememberedBefore !== other.rememberedBefore) return false;
  if (one.terms?.version !== other.terms?.version) return false;
  // Orders that meet the same rules mostly have the same plans.
  const isSame = one.plans.every((plan, place) => plan === other.plans[place]);
  return isSame
    ? one.plans.length === other.plans.length
    : isDeepStrictEqual(one.plans, other.plans);
}

async function askOnce(context: Context, ask: Ask, visited: Visited): Promise<void> {
  const { document, orders } = ask;
  const one = visitedIn(visited, document);
  const { said, runs } = one;
  try {
    const { view, held, lost = [] } = await hold(context, ask);
    for (const id of lost) one.lost.add(id);
    if (ask.place === 'beside') tellShares(context, document, view);
    const placed = placedIn(ask, view, held);
    const views = positions(view, placed);
    for (const order of orders) {
      const { id } = order;
      said.set(id, held.has(id) ? { kind: 'held' } : whyNotHeld(ask, order, views.get(id) ?? view));
    }
    runs.push({ view, placed, views });
  } catch (error) {
    for (const { id } of orders) said.set(id, { kind: 'failed', error });
  }
}

function placedIn(
  { orders, plans }: Ask,
  view: DocumentView,
  held: ReadonlyMap<string, string>,
): readonly Placed[] {
  const byNonce = new Map([...view.entries, ...view.shares].map((one) => [one.nonce, one]));
  return orders.map((order) => {
    const { id, home } = order;
    const own = byNonce.get(held.get(id) ?? '');
    if (own === undefined) return { id };
    const { amount: amountMinor } = own;
    // An order that takes less than it asks has what it took.
    const taken = amountMinor === order.amountMinor ? order : { ...order, amountMinor };
    // It entered those of the instant of its add, and the document may have seen a later one.
    const buckets = 'places' in own ? own.places.buckets : bucketsCounted(plans, own, view.now);
    const { nonce } = own;
    return { id, nonce, share: takenShare(taken, home !== undefined, buckets) };
  });
}

/** The buckets of an order that counts at once. */
function bucketsCounted(plans: Ask['plans'], { at, leftOut = [] }: Outcome, now: Date) {
  const plan = planAt(plans, at ?? now);
  const isIn = leftOut.length === 0;
  return (
    (isIn ? plan?.places?.buckets : undefined) ??
    bucketsEntered(plan?.counters ?? [], leftOut, at ?? now)
  );
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
