import { BUCKETS_MAX, RULES_PER_CHECK_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import { groupedBy } from './many.ts';
import type { Attempt, AttemptResult, Views } from './attempt.ts';
import { isBarred } from './attempt.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Context } from './context.ts';
import { heldUntil, homeView, look, seeHome } from './look.ts';
import { countCaptured, shareUntilIn } from './shares.ts';
import { tellFailed, viewsOf } from './tell-failed.ts';
import type { Said, Visit } from './visited.ts';
import { Visited } from './visited.ts';
import { visitAll } from './visits.ts';

type Outcomes = Map<string, AttemptResult>;

/**
 * Attempts at checks, each document with one update for all its orders.
 *
 * An order of one document is held there; where that has just refused, it is looked at first. An order
 * of several documents goes by steps:
 *
 * 1. Read all its documents. What home knows of the order, or refuses, is the answer; nothing was
 *    written. Until when it is held is fixed here, once for all documents.
 * 2. Hold in the others. A share names its home, and only this attempt uses its nonce.
 * 3. Hold at home: the moment of the decision. The order must still be unknown, its time not over, and
 *    home must have forgotten nothing since step 1.
 *
 * Where it ends otherwise than held, what others hold is given back; but not where the answer to step
 * 3 was lost: home may hold it, now or later. Before a refusal is the answer, home is looked at once
 * more: another attempt at the order may have been faster.
 */
export async function holdBySteps(
  context: Context,
  attempts: readonly Attempt[],
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map();
  // An order that a rule for single transactions refuses is answered from a look if it is alone; among
  // others, from its place.
  const isAlone = attempts.length === 1;
  const read = attempts.filter(
    (attempt) => isOverSeveral(attempt) || (isAlone && isBarred(attempt)),
  );
  const begun = await readFirst(context, read, outcomes);
  const visited = new Visited();
  await holdInOthers(context, begun, visited);
  const failed = new Map<string, Said>();
  for (const { attempt } of begun.values()) {
    const said = refusalIn(visited, attempt);
    if (said !== undefined) failed.set(attempt.id, said);
  }
  await holdAtHome(context, attempts, begun, visited, outcomes, failed);
  const gone = await giveBack(context, attempts, visited, failed);
  for (const attempt of attempts)
    if (!outcomes.has(attempt.id) && !failed.has(attempt.id))
      outcomes.set(attempt.id, { kind: 'held', views: viewsOf(attempt, visited, gone) });
  await tellFailed(context, attempts, { visited, failed, gone }, outcomes);
  await countCaptured(context, attempts, outcomes, ['held', 'known']);
  return outcomes;
}

/** An order of several documents that home may hold, and what they were like. */
type Begun = { readonly attempt: Attempt; readonly views: Views };

function isOverSeveral({ plan }: Attempt): boolean {
  return plan.documents.length > 1;
}

async function readFirst(
  context: Context,
  attempts: readonly Attempt[],
  outcomes: Outcomes,
): Promise<ReadonlyMap<string, Begun>> {
  const begun = new Map<string, Begun>();
  if (attempts.length === 0) return begun;
  try {
    const seen = await look(context, attempts);
    for (const attempt of attempts) {
      const views = seen.of(attempt);
      const said = seeHome(context, attempt, views);
      if (said.kind === 'wouldHold') {
        begun.set(attempt.id, { attempt, views });
      } else outcomes.set(attempt.id, said);
    }
  } catch (error) {
    for (const { id } of attempts) outcomes.set(id, { kind: 'failed', error });
  }
  return begun;
}

async function holdInOthers(
  context: Context,
  begun: ReadonlyMap<string, Begun>,
  visited: Visited,
): Promise<void> {
  const visits = [...begun.values()].flatMap(({ attempt, views }): readonly Visit[] => {
    const [home, ...others] = attempt.plan.documents;
    const held = heldUntil(attempt, views);
    return others.map((document) => {
      const until = shareUntilIn(views.get(document), held, attempt.request.holdMs);
      return { attempt, document, until, home, ...stateOf(views, document) };
    });
  });
  await visitAll(context, visits, visited);
}

/** How a document is asked, by what a look showed: as a new one, or read first. */
function stateOf(views: Views, document: string): Pick<Visit, 'isNew' | 'readsFirst'> {
  const view = views.get(document);
  return {
    isNew: view?.isMissing === true,
    // A document with nearly as many buckets as it may have decides by what is read.
    readsFirst: (view?.liveBuckets ?? 0) + RULES_PER_CHECK_MAX > BUCKETS_MAX,
  };
}

/** The document that stops the order: one that gave no answer, or else the first that refused. */
function refusalIn(visited: Visited, { id, plan }: Attempt): Said | undefined {
  const [, ...others] = plan.documents;
  const said = others.flatMap((document) => visited.said(document, id) ?? []);
  return (
    said.find(({ kind }) => kind === 'failed') ??
    said.find(({ kind }) => kind === 'skewed' || kind === 'late' || kind === 'terms') ??
    said.find((one) => (one.kind === 'refused' || one.kind === 'full') && one.inTheWay) ??
    said.find(({ kind }) => kind !== 'held')
  );
}

async function holdAtHome(
  context: Context,
  attempts: readonly Attempt[],
  begun: ReadonlyMap<string, Begun>,
  visited: Visited,
  outcomes: Outcomes,
  failed: Map<string, Said>,
): Promise<void> {
  const asked = attempts.filter(({ id }) => !outcomes.has(id) && !failed.has(id));
  const visits = asked.map((attempt): Visit => {
    const [document, ...others] = attempt.plan.documents;
    const first = begun.get(attempt.id);
    if (first === undefined || others.length === 0) return { attempt, document };
    const { views } = first;
    const until = heldUntil(attempt, views);
    const { remembered: rememberedBefore, closings: closingsBefore } = homeView(attempt, views);
    const before = { rememberedBefore, closingsBefore, ...stateOf(views, document) };
    return { attempt, document, until, others, ...before };
  });
  await visitAll(context, visits, visited);
  for (const { id, plan } of asked) {
    const said = visited.said(plan.documents[0], id);
    if (said?.kind === 'failed') outcomes.set(id, said); // the shares stay: home may hold it
    else if (said !== undefined && said.kind !== 'held') failed.set(id, said);
  }
}

/** Gives back what orders hold that failed. What cannot be reached expires by itself. */
async function giveBack(
  context: Context,
  attempts: readonly Attempt[],
  visited: Visited,
  failed: ReadonlyMap<string, Said>,
): Promise<ReadonlySet<string>> {
  const shares = attempts
    .filter(({ id }) => failed.has(id))
    .flatMap(({ id, nonce, plan }) =>
      plan.documents
        .slice(1)
        .filter((document) => visited.mayHold(document, id))
        .map((document) => ({ document, id, nonce, to: 'rolledBack' as const })),
    );
  await atOnce(
    groupedBy(shares, ({ document }) => document),
    async ([document, asks]) => {
      try {
        const estimate = context.clock.estimate();
        await context.counters.settleShares(document, asks, estimate, context.at);
      } catch (error) {
        if (!(error instanceof UndecidedError)) throw error;
      }
    },
  );
  return new Set(shares.map(({ id }) => id));
}
