import { currentEntry, isOutcome } from '../document/document.ts';
import { LostAnswerError, UndecidedError } from '../shared/errors.ts';
import { isOfFailures } from '../rule/counting.ts';
import type { Attempt, Said, Shown, Views } from './attempt.ts';
import { failed, homeView, shownOf } from './attempt.ts';
import type { Context } from './context.ts';
import { look, seeAll, seeHome, seeInTurn, sharesInTheWay } from './look.ts';
import { countCaptured, countShares, settleShares } from './shares.ts';
import type { Ask } from '../document/counter-store.ts';
import type { Visited } from './visits.ts';
import { askAll, askHome, asksBeside, saidIn, viewsIn } from './visits.ts';

/** A document changed between two statements of a commit, by time alone: the attempts begin again. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  readonly because: 'skewed' | 'late';

  constructor(document: string, because: 'skewed' | 'late') {
    super(`${document} was overtaken`);
    this.because = because;
  }
}

/**
 * Reads every document, decides, and holds everywhere or nowhere. Shares of other attempts at the same order are
 * dropped and kept beside home: it may have been held, settled and forgotten since.
 * @param atomic unless each order is allowed, nothing is held
 */
export async function holdInOneCommit(
  context: Context,
  attempts: readonly Attempt[],
  atomic: boolean,
): Promise<ReadonlyMap<string, Shown>> {
  try {
    const outcomes = await context.counters.together((counters) =>
      holdAll({ ...context, counters }, attempts, atomic),
    );
    // What another call counted by steps may have stopped at home.
    for (const attempt of attempts) {
      const outcome = outcomes.get(attempt.id);
      if (outcome?.kind === 'known')
        outcomes.set(attempt.id, await countCaptured(context, outcome));
    }
    return outcomes;
  } catch (error) {
    if (error instanceof LostAnswerError && !context.counters.isOneCommit)
      return afterLostCommit(context, attempts, error);
    if (!(error instanceof OvertakenError)) throw error;
    if (context.counters.isOneCommit)
      throw new UndecidedError('windows kept ending within the commit', { cause: error });
    const { because } = error;
    const again = { kind: 'again', because, now: context.clock.estimate() } as const;
    return new Map(attempts.map((one) => [one.id, shownOf(one, again, new Map())]));
  }
}

/** Tells what home knows of an order by then. Nobody knows whether the rest was committed. */
async function afterLostCommit(
  context: Context,
  attempts: readonly Attempt[],
  error: LostAnswerError,
): Promise<ReadonlyMap<string, Shown>> {
  const viewsOf = await look(context, attempts).catch(() => undefined);
  const outcomes = new Map<string, Shown>();
  for (const attempt of attempts) {
    const seen = viewsOf && seeHome(attempt, viewsOf(attempt));
    const isKnown = seen?.kind === 'known';
    outcomes.set(attempt.id, isKnown ? await countCaptured(context, seen) : failed(attempt, error));
  }
  return outcomes;
}

async function holdAll(context: Context, attempts: readonly Attempt[], atomic: boolean) {
  const viewsOf = await lookByOwnClocks(context, attempts);
  const see = seeInTurn(viewsOf, !atomic);
  const outcomes = new Map(attempts.map((attempt) => [attempt.id, see(attempt)]));
  const allowed = attempts.filter(({ id }) => outcomes.get(id)?.kind === 'wouldHold');
  if (atomic && ![...outcomes.values()].every(isAllowed)) return outcomes;
  for (const some of inTurns(allowed)) await write(context, some, viewsOf, outcomes);
  return outcomes;
}

/**
 * Orders that are written together. Beside home, a captured one has a place among failures until it is counted, and none
 * after that. Those that come next were allowed as if it were counted, so they are written once it is.
 */
function inTurns(attempts: readonly Attempt[]): readonly (readonly Attempt[])[] {
  const turns: Attempt[][] = [[]];
  for (const attempt of attempts) {
    turns.at(-1)?.push(attempt);
    const { request, plan } = attempt;
    if (!request.capture || plan.documents.length === 1) continue;
    const rules = plan.plans.flatMap((one) => one.rules.map(({ rule }) => rule));
    if (rules.some(isOfFailures)) turns.push([]);
  }
  return turns.filter(({ length }) => length > 0);
}

/**
 * Each document decides by its server's clock, and one that is new has told no time. Where a plan ends just now, it
 * is made before it allows. Example: a freeze is over by the merchant's clock, and not yet by the new user's.
 */
async function lookByOwnClocks(context: Context, attempts: readonly Attempt[]) {
  const viewsOf = await look(context, attempts);
  const made = new Set<string>();
  for (const attempt of attempts) {
    const views = viewsOf(attempt);
    if (attempt.plan.plans.length < 2 || !isAllowed(seeAll(attempt, views))) continue;
    for (const [document, { isMissing = false }] of views) {
      if (!isMissing || made.has(document)) continue;
      made.add(document);
      const estimate = context.clock.estimate();
      const ask: Ask = { document, place: 'home', orders: [], plans: [], estimate, isNew: true };
      await context.counters.hold(ask, context.at);
    }
  }
  return made.size === 0 ? viewsOf : look(context, attempts);
}

/** Says whether an order has a yes, new or old. */
export function isAllowed(outcome: Said): boolean {
  if (outcome.kind === 'known') return outcome.sameContent && outcome.entry.state !== 'rolledBack';
  return outcome.kind === 'held' || outcome.kind === 'wouldHold';
}

async function write(
  context: Context,
  attempts: readonly Attempt[],
  viewsOf: (attempt: Attempt) => Views,
  outcomes: Map<string, Shown>,
): Promise<void> {
  await dropShares(context, attempts, viewsOf);
  const visited: Visited = new Map();
  const agreedOf = ({ id, request }: Attempt): number => {
    const seen = outcomes.get(id);
    return seen?.kind === 'wouldHold' ? seen.amountMinor : request.amountMinor;
  };
  const beside = attempts.flatMap((attempt) =>
    asksBeside(attempt, viewsOf(attempt), agreedOf(attempt)),
  );
  await askAll(context, beside, visited);
  const homes = attempts.map((attempt) =>
    askHomeAfterDrop(attempt, viewsOf(attempt), agreedOf(attempt)),
  );
  await askAll(context, homes, visited);
  for (const attempt of attempts) refuseOvertaken(attempt, visited);
  const heldViews = viewsIn(visited);
  for (const attempt of attempts) {
    const views = heldViews(attempt);
    const entry = currentEntry(homeView({ attempt, views }));
    const isCounted = attempt.request.capture && entry !== undefined && isOutcome(entry);
    const counted =
      isCounted && entry.others !== undefined
        ? await countShares(context, entry, views)
        : { views };
    outcomes.set(attempt.id, { kind: 'held', attempt, ...counted });
  }
}

/** Home keeps when the last share ends that was dropped: another attempt may have it still, and ask home. */
function askHomeAfterDrop(attempt: Attempt, views: Views, amountMinor: number): Ask {
  const dropped = [...views.values()].flatMap((view) => sharesInTheWay(view, attempt));
  const ends = dropped.map(({ until }) => until.getTime());
  const droppedUntil = ends.length === 0 ? undefined : new Date(Math.max(...ends));
  // Home was read in this commit, so it forgets none but for orders of the same call, and those are others.
  const rememberedBefore = attempt.rememberedBefore === undefined ? undefined : Infinity;
  return askHome(attempt, views, amountMinor, { droppedUntil, rememberedBefore });
}

function refuseOvertaken({ id, plan }: Attempt, visited: Visited): void {
  for (const document of plan.documents) {
    const said = saidIn(visited, document, id);
    if (said?.kind === 'failed') throw said.error;
    const isSkewed = said?.kind === 'again' && said.because === 'skewed';
    if (said?.kind !== 'held') throw new OvertakenError(document, isSkewed ? 'skewed' : 'late');
  }
}

async function dropShares(
  context: Context,
  attempts: readonly Attempt[],
  viewsOf: (attempt: Attempt) => Views,
): Promise<void> {
  const dropped = attempts.flatMap((attempt) =>
    [...viewsOf(attempt)].flatMap(([document, view]) =>
      sharesInTheWay(view, attempt).map(({ id, nonce }) => ({
        document,
        ask: { id, nonce, to: 'dropped' as const },
      })),
    ),
  );
  const { errors } = await settleShares(context, dropped);
  for (const error of errors.values()) throw error;
}
