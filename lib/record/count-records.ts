import { DOCUMENTS_PER_COMMIT_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { Attempt, AttemptResult } from '../limits/attempt.ts';
import { tooManyRules } from '../limits/attempt.ts';
import { holdBySteps } from '../limits/by-steps.ts';
import type { Context } from '../limits/context.ts';
import { holdInOneCommit } from '../limits/in-one-commit.ts';

/**
 * Counts records, each in all its documents or in none.
 *
 * A commit keeps every check away from its documents for as long as it runs. So an order of one document
 * takes part in one only where an order of several meets it there: among them the order given decides.
 *
 * @throws what ends the commit of which the call is part: some of an order may be written by then
 */
export async function countAll(
  context: Context,
  attempts: readonly Attempt[],
): Promise<ReadonlyMap<string, AttemptResult>> {
  const outcomes = new Map<string, AttemptResult>();
  const asked = attempts.filter((attempt) => {
    const error = tooManyRules(attempt);
    if (error !== undefined) outcomes.set(attempt.id, { kind: 'failed', error });
    return error === undefined;
  });
  const isOneCommit = context.inOneCommit || context.counters.isOneCommit;
  const { alone, commits } = isOneCommit ? { alone: [], commits: [asked] } : parted(asked);
  const count = async (
    some: readonly Attempt[],
    hold: () => Promise<ReadonlyMap<string, AttemptResult>>,
  ): Promise<unknown> => {
    if (some.length === 0) return undefined;
    try {
      for (const [id, outcome] of await hold()) outcomes.set(id, outcome);
      return undefined;
    } catch (error) {
      if (context.counters.isOneCommit) throw error;
      for (const { id } of some) outcomes.set(id, { kind: 'failed', error });
      return error;
    }
  };
  await count(alone, () => holdBySteps(context, alone));
  let undecided: UndecidedError | undefined;
  for (const commit of commits) {
    // Where one could not be committed in its time, those after it are not asked: nor could they be.
    const before = undecided;
    const error = await count(commit, () =>
      before === undefined ? holdInOneCommit(context, commit, false) : Promise.reject(before),
    );
    if (error instanceof UndecidedError) undecided = error;
  }
  return outcomes;
}

/** Orders that one update counts, and those of each commit. */
function parted(attempts: readonly Attempt[]) {
  const shared = new Set(
    attempts.flatMap(({ plan: { documents } }) => (documents.length > 1 ? documents : [])),
  );
  const isShared = ({ plan }: Attempt): boolean => shared.has(plan.documents[0]);
  return {
    alone: attempts.filter((attempt) => !isShared(attempt)),
    commits: commitsOf(attempts.filter(isShared)),
  };
}

/** In the order given, as many in a commit as its documents allow. */
function commitsOf(attempts: readonly Attempt[]): readonly (readonly Attempt[])[] {
  const commits: Attempt[][] = [];
  let documents = new Set<string>();
  for (const attempt of attempts) {
    const all = new Set([...documents, ...attempt.plan.documents]);
    const last = commits.at(-1);
    if (last === undefined || all.size > DOCUMENTS_PER_COMMIT_MAX) {
      commits.push([attempt]);
      documents = new Set(attempt.plan.documents);
    } else {
      last.push(attempt);
      documents = all;
    }
  }
  return commits;
}
