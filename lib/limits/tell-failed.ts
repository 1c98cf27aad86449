import type { DocumentView } from './document/document.ts';
import type { Attempt, AttemptResult, Views } from './attempt.ts';
import type { Context } from './context.ts';
import { look, seeHome } from './look.ts';
import type { Seen } from './look.ts';
import type { Said, Visited } from './visited.ts';

/** What came of visits: what documents said, which orders failed by that, and whose shares were given back. */
export type Through = {
  readonly visited: Visited;
  readonly failed: ReadonlyMap<string, Said>;
  readonly gone: ReadonlySet<string>;
};

/**
 * Tells what became of orders that failed. Where another document refused, home is looked at once more
 * before that is the answer; and an order that was refused only because one before it held what was
 * given back since begins again.
 */
export async function tellFailed(
  context: Context,
  attempts: readonly Attempt[],
  { visited, failed, gone }: Through,
  outcomes: Map<string, AttemptResult>,
): Promise<void> {
  const looked = attempts.filter(
    ({ id, plan }) =>
      isRefusal(failed.get(id)) && visited.said(plan.documents[0], id) === undefined,
  );
  const seen = await lookOrFail(context, looked, outcomes);
  const freed = new Set<string>();
  for (const attempt of attempts) {
    const { id, plan } = attempt;
    const said = failed.get(id);
    if (said !== undefined && !outcomes.has(id)) {
      const views = viewsOf(attempt, visited, gone);
      const isLooked = looked.includes(attempt);
      const outcome = outcomeOf(
        context,
        attempt,
        said,
        views,
        isLooked ? seen?.of(attempt) : undefined,
      );
      const mayFitNow = plan.documents.some(
        (document) => freed.has(document) && isRefusal(visited.said(document, id)),
      );
      const isAgain = mayFitNow && (outcome.kind === 'refused' || outcome.kind === 'full');
      const now = nowOf(attempt, views);
      outcomes.set(id, isAgain ? { kind: 'again', because: 'givenBack', now } : outcome);
    }
    if (gone.has(id))
      for (const document of plan.documents)
        if (visited.said(document, id)?.kind === 'held') freed.add(document);
  }
}

function isRefusal(said: Said | undefined): boolean {
  return said?.kind === 'refused' || said?.kind === 'full';
}

async function lookOrFail(
  context: Context,
  attempts: readonly Attempt[],
  outcomes: Map<string, AttemptResult>,
): Promise<Seen | undefined> {
  if (attempts.length === 0) return undefined;
  try {
    return await look(context, attempts);
  } catch (error) {
    for (const { id } of attempts) outcomes.set(id, { kind: 'failed', error });
    return undefined;
  }
}

/** The documents that an order visited, as they stood at its place. */
export function viewsOf({ id, plan }: Attempt, visited: Visited, gone: ReadonlySet<string>): Views {
  const views = new Map<string, DocumentView>();
  for (const document of plan.documents) {
    const view = visited.view(document, id, gone);
    if (view !== undefined) views.set(document, view);
  }
  return views;
}

function nowOf({ estimate }: Attempt, views: Views): Date {
  const [first]: Iterable<DocumentView> = views.values();
  return first?.now ?? estimate;
}

/**
 * What becomes of an order that a document does not hold.
 *
 * @param views documents that were asked, as they stood at the order's place
 * @param seen all documents as they are now, where home was looked at once more
 */
export function outcomeOf(
  context: Context,
  attempt: Attempt,
  said: Said,
  views: Views,
  seen: Views | undefined,
): AttemptResult {
  switch (said.kind) {
    case 'failed':
      return said;
    case 'held':
      throw new TypeError('an order that is held did not fail');
    case 'known':
      return { ...said, views };
    case 'skewed':
    case 'late':
    case 'terms':
      return { kind: 'again', because: said.kind, now: nowOf(attempt, views) };
    case 'refused':
    case 'full': {
      const { inTheWay, ...told } = said;
      if (seen === undefined) return { ...told, views };
      const atHome = seeHome(context, attempt, seen);
      if (atHome.kind === 'known' || atHome.kind === 'again') return atHome;
      if (inTheWay) return { kind: 'again', because: 'inTheWay', now: nowOf(attempt, seen) };
      // The answer shows the refusing document as it was then. It may have room by now.
      return { ...told, views: new Map([...seen, ...views]) };
    }
  }
}
