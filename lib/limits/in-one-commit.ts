import { ATTEMPTS_MAX } from '../shared/bounds.ts';
import { leftOutBy } from './decision.ts';
import type { DocumentView } from './document/document.ts';
import { currentEntry, emptyView } from './document/document.ts';
import { UndecidedError } from '../shared/errors.ts';
import { groupedBy } from './many.ts';
import { withShare } from './position.ts';
import type { Attempt, AttemptResult, Views } from './attempt.ts';
import { countersAt } from './attempt.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Context } from './context.ts';
import { heldUntil, homeView, look, seeAll, withoutShares } from './look.ts';
import { countCaptured, countShares, shareUntilIn } from './shares.ts';
import { viewsOf } from './tell-failed.ts';
import type { Visit } from './visited.ts';
import { Visited } from './visited.ts';
import { sharesInTheWay, visitAll } from './visits.ts';

/** A document changed between two statements of a commit, by time alone: the commit begins again. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  /** Whether no plan is for a document's instant: the attempts begin again. */
  readonly isSkewed: boolean;

  constructor(document: string, isSkewed: boolean) {
    super(`${document} was overtaken`);
    this.isSkewed = isSkewed;
  }
}

/**
 * Attempts at checks in one multi-document commit: it reads every document, decides, and holds
 * everywhere what is allowed, or nothing. What other attempts at the same order have beside home is
 * dropped, and kept there as an expired share is: the order may have been held, settled and forgotten
 * since.
 *
 * @param atomic all or none: unless each order is allowed, nothing is held
 */
export async function holdInOneCommit(
  context: Context,
  attempts: readonly Attempt[],
  atomic: boolean,
): Promise<ReadonlyMap<string, AttemptResult>> {
  for (let tries = 1; ; tries++) {
    try {
      const outcomes = await context.counters.together((counters) =>
        holdAll({ ...context, counters }, attempts, atomic),
      );
      // What another call counted by steps may have stopped at home.
      await countCaptured(context, attempts, outcomes, ['known']);
      return outcomes;
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error;
      if (error.isSkewed && !context.counters.isOneCommit) {
        const again = { kind: 'again', because: 'skewed', now: context.clock.estimate() } as const;
        return new Map(attempts.map(({ id }) => [id, again]));
      }
      if (tries >= ATTEMPTS_MAX || context.counters.isOneCommit)
        throw new UndecidedError('windows kept ending within the commit', { cause: error });
    }
  }
}

async function holdAll(
  context: Context,
  attempts: readonly Attempt[],
  atomic: boolean,
): Promise<Map<string, AttemptResult>> {
  const seen = await look(context, attempts);
  const outcomes = new Map<string, AttemptResult>();
  const current = new Map<string, DocumentView>();
  for (const attempt of attempts) {
    const views = new Map(
      [...seen.of(attempt)].map(([document, view]) => [
        document,
        atPlaceOf(view, current.get(document)),
      ]),
    );
    const outcome = seeAll(context, attempt, views);
    outcomes.set(attempt.id, outcome);
    if (outcome.kind === 'wouldHold') takeIn(attempt, views, current);
  }
  const allowed = attempts.filter(({ id }) => outcomes.get(id)?.kind === 'wouldHold');
  const isAll = [...outcomes.values()].every(isAllowed);
  if (allowed.length === 0 || (atomic && !isAll)) return outcomes;
  const held = await write(context, allowed, seen.of);
  return new Map([...outcomes, ...held]);
}

/** Says whether an order has a yes, new or old. */
export function isAllowed(outcome: AttemptResult): boolean {
  if (outcome.kind === 'known') return outcome.sameContent && outcome.entry.state !== 'rolledBack';
  return outcome.kind === 'held' || outcome.kind === 'wouldHold';
}

/** What is known of one order, in a document after the orders before it. */
function atPlaceOf(view: DocumentView, current: DocumentView | undefined): DocumentView {
  return current === undefined ? view : { ...current, entries: view.entries, shares: view.shares };
}

/** Takes an order into the documents, so that those after it find it there. */
function takeIn(attempt: Attempt, views: Views, current: Map<string, DocumentView>): void {
  const [home] = attempt.plan.documents;
  const { amountMinor, count, capture } = attempt.request;
  for (const document of attempt.plan.documents) {
    const view = views.get(document) ?? emptyView(attempt.estimate);
    const free = withoutShares(view, sharesInTheWay(view, attempt.id, home));
    const counters = countersAt(attempt, document, view.now);
    const isBeside = document !== home;
    const captured = capture && !isBeside;
    const leftOut = leftOutBy(free, counters, attempt.request);
    const share = { amountMinor, count, captured, isBeside, counters, leftOut };
    current.set(document, withShare(free, share));
  }
}

async function write(
  context: Context,
  attempts: readonly Attempt[],
  seen: (attempt: Attempt) => Views,
): Promise<ReadonlyMap<string, AttemptResult>> {
  await dropShares(context, attempts, seen);
  const visited = new Visited();
  const others = attempts.flatMap((attempt): readonly Visit[] => {
    const [home, ...beside] = attempt.plan.documents;
    const views = seen(attempt);
    const held = heldUntil(attempt, views);
    return beside.map((document) => {
      const until = shareUntilIn(views.get(document), held, attempt.request.holdMs);
      return { attempt, document, until, home, isNew: views.get(document)?.isMissing === true };
    });
  });
  await visitAll(context, others, visited);
  const homes = attempts.map((attempt): Visit => {
    const [document, ...beside] = attempt.plan.documents;
    const isNew = seen(attempt).get(document)?.isMissing === true;
    if (beside.length === 0) return { attempt, document, isNew };
    const until = heldUntil(attempt, seen(attempt));
    return { attempt, document, until, others: beside, isNew };
  });
  await visitAll(context, homes, visited);
  const held = new Map<string, AttemptResult>();
  for (const attempt of attempts) {
    refuseOvertaken(attempt, visited);
    held.set(attempt.id, { kind: 'held', views: viewsOf(attempt, visited, new Set()) });
  }
  for (const attempt of attempts.filter(({ request }) => request.capture)) {
    const views = viewsOf(attempt, visited, new Set());
    const entry = currentEntry(homeView(attempt, views));
    if (entry?.others !== undefined)
      held.set(attempt.id, { kind: 'held', ...(await countShares(context, entry, views)) });
  }
  return held;
}

/** @throws what a document failed with, or OvertakenError where one did not hold what it had room for */
function refuseOvertaken({ id, plan }: Attempt, visited: Visited): void {
  for (const document of plan.documents) {
    const said = visited.said(document, id);
    if (said?.kind === 'failed') throw said.error;
    if (said?.kind !== 'held') throw new OvertakenError(document, said?.kind === 'skewed');
  }
}

async function dropShares(
  context: Context,
  attempts: readonly Attempt[],
  seen: (attempt: Attempt) => Views,
): Promise<void> {
  const dropped = attempts.flatMap((attempt) => {
    const [home, ...others] = attempt.plan.documents;
    const views = seen(attempt);
    return others.flatMap((document) => {
      const view = views.get(document);
      const shares = view === undefined ? [] : sharesInTheWay(view, attempt.id, home);
      return shares.map(({ id, nonce }) => ({ document, id, nonce, to: 'dropped' as const }));
    });
  });
  await atOnce(
    groupedBy(dropped, ({ document }) => document),
    async ([document, asks]) => {
      const estimate = context.clock.estimate();
      await context.counters.settleShares(document, asks, estimate, context.at);
    },
  );
}
