import type { CheckAnswer } from '../domain/answer.ts';
import type { DocumentView } from '../domain/document.ts';
import { leftOutOf } from '../domain/document.ts';
import { ClockSkewError, NotAllAllowedError } from '../domain/errors.ts';
import type { ManyResult } from '../domain/many.ts';
import type { Attempt, Attempted } from './check.ts';
import { answerTo } from './check.ts';
import type { Visited } from './hold-many.ts';
import type { Verdict } from './verdict.ts';

/** What each order ended with, by its hold's id. */
export type Results = Map<string, ManyResult<CheckAnswer>>;

/** A call of many while it runs: what is asked, what documents said, and what follows from it. */
export type Run = {
  readonly attempts: readonly Attempt[];
  readonly visited: Visited;
  readonly verdicts: Map<string, Verdict>;
};

/** Writes the results of orders that are through. */
export function tellMany(run: Run): Results {
  const { attempts, visited, verdicts } = run;
  const results: Results = new Map();
  const gone = new Set(
    attempts.map(({ id }) => id).filter((id) => !stoodInPlace(verdicts.get(id))),
  );
  const views = new Map<string, ReadonlyMap<string, DocumentView>>();
  const viewOf = (document: string, id: string): DocumentView | undefined => {
    const known = views.get(document) ?? visited.views(document, gone);
    views.set(document, known);
    return known.get(id);
  };
  for (const attempt of attempts) {
    const verdict = verdicts.get(attempt.id);
    if (verdict === undefined || verdict.kind === 'again') continue;
    results.set(attempt.id, resultOf(attempt, verdict, viewOf));
  }
  return results;
}

/** Says whether those after an order saw its share: also where all were given back in the end. */
function stoodInPlace(verdict: Verdict | undefined): boolean {
  return (
    verdict?.kind === 'held' ||
    (verdict?.kind === 'failed' && verdict.error instanceof NotAllAllowedError)
  );
}

function resultOf(
  attempt: Attempt,
  verdict: Exclude<Verdict, { readonly kind: 'again' }>,
  viewOf: (document: string, id: string) => DocumentView | undefined,
): ManyResult<CheckAnswer> {
  if (verdict.kind === 'failed') return verdict;
  if (verdict.kind === 'skewed')
    return { kind: 'failed', error: new ClockSkewError(attempt.estimate) };
  const views = new Map<string, DocumentView>();
  for (const document of attempt.plan.documents) {
    const view = viewOf(document, attempt.id);
    if (view !== undefined) views.set(document, view);
  }
  try {
    return { kind: 'answered', answer: answerTo(attempt, attemptedOf(verdict, views)) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function attemptedOf(
  verdict: Extract<Verdict, { readonly kind: 'held' | 'known' | 'refused' | 'full' }>,
  views: ReadonlyMap<string, DocumentView>,
): Exclude<Attempted, { readonly kind: 'skewed' }> {
  switch (verdict.kind) {
    case 'held':
      return { kind: 'held', repeated: false, leftOut: leftOutOf(views), views };
    case 'known':
      return { kind: 'known', entry: verdict.entry, sameContent: true, views };
    case 'refused':
      return { kind: 'refused', views };
    case 'full':
      return { kind: 'full', bound: verdict.bound };
  }
}
