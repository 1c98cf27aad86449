import { decideAttempt, openMaxOf } from './decide-attempt.ts';
import type { DocumentView } from './document/document.ts';
import { UndecidedError } from '../shared/errors.ts';
import { groupedBy } from './many.ts';
import { positions } from './position.ts';
import type { HoldAsk, HoldOrder, Holding } from './counter-store.ts';
import { atOnce } from '../shared/at-once.ts';
import { hasTermsOf, isBarred, plansFor } from './attempt.ts';
import type { Context } from './context.ts';
import type { Said, Visit, Visited } from './visited.ts';
import { placedIn } from './visited.ts';

/**
 * Visits documents, several at a time, each with one update for all its orders; where their plans
 * differ, with one for each stretch of orders that have the same.
 */
export async function visitAll(
  context: Context,
  visits: readonly Visit[],
  visited: Visited,
): Promise<void> {
  await atOnce(
    groupedBy(visits, ({ document }) => document),
    async ([document, ofDocument]) => {
      for (const run of runsOf(ofDocument)) await visitOnce(context, document, run, visited);
    },
  );
}

function runsOf(visits: readonly Visit[]): readonly (readonly [Visit, ...Visit[]])[] {
  const runs: [Visit, ...Visit[]][] = [];
  let last: string | undefined;
  for (const visit of visits) {
    const signature = signatureOf(visit);
    if (signature === last) runs.at(-1)?.push(visit);
    else runs.push([visit]);
    last = signature;
  }
  return runs;
}

/** What orders must have in common to be decided by one update. */
function signatureOf(visit: Visit): string {
  const { attempt, document, home, rememberedBefore = '', closingsBefore = '' } = visit;
  const plans = plansFor(attempt, document).map(({ signature, isBarred: no = false }) =>
    [signature, no].join(),
  );
  const terms = attempt.plan.terms.get(document)?.version ?? '';
  return [home === undefined, rememberedBefore, closingsBefore, terms, ...plans].join('|');
}

/** Asks a document to hold what it can of orders that have the same plans in it. */
export async function holdIn(
  context: Context,
  document: string,
  visits: readonly [Visit, ...Visit[]],
): Promise<Holding> {
  const [{ attempt, rememberedBefore, closingsBefore, isNew, readsFirst }] = visits;
  const ask: HoldAsk = {
    orders: visits.map((visit) => orderOf(context, visit)),
    plans: plansFor(attempt, document),
    estimate: context.clock.estimate(), // a step of several may come late
    rememberedBefore,
    closingsBefore,
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
  try {
    const { view, held } = await holdIn(context, document, visits);
    const views = positions(view, placedIn(visits, view, held, new Set()), []);
    for (const visit of visits) {
      const { id } = visit.attempt;
      const said: Said = held.has(id)
        ? { kind: 'held' }
        : readSaid(context, visit, views.get(id) ?? view);
      visited.note(document, id, said);
    }
    visited.noteRun(document, { visits, view, views, held });
  } catch (error) {
    for (const visit of visits) visited.note(document, visit.attempt.id, { kind: 'failed', error });
  }
}

function orderOf(context: Context, { attempt, until, others, home }: Visit): HoldOrder {
  const { id, nonce, digest, request } = attempt;
  return {
    id,
    nonce,
    digest,
    amountMinor: request.amountMinor,
    count: request.count,
    holdMs: request.holdMs,
    until,
    // Beside home a share is held, and counted once home has counted the order.
    capture: request.capture && home === undefined,
    openMax: openMaxOf(context, attempt, home !== undefined),
    barred: isBarred(attempt),
    others,
    home,
  };
}

/** Reads from a document at the place of an order that it does not hold what it decided. */
export function readSaid(context: Context, visit: Visit, view: DocumentView): Said {
  const { attempt, document, home } = visit;
  const said = decideAttempt(context, attempt, document, view);
  if (said === undefined) return { kind: 'skewed' };
  const isReused = said.kind === 'known' && !said.sameContent;
  if (!isReused && !hasTermsOf(attempt, document, view)) return { kind: 'terms' };
  switch (said.kind) {
    case 'allowed':
      return visit.until === undefined ? { kind: 'failed', error: unheld(document) } : LATE;
    case 'refused':
    case 'full':
      return { ...said, inTheWay: sharesInTheWay(view, attempt.id, home).length > 0 };
    case 'known':
      return said;
  }
}

const LATE = { kind: 'late' } as const;

/**
 * An order of one document has no time that could be over and was not read before: it fits, is not
 * known, and is not held. That cannot be, so nobody may decide it again unasked.
 */
function unheld(document: string): UndecidedError {
  return new UndecidedError(`${document} has room for the order, and neither holds nor knows it`);
}

/** Open shares of the same order, with the same home, of other attempts. */
export function sharesInTheWay(view: DocumentView, id: string, home: string | undefined) {
  return view.shares.filter(
    (share) => share.id === id && share.home === home && share.state === 'open',
  );
}
